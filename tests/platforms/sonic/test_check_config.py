"""Every rule over a CONFIG_DB has a bad example: one change to a good config, and its sentence."""

from __future__ import annotations

import copy
import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.platforms.sonic import check_config, constraints, problems
from tests.platforms.sonic.cases import CASES, config

if TYPE_CHECKING:
    from tests.platforms.models import Case

GONE = object()
Change = tuple[str, object, str]  # path with " / ", new value, a sentence that must come

HEADROOM = "pg_lossless_100000_5m_profile"
WRED = "ROCE_187500_750000_5"
CAPPED = "strict.1250000000"
SPLIT: tuple[Change, ...] = (
    # tables and values
    ("PFC_WD_TABLE", {"x": {"y": "z"}}, "PFC_WD_TABLE: there is no such table"),
    ("STATIC_ROUTE", {}, "STATIC_ROUTE: the table is empty"),
    ("PORT / Ethernet0 / mtu", 9216, "PORT|Ethernet0: mtu 9216 is no text"),
    ("FEATURE / lldp", "enabled", "FEATURE|lldp: is no row"),
    # ports
    ("PORT / Ethernet0 / speed", GONE, "PORT|Ethernet0: speed is missing"),
    ("PORT / Ethernet0 / lanes", GONE, "PORT|Ethernet0: lanes is missing"),
    ("PORT / Ethernet0 / mtu", GONE, "PORT|Ethernet0: mtu is missing"),
    ("PORT / Ethernet0 / fec", GONE, "PORT|Ethernet0: fec is missing"),
    ("PORT / Ethernet0 / admin_status", GONE, "PORT|Ethernet0: admin_status is missing"),
    ("PORT / Ethernet0 / speed", "400G", "PORT|Ethernet0: speed '400G' is not a number"),
    ("PORT / Ethernet0 / mtu", "9217", "PORT|Ethernet0: mtu '9217' is not a number from 68 to"),
    ("PORT / Ethernet0 / subport", "9", "PORT|Ethernet0: subport '9' is not a number from 0 to 8"),
    ("PORT / Ethernet0 / fec", "RS", "PORT|Ethernet0: fec 'RS' is none of"),
    ("PORT / Ethernet0 / admin_status", "UP", "PORT|Ethernet0: admin_status 'UP' is none of"),
    ("PORT / Ethernet0 / autoneg", "no", "PORT|Ethernet0: autoneg 'no' is none of off, on"),
    ("PORT / Ethernet0 / pfc_asym", "on", "PORT|Ethernet0: asymmetric PFC is on"),
    ("PORT / Ethernet0 / pfc_enable", "3", "PORT|Ethernet0: a port has no pfc_enable"),
    ("PORT / Ethernet0 / description", "x" * 256, "PORT|Ethernet0: the description is longer"),
    ("PORT / Ethernet2 / lanes", "1,2", "PORT|Ethernet2: lane 1 belongs to Ethernet0 too"),
    ("INTERFACE / Ethernet4", GONE, "INTERFACE|Ethernet4|10.254.0.0/31: there is no row Ethernet4"),
    ("INTERFACE / Ethernet99", {}, "INTERFACE|Ethernet99: there is no port Ethernet99"),
    (
        "LOOPBACK_INTERFACE / Loopback0",
        GONE,
        "LOOPBACK_INTERFACE|Loopback0|10.255.0.1/32: there is no row Loopback0",
    ),
    ("CABLE_LENGTH / ROCE / Ethernet0", "5", "CABLE_LENGTH|ROCE: Ethernet0 '5' is no whole"),
    ("CABLE_LENGTH / ROCE / Ethernet0", "0.5m", "CABLE_LENGTH|ROCE: Ethernet0 '0.5m' is no whole"),
    ("CABLE_LENGTH / ROCE / Ethernet0", "0m", "CABLE_LENGTH|ROCE: Ethernet0 has 0m, so it gets"),
    ("CABLE_LENGTH / ROCE / Ethernet0", GONE, "CABLE_LENGTH: Ethernet0 has no length"),
    # the device and its BGP
    ("DEVICE_METADATA / localhost", GONE, "DEVICE_METADATA|localhost: there is no such row"),
    ("DEVICE_METADATA / localhost / type", "Leaf", "DEVICE_METADATA|localhost: type 'Leaf' is"),
    ("DEVICE_METADATA / localhost / type", GONE, "DEVICE_METADATA|localhost: type is missing"),
    (
        "DEVICE_METADATA / localhost / docker_routing_config_mode",
        GONE,
        "DEVICE_METADATA|localhost: docker_routing_config_mode is missing",
    ),
    (
        "DEVICE_METADATA / localhost / docker_routing_config_mode",
        "separated",
        "DEVICE_METADATA|localhost: docker_routing_config_mode 'separated' is none of",
    ),
    (
        "DEVICE_METADATA / localhost / docker_routing_config_mode",
        "split",
        "DEVICE_METADATA|localhost: split deletes frr.conf",
    ),
    ("DEVICE_METADATA / localhost / bgp_asn", "None", "bgp_asn 'None' is not a number from 1 to"),
    ("DEVICE_METADATA / localhost / buffer_model", "auto", "buffer_model 'auto' is none of"),
    ("BGP_NEIGHBOR", {"Ethernet4": {"asn": "1"}}, "BGP_NEIGHBOR|Ethernet4: is no address"),
    ("BGP_NEIGHBOR", {"10.0.0.1": {"asn": "0"}}, "BGP_NEIGHBOR|10.0.0.1: asn '0' is not a number"),
    ("BGP_NEIGHBOR", {"10.0.0.1": {}}, "BGP_NEIGHBOR|10.0.0.1: neither asn nor peer_type"),
    (
        "BGP_NEIGHBOR",
        {"default|Ethernet4": {"asn": "1"}},
        "BGP_NEIGHBOR|default|Ethernet4: there is no BGP_GLOBALS|default",
    ),
    # maps and their binding
    ("DSCP_TO_TC_MAP / ROCE / 64", "0", "DSCP_TO_TC_MAP|ROCE: no '64' from 0 to 63"),
    ("DSCP_TO_TC_MAP / ROCE / 07", "0", "DSCP_TO_TC_MAP|ROCE: no '07' from 0 to 63"),
    ("DSCP_TO_TC_MAP / ROCE / 26", GONE, "DSCP_TO_TC_MAP|ROCE: 1 of 64 DSCPs have no class"),
    ("DSCP_TO_TC_MAP / ROCE / 26", "8", "DSCP_TO_TC_MAP|ROCE: 26 '8' is not a number from 0 to 7"),
    ("TC_TO_QUEUE_MAP / ROCE / 3", "10", "TC_TO_QUEUE_MAP|ROCE: 3 '10' is not a number"),
    ("TC_TO_PRIORITY_GROUP_MAP / ROCE / 8", "0", "TC_TO_PRIORITY_GROUP_MAP|ROCE: no '8' from 0"),
    ("MAP_PFC_PRIORITY_TO_QUEUE / ROCE / 8", "0", "MAP_PFC_PRIORITY_TO_QUEUE|ROCE: no '8' from 0"),
    ("TC_TO_QUEUE_MAP / a.b", {"0": "0"}, "TC_TO_QUEUE_MAP|a.b: the name has other signs"),
    ("TC_TO_QUEUE_MAP / " + "x" * 33, {"0": "0"}, "x: the name has other signs"),
    ("PORT_QOS_MAP / Ethernet0 / pfc_enable", "8", "pfc_enable '8' is no list like 3,4"),
    ("PORT_QOS_MAP / Ethernet0 / pfc_enable", "3, 4", "pfc_enable '3, 4' is no list like 3,4"),
    ("PORT_QOS_MAP / Ethernet0 / pfc_enable", ["3"], "pfc_enable ['3'] is no list like 3,4"),
    (
        "PORT_QOS_MAP / Ethernet0 / dscp_to_tc_map",
        "[DSCP_TO_TC_MAP|ROCE]",
        "PORT_QOS_MAP|Ethernet0: dscp_to_tc_map '[DSCP_TO_TC_MAP|ROCE]' is in brackets",
    ),
    ("PORT_QOS_MAP / Ethernet0 / dscp_to_tc_map", "X", "dscp_to_tc_map X does not exist"),
    ("PORT_QOS_MAP / Ethernet0 / tc_to_pg_map", GONE, "Ethernet0: tc_to_pg_map is missing"),
    ("PORT_QOS_MAP / global / dscp_to_tc_map", "X", "PORT_QOS_MAP|global: dscp_to_tc_map X does"),
    ("PORT_QOS_MAP / Ethernet12", GONE, "PORT_QOS_MAP: no row for Ethernet12"),
    ("PORT_QOS_MAP / Ethernet0,Ethernet2", {}, "Ethernet0,Ethernet2: one row names one port"),
    (
        "TC_TO_PRIORITY_GROUP_MAP / ROCE / 3",
        "4",
        "PORT_QOS_MAP|Ethernet0: class 3 has PFC but fills priority group 4",
    ),
    (
        "TC_TO_PRIORITY_GROUP_MAP / ROCE / 0",
        "3",
        "PORT_QOS_MAP|Ethernet0: lossless group 3 carries classes [0] too",
    ),
    (
        "PFC_PRIORITY_TO_PRIORITY_GROUP_MAP / ROCE / 3",
        "4",
        "PORT_QOS_MAP|Ethernet0: PFC 3 pauses for group 4, class 3 fills 3",
    ),
    (
        "MAP_PFC_PRIORITY_TO_QUEUE / ROCE / 3",
        "4",
        "PORT_QOS_MAP|Ethernet0: PFC 3 stops queue 4, class 3 is in queue 3",
    ),
    # watchdog
    ("PFC_WD / GLOBAL / POLL_INTERVAL", "99", "PFC_WD|GLOBAL: POLL_INTERVAL '99' is not a number"),
    ("PFC_WD / GLOBAL / POLL_INTERVAL", "300", "detection_time 200 is below the poll interval 300"),
    ("PFC_WD / Ethernet0 / detection_time", "5001", "detection_time '5001' is not a number from"),
    ("PFC_WD / Ethernet0 / restoration_time", "99", "restoration_time '99' is not a number from"),
    ("PFC_WD / Ethernet0 / action", "Drop", "PFC_WD|Ethernet0: action 'Drop' is none of"),
    ("PFC_WD / Ethernet0 / action", GONE, "PFC_WD|Ethernet0: action is missing"),
    ("PFC_WD / Ethernet0 / POLL_INTERVAL", "100", "PFC_WD|Ethernet0: POLL_INTERVAL stands in the"),
    ("PFC_WD / global", {"POLL_INTERVAL": "100"}, "PFC_WD|global: POLL_INTERVAL stands in the row"),
    ("PFC_WD / Ethernet0", GONE, "PORT_QOS_MAP|Ethernet0: pfcwd_sw_enable without a row in PFC_WD"),
    (
        "PORT_QOS_MAP / Ethernet0 / pfcwd_sw_enable",
        GONE,
        "PFC_WD|Ethernet0: no pfcwd_sw_enable, so nothing is watched",
    ),
    (
        "PORT_QOS_MAP / Ethernet0 / pfcwd_sw_enable",
        "4",
        "PORT_QOS_MAP|Ethernet0: the watchdog is on for a priority without PFC",
    ),
    # schedulers, queues, ECN
    ("SCHEDULER / dwrr.50 / weight", "0", "SCHEDULER|dwrr.50: weight '0' is not a number from 1"),
    ("SCHEDULER / dwrr.50 / weight", "101", "SCHEDULER|dwrr.50: weight '101' is not a number"),
    ("SCHEDULER / strict / type", "strict", "SCHEDULER|strict: type 'strict' is none of"),
    ("SCHEDULER / strict / type", GONE, "SCHEDULER|strict: type is missing"),
    (f"SCHEDULER / {CAPPED} / cir", GONE, f"SCHEDULER|{CAPPED}: pir needs cir"),
    (f"SCHEDULER / {CAPPED} / pir", "9", f"SCHEDULER|{CAPPED}: pir 9 is below cir 1250000000"),
    (f"SCHEDULER / {CAPPED} / meter_type", "B", f"SCHEDULER|{CAPPED}: meter_type 'B' is none of"),
    ("QUEUE / Ethernet0|3 / scheduler", "X", "QUEUE|Ethernet0|3: scheduler X does not exist"),
    ("QUEUE / Ethernet0|3 / wred_profile", "X", "QUEUE|Ethernet0|3: wred_profile X does not exist"),
    ("QUEUE / Ethernet0|3 / wred_profile", GONE, "QUEUE|Ethernet0|3: the lossless queue marks no"),
    ("QUEUE / Ethernet0|3 / scheduler", GONE, "QUEUE|Ethernet0|3: the lossless queue has no sched"),
    ("QUEUE / Ethernet0|99", {"scheduler": "strict"}, "QUEUE|Ethernet0|99: '99' is no number or"),
    ("QUEUE / Ethernet0|0-2", {"scheduler": "strict"}, "QUEUE|Ethernet0|0-2: 0 is covered by Ethe"),
    ("QUEUE / Ethernet1|0", {"scheduler": "strict"}, "QUEUE|Ethernet1|0: there is no port Etherne"),
    (f"WRED_PROFILE / {WRED} / ecn", "on", f"WRED_PROFILE|{WRED}: ecn 'on' is none of"),
    (f"WRED_PROFILE / {WRED} / ecn", GONE, f"WRED_PROFILE|{WRED}: ecn is missing"),
    (f"WRED_PROFILE / {WRED} / ecn", "ecn_none", f"WRED_PROFILE|{WRED}: nothing is marked"),
    (f"WRED_PROFILE / {WRED} / wred_green_enable", GONE, "wred_green_enable is missing"),
    (f"WRED_PROFILE / {WRED} / green_max_threshold", "2M", "green_max_threshold '2M' is not a nu"),
    (f"WRED_PROFILE / {WRED} / green_max_threshold", "9", "green_min_threshold is above green_max"),
    (f"WRED_PROFILE / {WRED} / green_min_threshold", GONE, "green_min_threshold is missing"),
    (f"WRED_PROFILE / {WRED} / green_drop_probability", "101", "green_drop_probability '101' is"),
    ("WRED_PROFILE / a.b", {"ecn": "ecn_all"}, "WRED_PROFILE|a.b: the name has other signs"),
    # buffers
    ("BUFFER_POOL / egress_lossy_pool / type", GONE, "BUFFER_POOL|egress_lossy_pool: type is mis"),
    ("BUFFER_POOL / egress_lossy_pool / mode", "x", "BUFFER_POOL|egress_lossy_pool: mode 'x' is"),
    ("BUFFER_POOL / egress_lossy_pool / size", GONE, "BUFFER_POOL|egress_lossy_pool: size is mis"),
    ("BUFFER_POOL / egress_lossy_pool / percentage", "10", "percentage belongs to the dynamic"),
    (
        "BUFFER_POOL / egress_lossy_pool / size",
        "9",
        "egress_lossy_profile: size is above the 9 byt",
    ),
    (f"BUFFER_PROFILE / {HEADROOM} / pool", GONE, f"BUFFER_PROFILE|{HEADROOM}: pool is missing"),
    (f"BUFFER_PROFILE / {HEADROOM} / size", GONE, f"BUFFER_PROFILE|{HEADROOM}: size is missing"),
    (f"BUFFER_PROFILE / {HEADROOM} / pool", "x", f"BUFFER_PROFILE|{HEADROOM}: pool x does not ex"),
    (
        f"BUFFER_PROFILE / {HEADROOM} / static_th",
        "1",
        "has dynamic_th and static_th; a profile has",
    ),
    (f"BUFFER_PROFILE / {HEADROOM} / dynamic_th", GONE, "has no threshold; a profile has one"),
    (f"BUFFER_PROFILE / {HEADROOM} / dynamic_th", "8", "dynamic_th '8' is not a number from -8 to"),
    (
        "BUFFER_POOL / ingress_lossless_pool / mode",
        "static",
        f"{HEADROOM}: its pool is static, its",
    ),
    (f"BUFFER_PROFILE / {HEADROOM} / xoff", GONE, "BUFFER_PG|Ethernet0|3: the profile has no xoff"),
    ("BUFFER_PG / Ethernet0|3", {}, "BUFFER_PG|Ethernet0|3: profile is missing"),
    ("BUFFER_PG / Ethernet0|3 / profile", "x", "BUFFER_PG|Ethernet0|3: profile x does not exist"),
    ("BUFFER_PG / Ethernet0|3", GONE, "BUFFER_PG|Ethernet0|3: no row for a priority with PFC"),
    ("BUFFER_PG / Ethernet0|8", {"profile": HEADROOM}, "BUFFER_PG|Ethernet0|8: '8' is no number"),
    ("BUFFER_PG / Ethernet0|3-4", {"profile": HEADROOM}, "Ethernet0|3-4: 3 is covered by Ethernet"),
    (
        "BUFFER_PG / Ethernet0,Ethernet2|5",
        {"profile": HEADROOM},
        "BUFFER_PG|Ethernet0,Ethernet2|5: one row names one port",
    ),
    ("BUFFER_QUEUE / Ethernet0|3 / profile", "NULL", "Ethernet0|3: NULL is for priority groups"),
    (
        "BUFFER_QUEUE / Ethernet0|3 / profile",
        "q_lossy_profile",
        "BUFFER_QUEUE|Ethernet0|3: the lossless queue has no such profile",
    ),
    (
        "BUFFER_PORT_INGRESS_PROFILE_LIST / Ethernet0 / profile_list",
        "ingress_lossless_profile,x",
        "BUFFER_PORT_INGRESS_PROFILE_LIST|Ethernet0: profile 'x' does not exist",
    ),
    ("PORT / Ethernet99", {"lanes": "99"}, "BUFFER_PG: no row for Ethernet99"),
    ("PORT / Ethernet99", {"lanes": "99"}, "QUEUE: no row for Ethernet99"),
)
UNIFIED: tuple[Change, ...] = (
    ("BGP_GLOBALS", GONE, "BGP_NEIGHBOR|default|10.254.0.1: there is no BGP_GLOBALS|default"),
    (
        "BGP_NEIGHBOR_AF / default|10.254.0.1|ipv4_unicast",
        GONE,
        "BGP_NEIGHBOR|default|10.254.0.1: is active in no address family",
    ),
    (
        "BGP_NEIGHBOR_AF / default|10.254.0.1|ipv4_unicast / route_map_in",
        GONE,
        "BGP_NEIGHBOR_AF|default|10.254.0.1|ipv4_unicast: no route_map_in",
    ),
    (
        "BGP_NEIGHBOR_AF / default|10.254.0.1|ipv4_unicast / route_map_out",
        "FABRIC-OUT",
        "route_map_out 'FABRIC-OUT' is a list in CONFIG_DB",
    ),
    (
        "BGP_NEIGHBOR_AF / default|10.254.0.1|ipv4_unicast / route_map_out",
        ["X"],
        "route_map_out X does not exist",
    ),
    ("BGP_GLOBALS_AF / default|ipv4_unicast / max_ebgp_paths", GONE, "max_ebgp_paths is missing"),
    (
        "BGP_GLOBALS_AF / default|ipv4_unicast / max_ebgp_paths",
        "257",
        "max_ebgp_paths '257' is not",
    ),
    (
        "ROUTE_REDISTRIBUTE",
        {"default|connected|bgp|ipv4": {}},
        "ROUTE_REDISTRIBUTE|default|connected|bgp|ipv4: announces links between switches",
    ),
    ("ROUTE_MAP / FABRIC-IN|10 / route_operation", GONE, "FABRIC-IN|10: route_operation is missi"),
    ("ROUTE_MAP_SET / FABRIC-IN", GONE, "ROUTE_MAP|FABRIC-IN|10: there is no ROUTE_MAP_SET|FABRIC"),
    ("ROUTE_MAP / FABRIC-IN|x", {"route_operation": "permit"}, "'x' is no number of a statement"),
    ("AS_PATH_SET", GONE, "ROUTE_MAP|FABRIC-OUT|30: match_as_path TRANSIT does not exist"),
    ("PREFIX_SET", GONE, "ROUTE_MAP|FABRIC-OUT|10: match_prefix_set ANNOUNCE-V4 does not exist"),
    ("PREFIX_SET", GONE, "PREFIX|ANNOUNCE-V4|10.0.0.0/30|exact: there is no PREFIX_SET|ANNOUNCE"),
)


