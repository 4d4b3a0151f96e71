"""Whose a row is, what is merged, what differs."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.changing.json_tables import (
    Ownership,
    Tables,
    canonical,
    differences,
    merged,
    read_tables,
    written,
)
from fabric.model.push import ReplyError

OURS = Ownership(
    owns=("PORT", "QUEUE", "META|localhost|hostname", "FEATURE|lldp|state", "COUNTER|ECN"),
    ignores=("QUEUE|auto_*", "META|localhost|mac", "FEATURE", "COUNTER", "VERSIONS"),
    keeps=("MGMT",),
    yields=("PORT",),
)
DEVICE: Tables = {
    "AAA": {"login": {"order": "tacacs+"}},
    "COUNTER": {"PORT": {"STATUS": "enable"}, "ECN": {"STATUS": "disable"}},
    "FEATURE": {"bgp": {"state": "enabled"}, "lldp": {"state": "disabled", "auto": "on"}},
    "META": {"localhost": {"hostname": "sonic", "mac": "02:00", "timezone": "UTC"}},
    "MGMT": {"eth0": {"address": "192.0.2.1"}},
    "PORT": {"Ethernet0": {"mtu": "9100", "alias": "one"}, "Ethernet4": {"mtu": "9100"}},
    "QUEUE": {"auto_7": {"size": "1"}, "Ethernet0|3": {"scheduler": "old"}},
    "VERSIONS": {"DATABASE": {"VERSION": "one"}},
}
PLAN: Tables = {
    "FEATURE": {"lldp": {"state": "enabled"}},
    "META": {"localhost": {"hostname": "leaf-0", "mac": "02:99"}},
    "MGMT": {"eth0": {"address": "198.51.100.1"}},
    "NTP": {"198.51.100.2": {}},
    "PORT": {"Ethernet0": {"mtu": "9216"}},
    "QUEUE": {"auto_9": {"size": "2"}, "Ethernet0|3": {"scheduler": "new"}},
    "VERSIONS": {"DATABASE": {"VERSION": "two"}},
}


def test_each_place_has_its_owner() -> None:
    assert merged(DEVICE, PLAN, OURS) == {
        "AAA": {"login": {"order": "tacacs+"}},  # the device's
        "COUNTER": {"PORT": {"STATUS": "enable"}},  # one row of it is the plan's, which has none
        "FEATURE": {"bgp": {"state": "enabled"}, "lldp": {"state": "enabled", "auto": "on"}},
        "META": {"localhost": {"hostname": "leaf-0", "mac": "02:00", "timezone": "UTC"}},
        "MGMT": {"eth0": {"address": "192.0.2.1"}},  # the way to the device
        "NTP": {"198.51.100.2": {}},  # what the plan adds
        "PORT": {"Ethernet0": {"mtu": "9216"}},  # the plan's alone
        "QUEUE": {
            "Ethernet0|3": {"scheduler": "new"},
            "auto_7": {"size": "1"},  # the machine's
            "auto_9": {"size": "2"},  # the plan's, though of that kind
        },
        "VERSIONS": {"DATABASE": {"VERSION": "one"}},
    }


def test_a_table_that_the_plan_leaves_out_stays_where_it_yields() -> None:
    plan = {name: rows for name, rows in PLAN.items() if name not in ("PORT", "QUEUE")}
    found = merged(DEVICE, plan, OURS)
    assert found["PORT"] == DEVICE["PORT"]
    assert found["QUEUE"] == {"auto_7": {"size": "1"}}


def test_what_the_machine_makes_is_no_difference() -> None:
    target = merged(DEVICE, PLAN, OURS)
    assert differences(DEVICE, target, OURS) == (
        "- COUNTER|ECN|STATUS disable",
        "- FEATURE|lldp|state disabled",
        "+ FEATURE|lldp|state enabled",
        "- META|localhost|hostname sonic",
        "+ META|localhost|hostname leaf-0",
        "+ NTP|198.51.100.2",
        "- PORT|Ethernet0|alias one",
        "- PORT|Ethernet0|mtu 9100",
        "+ PORT|Ethernet0|mtu 9216",
        "- PORT|Ethernet4|mtu 9100",
        "- QUEUE|Ethernet0|3|scheduler old",
        "+ QUEUE|Ethernet0|3|scheduler new",
        "+ QUEUE|auto_9|size 2",
    )
    counted = {**DEVICE, "VERSIONS": {"DATABASE": {"VERSION": "three"}}}
    assert differences(DEVICE, counted, OURS) == ()
    assert canonical(DEVICE, OURS) == canonical(counted, OURS)
    assert canonical(DEVICE, OURS) != canonical(target, OURS)


def test_order_and_numbers_make_no_difference() -> None:
    one = {"PORT": {"Ethernet0": {"mtu": "9100", "lanes": ["1", "2"]}}, "AAA": {}}
    other = {"PORT": {"Ethernet0": {"lanes": [1, 2], "mtu": 9100}}}
    assert differences(one, other, OURS) == ()
    assert canonical(one, OURS) == canonical(other, OURS)


@pytest.mark.parametrize("text", ["", "[]", '{"PORT": []}', '{"PORT": {"Ethernet0": 1}}', "{"])
def test_other_json_is_refused(text: str) -> None:
    with pytest.raises(ReplyError, match="it "):
        read_tables(text, "it")


_WORD = st.sampled_from(["a", "b", "auto_1", "lldp", "localhost", "Ethernet0|3", "ECN"])
_FIELDS = st.dictionaries(st.sampled_from(["state", "mac", "hostname", "x"]), _WORD, max_size=3)
_TABLES = st.dictionaries(
    st.sampled_from([*DEVICE, *PLAN, "OTHER"]),
    st.dictionaries(_WORD, _FIELDS, max_size=3),
    max_size=6,
)


@given(_TABLES, _TABLES)
def test_merged_twice_is_merged_once_and_the_rest_stays(device: Tables, plan: Tables) -> None:
    once = merged(device, plan, OURS)
    assert merged(once, plan, OURS) == once
    assert written(merged(once, plan, OURS)) == written(once)
    assert differences(once, merged(once, plan, OURS), OURS) == ()
    for table in ("AAA", "OTHER", "MGMT", "VERSIONS"):
        if table not in plan:
            assert once.get(table) == device.get(table)
    assert once.get("MGMT", {}) == device.get("MGMT", {})
    same = canonical(device, OURS) == canonical(once, OURS)
    assert same == (differences(device, once, OURS) == ())


@given(_TABLES)
def test_what_is_written_is_read(tables: Tables) -> None:
    assert read_tables(written(tables), "it") == json.loads(written(tables)) == tables
