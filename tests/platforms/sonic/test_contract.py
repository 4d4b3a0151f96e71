"""What is rendered says what the model says: chains, announcements, modes, port kinds."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from fabric.platforms.sonic import check_config
from fabric.text import Renderer, TemplateFault, chains
from tests.platforms.models import ROOT, Case
from tests.platforms.sonic.cases import CASES, DEVICES, FACTS, config

KNOWN = [name for name in CASES if name != "unknown"]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", KNOWN)
def test_every_port_does_what_the_model_says(name: str, device: str) -> None:
    case = CASES[name]
    wanted = tuple(replace(p.chain, device=device) for p in case.model(device).interfaces)
    assert chains("sonic", case.files(device), device) == wanted


def test_without_a_buffer_table_the_rest_of_the_chain_stands() -> None:
    case = CASES["unknown"]
    wanted = [port.chain for port in case.model("leaf-0").interfaces]
    for got, want in zip(chains("sonic", case.files("leaf-0"), "leaf-0"), wanted, strict=True):
        for field in ("dscp_to_tc", "tc_to_queue", "tc_to_pg", "pfc_priorities"):
            assert getattr(got, field) == getattr(want, field)
        assert got.lossless_pgs == ()
        assert [(q.scheduler, q.ecn) for q in got.queues] == [
            (q.scheduler, q.ecn) for q in want.queues
        ]


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("name", sorted(CASES))
def test_nothing_to_object_to(name: str, device: str) -> None:
    assert check_config(config(CASES[name], device)) == ()


@pytest.mark.parametrize("name", KNOWN)
def test_all_ports_are_in_all_tables(name: str) -> None:
    """A breakout child, an uplink, a host port and an unused one: none goes without (FC-69)."""
    found = config(CASES[name])
    ports = {"Ethernet0", "Ethernet2", "Ethernet4", "Ethernet8", "Ethernet12"}
    assert found["PORT"].keys() == ports
    assert found["PORT_QOS_MAP"].keys() == {*ports, "global"}
    assert found["CABLE_LENGTH"]["ROCE"].keys() == ports
    assert found["PFC_WD"].keys() == {*ports, "GLOBAL"}
    for table in ("QUEUE", "BUFFER_PG", "BUFFER_QUEUE"):
        assert {key.partition("|")[0] for key in found[table]} == ports


def _announced_in_frr(case: Case, device: str) -> list[str]:
    text = case.files(device)["frr.conf"]
    return [line.split()[1] for line in text.splitlines() if line.startswith("  network ")]


@pytest.mark.parametrize("device", DEVICES)
def test_both_modes_announce_what_the_speaker_lists(device: str) -> None:
    wanted = sorted(Case().model(device).speaker.announces)
    assert sorted(_announced_in_frr(Case(), device)) == wanted
    networks = config(Case(mode="unified"), device)["BGP_GLOBALS_AF_NETWORK"]
    assert sorted(key.split("|")[2] for key in networks) == wanted
    prefixes = config(Case(mode="unified"), device)["PREFIX"]
    assert sorted(key.split("|")[1] for key in prefixes) == wanted


def test_links_between_switches_are_announced_nowhere() -> None:
    for case in (Case(), Case(mode="unified")):
        files = case.files("leaf-0")
        routing = files.get("frr.conf", "")
        tables = config(case)
        routing += str([tables.get("PREFIX"), tables.get("BGP_GLOBALS_AF_NETWORK")])
        assert "10.254.0.0/31" not in routing
        assert "redistribute" not in routing
        assert "ROUTE_REDISTRIBUTE" not in tables


def test_split_mode_keeps_one_frr_conf_and_the_fpm_lines() -> None:
    """Plain `split` removes frr.conf at each start; a file without the fpm lines gets them."""
    metadata = config(Case())["DEVICE_METADATA"]["localhost"]
    assert metadata["docker_routing_config_mode"] == "split-unified"
    assert metadata["frr_mgmt_framework_config"] == "false"
    lines = Case().files("leaf-0")["frr.conf"].splitlines()
    assert "no fpm use-next-hop-groups" in lines
    assert "fpm address 127.0.0.1" in lines
    assert "BGP_NEIGHBOR" not in config(Case())


def test_unified_mode_has_no_frr_conf_and_policy_both_ways() -> None:
    case = CASES["unified-unnumbered"]
    assert set(case.files("leaf-0")) == {"config_db.json"}
    tables = config(case)
    assert tables["DEVICE_METADATA"]["localhost"]["docker_routing_config_mode"] == "unified"
    assert tables["DEVICE_METADATA"]["localhost"]["frr_mgmt_framework_config"] == "true"
    assert tables["BGP_GLOBALS_AF"]["default|ipv4_unicast"]["max_ebgp_paths"] == "64"
    for row in tables["BGP_NEIGHBOR_AF"].values():
        assert row["route_map_in"] == ["FABRIC-IN"]
        assert row["route_map_out"] == ["FABRIC-OUT"]


def test_bfd_needs_the_daemon_that_the_framework_starts() -> None:
    metadata = config(Case(bfd=True))["DEVICE_METADATA"]["localhost"]
    assert metadata["frr_mgmt_framework_config"] == "true"
    assert " neighbor FABRIC-V4 bfd" in Case(bfd=True).files("leaf-0")["frr.conf"].splitlines()


def test_another_mode_is_refused() -> None:
    with pytest.raises(TemplateFault, match="routing mode separated is neither split nor unified"):
        Case(mode="separated").files("leaf-0")


@pytest.mark.parametrize(
    ("device", "kind", "seed"), [("leaf-0", "ToRRouter", 0), ("spine-1", "LeafRouter", 10)]
)
def test_adjacent_tiers_have_different_hash_seeds(device: str, kind: str, seed: int) -> None:
    seeds = {"ToRRouter": 0, "LeafRouter": 10, "SpineRouter": 25}  # switch.json.j2
    assert config(Case(), device)["DEVICE_METADATA"]["localhost"]["type"] == kind
    assert seeds[kind] == seed


def test_facts_of_the_box_come_from_a_recording_alone() -> None:
    bare = config(Case())
    assert "mac" not in bare["DEVICE_METADATA"]["localhost"]
    assert "VERSIONS" not in bare
    recorded = config(Case(facts=FACTS))
    assert recorded["DEVICE_METADATA"]["localhost"]["mac"] == "02:00:00:00:00:01"
    assert recorded["VERSIONS"] == {"DATABASE": {"VERSION": "version_202505_01"}}
    guessed = config(CASES["unknown"])["DEVICE_METADATA"]["localhost"]
    assert {"mac", "hwsku", "platform", "buffer_model"}.isdisjoint(guessed)


def test_headroom_profiles_bear_the_names_that_buffermgrd_looks_for() -> None:
    profiles = config(Case())["BUFFER_PROFILE"]
    near, far = "pg_lossless_100000_5m_profile", "pg_lossless_100000_40m_profile"
    assert (profiles[near]["xoff"], profiles[near]["size"]) == ("33792", "53248")
    assert (profiles[far]["xoff"], profiles[far]["size"]) == ("44032", "63488")
    cables = config(Case())["CABLE_LENGTH"]["ROCE"]
    assert (cables["Ethernet0"], cables["Ethernet4"]) == ("5m", "40m")  # 30 m rounds up


@pytest.mark.parametrize(
    ("groups", "rows"), [((3,), {"0", "3"}), ((3, 4), {"0", "3-4"}), ((2, 3, 6), {"0", "2-3", "6"})]
)
def test_neighbouring_lossless_groups_have_one_row_as_buffermgrd_has(
    groups: tuple[int, ...], rows: set[str]
) -> None:
    """Else it adds its own 3-4 to our 3 and 4, and keeps the headroom of ports that are down."""
    model = Case().model("leaf-0")
    ports = tuple(
        replace(port, chain=replace(port.chain, lossless_pgs=groups)) for port in model.interfaces
    )
    files = Renderer((ROOT,)).device(replace(model, interfaces=ports)).files
    found = json.loads(next(f.text for f in files if f.name == "config_db.json"))["BUFFER_PG"]
    assert {key.partition("|")[2] for key in found if key.startswith("Ethernet12|")} == rows
    assert len(found) == len(ports) * len(rows)


def test_a_port_list_has_one_profile_of_each_pool() -> None:
    tables = config(Case())
    wanted = "ingress_lossless_profile,ingress_lossy_profile"
    assert tables["BUFFER_PORT_INGRESS_PROFILE_LIST"]["Ethernet0"] == {"profile_list": wanted}
    assert "BUFFER_PORT_INGRESS_PROFILE_LIST" not in config(CASES["broadcom"])


def test_the_map_from_pfc_to_groups_is_for_chips_that_take_it() -> None:
    assert "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP" in config(Case())
    tables = config(CASES["broadcom"])
    assert "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP" not in tables
    assert all("pfc_to_pg_map" not in row for row in tables["PORT_QOS_MAP"].values())


def test_extra_words_go_where_they_belong() -> None:
    rows: dict[str, Any] = config(Case(extra='{"NTP": {"global": {"admin_state": "enabled"}}}'))
    assert rows["NTP"] == {"global": {"admin_state": "enabled"}}
    text = Case(extra="ip route 192.0.2.0/24 blackhole").files("leaf-0")["frr.conf"]
    assert text.endswith("\nip route 192.0.2.0/24 blackhole\n")
    with pytest.raises(TemplateFault, match=r"sets PORT\|Ethernet0\|mtu, which is set already"):
        Case(extra='{"PORT": {"Ethernet0": {"mtu": "1500"}}}').files("leaf-0")