BOND: tuple[Change, ...] = (
    ("PORTCHANNEL / PortChannel10 / admin_status", GONE, "PortChannel10: admin_status is missing"),
    ("PORTCHANNEL_MEMBER / PortChannel11|Ethernet0", {}, "there is no PORTCHANNEL|PortChannel11"),
    ("PORTCHANNEL_MEMBER / PortChannel10|Ethernet9", {}, "there is no port Ethernet9"),
    ("PORTCHANNEL_MEMBER / PortChannel11|Ethernet0", {}, "is a member of PortChannel10 too"),
    ("INTERFACE / Ethernet0", {}, "|Ethernet0: Ethernet0 is a router interface"),
    ("PORTCHANNEL_INTERFACE / PortChannel10", GONE, "10.0.0.0/31: there is no row PortChannel10"),
    ("PORTCHANNEL_INTERFACE / PortChannel11", {}, "there is no PORTCHANNEL|PortChannel11"),
)
BOND_VLAN: tuple[Change, ...] = (
    ("VLAN / Vlan100 / vlanid", "101", "VLAN|Vlan100: vlanid '101' is another"),
    ("VLAN_MEMBER / Vlan100|PortChannel10 / tagging_mode", GONE, "tagging_mode is missing"),
    ("VLAN_MEMBER / Vlan100|PortChannel10 / tagging_mode", "access", "'access' is none of"),
    ("VLAN_MEMBER / Vlan7|PortChannel10", {}, "Vlan7|PortChannel10: there is no VLAN|Vlan7"),
    ("VLAN_MEMBER / Vlan100|Ethernet9", {}, "Vlan100|Ethernet9: there is no port Ethernet9"),
    ("PORTCHANNEL_INTERFACE / PortChannel10", {}, "PortChannel10 is a router interface"),
    ("VLAN_MEMBER / Vlan100|Ethernet0", {}, "Ethernet0 is a member of a port-channel"),
    (
        "VLAN_MEMBER / Vlan101|PortChannel10",
        {"tagging_mode": "untagged"},
        "PortChannel10 is untagged in Vlan100 too",
    ),
    ("VLAN_INTERFACE / Vlan100", GONE, "VLAN_INTERFACE|Vlan100|10.0.0.1/24: there is no row"),
    ("VLAN_INTERFACE / Vlan7", {}, "VLAN_INTERFACE|Vlan7: there is no VLAN|Vlan7"),
)
# Ethernet4 and Ethernet8 lead to global cables: RoCE rises from 3 to 4 there.
RISING: tuple[Change, ...] = (
    (
        "TC_TO_DSCP_MAP / ROCE_RISE / 6",
        GONE,
        "TC_TO_DSCP_MAP|ROCE_RISE: class 6 is not named, which some chips mark with DSCP 0",
    ),
    ("TC_TO_DSCP_MAP / ROCE_RISE / 3", "64", "TC_TO_DSCP_MAP|ROCE_RISE: 3 '64' is not a number"),
    ("TC_TO_DSCP_MAP / ROCE_RISE / 8", "0", "TC_TO_DSCP_MAP|ROCE_RISE: no '8' from 0 to 7"),
    (
        "PORT_QOS_MAP / Ethernet4 / tc_to_dscp_map",
        "X",
        "PORT_QOS_MAP|Ethernet4: tc_to_dscp_map X does not exist",
    ),
    (
        "PORT_QOS_MAP / Ethernet4 / tc_to_dscp_map",
        GONE,
        "PORT_QOS_MAP|Ethernet4: PFC 3 stops queue 3, class 3 is in queue 4",
    ),
    (
        "PORT_QOS_MAP / Ethernet4 / tc_to_queue_map",
        "ROCE",
        "PORT_QOS_MAP|Ethernet4: class 3 leaves with DSCP 34 from queue 3, PFC 4 stops queue 4",
    ),
    (
        "MAP_PFC_PRIORITY_TO_QUEUE / ROCE / 4",
        "5",
        "PORT_QOS_MAP|Ethernet8: class 3 leaves with DSCP 34 from queue 4, PFC 4 stops queue 5",
    ),
    (
        "TC_TO_DSCP_MAP / ROCE_RISE / 3",
        "26",
        "PORT_QOS_MAP|Ethernet4: class 3 leaves with DSCP 26 from queue 4, PFC 3 stops queue 3",
    ),
    (
        "BUFFER_QUEUE / Ethernet4|3-4 / profile",
        "q_lossy_profile",
        "BUFFER_QUEUE|Ethernet4|4: the lossless queue has no such profile",
    ),
    ("QUEUE / Ethernet4|4 / wred_profile", GONE, "QUEUE|Ethernet4|4: the lossless queue marks"),
)


