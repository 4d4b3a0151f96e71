"""Recorded configs: maps that are missing, ranges, old forms of references."""

from __future__ import annotations

import json
from typing import Any

import pytest

from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import ConfigError
from fabric.text import chains
from tests.platforms.models import Case
from tests.platforms.sonic.cases import config


def read(tables: dict[str, Any]) -> dict[str, QosChain]:
    found = chains("sonic", {"config_db.json": json.dumps(tables)}, "leaf1")
    return {chain.port: chain for chain in found}


# The stock map of an untouched switch as FC-01 shows it: RoCE with DSCP 46 is lossy.
AZURE: dict[str, Any] = {
    "DSCP_TO_TC_MAP": {"AZURE": {"3": "3", "4": "4", "46": "5", "48": "6", "26": "1"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"AZURE": {"0": "0", "1": "0", "3": "3", "4": "4", "5": "0"}},
    "PORT_QOS_MAP": {
        "Ethernet0": {"dscp_to_tc_map": "AZURE", "tc_to_pg_map": "AZURE", "pfc_enable": "3,4"}
    },
}


def test_the_stock_map_is_followed_hop_by_hop() -> None:
    chain = read(AZURE)["Ethernet0"]
    assert chain.device == "leaf1"
    assert chain.dscp_to_tc[46] == 5
    assert chain.tc_to_pg[5] == 0
    assert chain.pfc_priorities == (3, 4)
    assert chain.lossless_pgs == ()


def test_a_missing_map_says_nothing() -> None:
    chain = read(AZURE)["Ethernet0"]
    assert chain.tc_to_queue == (None,) * 8
    assert chain.pfc_priority_to_queue == (None,) * 8
    assert chain.dscp_to_tc[5] is None
    assert chain.queues[3] == QueueSettings(3, None)


def test_a_re_marking_map_is_read_for_the_port_that_names_it() -> None:
    tables = {
        "TC_TO_DSCP_MAP": {"UP": {"3": "34", "6": "48"}},
        "PORT": {"Ethernet0": {}, "Ethernet4": {}},
        "PORT_QOS_MAP": {"Ethernet4": {"tc_to_dscp_map": "UP"}},
    }
    found = read(tables)
    assert found["Ethernet0"].tc_to_dscp == (None,) * 8
    assert not found["Ethernet0"].remarks
    assert found["Ethernet4"].tc_to_dscp == (None, None, None, 34, None, None, 48, None)
    assert found["Ethernet4"].remarks


def test_the_switch_map_serves_a_port_without_one() -> None:
    tables = {
        "DSCP_TO_TC_MAP": {"A": {"26": "3"}, "B": {"26": "5"}},
        "PORT": {"Ethernet0": {}, "Ethernet4": {}},
        "PORT_QOS_MAP": {
            "global": {"dscp_to_tc_map": "A"},
            "Ethernet4": {"dscp_to_tc_map": "B"},
        },
    }
    found = read(tables)
    assert found["Ethernet0"].dscp_to_tc[26] == 3
    assert found["Ethernet4"].dscp_to_tc[26] == 5


def test_old_images_wrote_brackets_and_several_ports_in_a_key() -> None:
    tables = {
        "DSCP_TO_TC_MAP": {"AZURE": {"3": "3"}},
        "PORT_QOS_MAP": {
            "Ethernet0,Ethernet4": {"dscp_to_tc_map": "[DSCP_TO_TC_MAP|AZURE]", "pfc_enable": "3"}
        },
        "BUFFER_PROFILE": {"p": {"xoff": "4096"}},
        "BUFFER_PG": {"Ethernet0,Ethernet4|3-4": {"profile": "[BUFFER_PROFILE|p]"}},
    }
    found = read(tables)
    assert list(found) == ["Ethernet0", "Ethernet4"]
    assert found["Ethernet4"].dscp_to_tc[3] == 3
    assert found["Ethernet4"].lossless_pgs == (3, 4)
    assert found["Ethernet4"].xoff_bytes[3:5] == (4096, 4096)


def test_a_range_covers_each_of_its_numbers() -> None:
    tables = config(Case())
    del tables["BUFFER_PG"]["Ethernet0|3"]
    tables["BUFFER_PG"]["Ethernet0|3-4"] = {"profile": "pg_lossless_100000_5m_profile"}
    chain = read(tables)["Ethernet0"]
    assert chain.lossless_pgs == (3, 4)
    assert chain.xoff_bytes == (None, None, None, 33_792, 33_792, None, None, None)


def test_a_computed_profile_is_lossless_where_pfc_is_on() -> None:
    tables = {
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
        "BUFFER_PG": {"Ethernet0|3-4": {"profile": "NULL"}},
    }
    chain = read(tables)["Ethernet0"]
    assert chain.lossless_pgs == (3,)
    assert chain.xoff_bytes == (None,) * 8


@pytest.mark.parametrize(
    ("status", "cable", "model", "groups"),
    [
        ("down", "5m", "traditional", (3,)),
        ("up", "5m", "traditional", ()),
        ("down", "40m", "traditional", ()),
        ("down", "5m", "dynamic", ()),
    ],
)
def test_a_port_that_is_down_gets_its_headroom_with_its_link(
    status: str, cable: str, model: str, groups: tuple[int, ...]
) -> None:
    """buffermgrd takes the row from ports that are down, on Mellanox, and gives it again."""
    tables = {
        "DEVICE_METADATA": {"localhost": {"buffer_model": model}},
        "PORT": {"Ethernet0": {"speed": "400000", "admin_status": status}},
        "CABLE_LENGTH": {"ROCE": {"Ethernet0": cable}},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3"}},
        "BUFFER_PROFILE": {"pg_lossless_400000_5m_profile": {"size": "9", "xoff": "7"}},
    }
    assert read(tables)["Ethernet0"].lossless_pgs == groups


@pytest.mark.parametrize(
    "change", [{"ecn": "ecn_none"}, {"ecn": "ecn_red"}, {"wred_green_enable": "false"}]
)
def test_a_profile_that_is_off_marks_nothing(change: dict[str, str]) -> None:
    tables = config(Case())
    (profile,) = tables["WRED_PROFILE"].values()
    profile.update(change)
    queue = read(tables)["Ethernet0"].queues[3]
    assert (queue.ecn, queue.kmin_bytes, queue.kmax_bytes) == (False, None, None)


def test_a_profile_that_was_never_switched_on_marks_nothing() -> None:
    """Thresholds without wred_green_enable: the chip's default is off (FC-31)."""
    tables = config(Case())
    (profile,) = tables["WRED_PROFILE"].values()
    del profile["wred_green_enable"]
    assert not read(tables)["Ethernet0"].queues[3].ecn


def test_the_watchdog_needs_row_and_priorities() -> None:
    tables = config(Case())
    del tables["PFC_WD"]["Ethernet0"]
    del tables["PORT_QOS_MAP"]["Ethernet4"]["pfcwd_sw_enable"]
    found = read(tables)
    assert found["Ethernet0"].watchdog_priorities == ()
    assert found["Ethernet4"].watchdog_priorities == ()
    assert found["Ethernet8"].watchdog_priorities == (3,)


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "there is no config_db.json"),
        ({"config_db.json": "{"}, "config_db.json is no JSON"),
        ({"config_db.json": "[]"}, "does not hold tables of rows"),
        ({"config_db.json": '{"PORT": 1}'}, "does not hold tables of rows"),
    ],
)
def test_what_is_no_config_is_said(files: dict[str, str], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        chains("sonic", files, "leaf1")


def test_a_system_without_a_reader_says_nothing() -> None:
    assert chains("toy", {"config": "x"}, "leaf1") == ()