def changed(tables: dict[str, Any], path: str, value: object) -> dict[str, Any]:
    """A copy of the tables with one value set, or gone."""
    new = copy.deepcopy(tables)
    *way, last = path.split(" / ")
    place = new
    for step in way:
        place = place.setdefault(step, {})
    if value is GONE:
        del place[last]
    else:
        place[last] = value
    return new


def _found(case: Case, path: str, value: object) -> tuple[str, ...]:
    return check_config(changed(config(case), path, value))


@pytest.mark.parametrize(("path", "value", "sentence"), SPLIT)
def test_one_mistake(path: str, value: object, sentence: str) -> None:
    found = _found(CASES["numbered"], path, value)
    assert any(sentence in line for line in found), found


@pytest.mark.parametrize(("path", "value", "sentence"), UNIFIED)
def test_one_mistake_in_unified_mode(path: str, value: object, sentence: str) -> None:
    found = _found(CASES["unified"], path, value)
    assert any(sentence in line for line in found), found


@pytest.mark.parametrize(
    ("case", "change"),
    [*(("bond", change) for change in BOND), *(("bond-vlan", change) for change in BOND_VLAN)],
)
def test_one_mistake_about_a_bond_or_a_vlan(case: str, change: Change) -> None:
    path, value, sentence = change
    assert check_config(config(CASES[case])) == ()
    found = _found(CASES[case], path, value)
    assert any(sentence in line for line in found), found


@pytest.mark.parametrize(("path", "value", "sentence"), RISING)
def test_one_mistake_where_a_class_rises(path: str, value: object, sentence: str) -> None:
    found = _found(CASES["rise"], path, value)
    assert any(sentence in line for line in found), found


def test_each_rule_has_a_bad_example() -> None:
    fired = set()
    cases = (("numbered", SPLIT), ("unified", UNIFIED), ("bond", BOND), ("bond-vlan", BOND_VLAN))
    for case, changes in cases:
        for path, value, _ in changes:
            tables = changed(config(CASES[case]), path, value)
            fired |= {rule for rule in constraints._RULES if list(rule(tables))}
    assert fired == set(constraints._RULES)


def test_a_config_without_any_table_has_only_its_metadata_missing() -> None:
    assert check_config({}) == ("DEVICE_METADATA|localhost: there is no such row",)


def test_the_dynamic_model_leaves_sizes_to_the_box() -> None:
    tables = config(CASES["numbered"])
    tables["DEVICE_METADATA"]["localhost"]["buffer_model"] = "dynamic"
    del tables["BUFFER_POOL"]["ingress_lossy_pool"]["size"]
    tables["BUFFER_PG"]["Ethernet0|3"]["profile"] = "NULL"
    assert check_config(tables) == ()


def test_the_room_asks_by_files() -> None:
    tables = changed(config(CASES["numbered"]), "PORT / Ethernet0 / fec", "RS")
    assert problems({"config_db.json": json.dumps(tables)}) == (
        "PORT|Ethernet0: fec 'RS' is none of auto, fc, none, rs",
    )
