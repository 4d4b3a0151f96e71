"""FRR's routes: what is selected and in the FIB, of the default VRF, in text and JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fabric.reading.frr import routes_json, routes_text

if TYPE_CHECKING:
    from fabric.model.reading import Facts

LEGEND = """\
Codes: K - kernel route, C - connected, L - local, S - static,
       R - RIP, O - OSPF, I - IS-IS, B - BGP, E - EIGRP, N - NHRP,
       > - selected route, * - FIB route, q - queued, r - rejected, b - backup
       t - trapped, o - offload failure

"""


def _ways(facts: Facts) -> dict[str, object]:
    """Routes without their protocols."""
    routes = facts.get("routes")
    assert isinstance(routes, dict)
    return {
        prefix: {key: value for key, value in route.items() if key != "protocol"}
        for prefix, route in routes.items()
        if isinstance(route, dict)
    }


@pytest.mark.parametrize(
    ("lines", "routes"),
    [
        ("C>* 192.0.2.0/31 is directly connected, Ethernet0, 3d04h11m",
         {"192.0.2.0/31": {"connected": "Ethernet0"}}),
        (("L>* 192.0.2.0/32 is directly connected, Ethernet0, 01:02:03\n"
         "K * 192.0.2.0/32 [0/0] is directly connected, eth9, 01:02:03"),
         {"192.0.2.0/32": {"connected": "Ethernet0"}}),
        (("B>* 198.51.100.0/24 [20/0] via fe80::1, swp51, weight 1, 01w2d03h\n"
         "  *                          via fe80::2, swp52 onlink, weight 1, 01w2d03h\n"
         "                             via fe80::3, swp53 inactive, weight 1, 01w2d03h\n"
             "                             via fe80::4, swp54, weight 1, 01w2d03h"),
         {"198.51.100.0/24": {"next_hops": [{"via": "fe80::1", "interface": "swp51"},
                                            {"via": "fe80::2", "interface": "swp52"}]}}),
        (("B>  203.0.113.0/24 [200/0] via 192.0.2.99 (recursive), weight 1, 00:00:09\n"
         "  *                         via 192.0.2.1, eth1, weight 1, 00:00:09"),
         {"203.0.113.0/24": {"next_hops": [{"via": "192.0.2.1", "interface": "eth1"}]}}),
        (("O   192.0.2.0/31 [110/10] is directly connected, eth5, weight 1, 00:10:00\n"
         "C>* 192.0.2.0/31 is directly connected, eth1, 00:10:00"),
         {"192.0.2.0/31": {"connected": "eth1"}}),
        ("S>* 10.0.0.0/8 [1/0] unreachable (blackhole), weight 1, 00:00:10",
         {"10.0.0.0/8": {"next_hops": [], "discard": "blackhole"}}),
        ("S>* 10.0.0.0/8 [1/0] is directly connected, Null0, bh, 00:00:10",
         {"10.0.0.0/8": {"next_hops": [], "discard": "blackhole"}}),
        (("B>q 10.2.0.0/16 [20/0] via 192.0.2.1, eth1, weight 1, 00:00:01\n"
         "  q                    via 192.0.2.3, eth2, weight 1, 00:00:01"),
         {"10.2.0.0/16": {"next_hops": [{"via": "192.0.2.1", "interface": "eth1"},
                                        {"via": "192.0.2.3", "interface": "eth2"}]}}),
        (("K>* 0.0.0.0/0 [0/202] via 10.9.9.1, eth0, src 10.9.9.7, 00:01:00\n\nVRF mgmt:\n"
         "K>* 10.7.0.0/16 [0/0] via 10.9.8.1, eth1, 00:01:00"),
         {"0.0.0.0/0": {"next_hops": [{"via": "10.9.9.1", "interface": "eth0"}]}}),
        ("B>* 2001:db8:5::/64 [20/0] via fe80::aa, Ethernet4, weight 1, 00:00:35",
         {"2001:db8:5::/64": {"next_hops": [{"via": "fe80::aa", "interface": "Ethernet4"}]}}),
        ("O[12]>* 10.5.0.0/24 [110/2] via 192.0.2.8, bond1 (vrf blue), weight 1, 00:00:35",
         {"10.5.0.0/24": {"next_hops": [{"via": "192.0.2.8", "interface": "bond1"}]}}),
        ("", {}),
    ],
)  # fmt: skip
def test_the_table_as_text(lines: str, routes: object) -> None:
    reading = routes_text(LEGEND + lines)
    assert _ways(reading.facts) == routes
    assert reading.unparsed == ()


def test_the_legend_comes_again_before_a_default_vrf_without_a_title() -> None:
    red = "\nVRF red:\nC>* 192.0.2.0/24 is directly connected, red, 01:58:48\n"
    text = LEGEND + red + LEGEND + "C>* 192.0.2.128/25 is directly connected, swp1, 01:58:48\n"
    assert _ways(routes_text(text).facts) == {"192.0.2.128/25": {"connected": "swp1"}}


def test_the_lines_alone_are_known_by_the_mark_of_the_selected_route() -> None:
    line = "B>* 10.0.0.0/8 [20/0] via 192.0.2.1, swp1, weight 1, 00:00:35"
    assert routes_text(line).facts["routes"]


@pytest.mark.parametrize(
    "text",
    [
        "Codes: C - connected, S - static\nS*    0.0.0.0/0 [1/0] via 10.0.0.1",
        " B E      10.1.0.0/24 [200/0] via 10.0.0.1, Ethernet1",
        "default via 10.0.0.1 dev eth0",
    ],
)
def test_other_systems_tables_are_not_taken(text: str) -> None:
    assert routes_text(text).facts == {}


def test_the_letter_tells_the_protocol() -> None:
    lines = (
        "C>* 192.0.2.0/31 is directly connected, swp1, 00:00:35\n"
        "B>* 10.0.0.0/8 [20/0] via 192.0.2.1, swp1, weight 1, 00:00:35\n"
        "O[3]>* 10.1.0.0/16 [110/2] via 192.0.2.1, swp1, weight 1, 00:00:35\n"
        "K>* 0.0.0.0/0 [0/0] via 192.0.2.1, swp1, 00:00:35\n"
    )
    routes = routes_text(LEGEND + lines).facts["routes"]
    assert isinstance(routes, dict)
    told = [route["protocol"] for route in routes.values() if isinstance(route, dict)]
    assert told == ["connected", "bgp", "ospf", "kernel"]


def test_odd_lines_are_told() -> None:
    assert routes_text(LEGEND + "B>* what is this").unparsed == ("B>* what is this",)


def _entry(*hops: dict[str, object], **more: object) -> dict[str, object]:
    return {"protocol": "bgp", "selected": True, "nexthops": list(hops), **more}


@pytest.mark.parametrize(
    ("value", "routes"),
    [
        ({"10.1.0.0/24": [_entry({"ip": "10.9.0.1", "interfaceName": "e1", "fib": True},
                                 {"ip": "10.9.0.3", "interfaceName": "e2", "active": False},
                                 {"ip": "10.9.0.5", "interfaceName": "e3", "fib": True})]},
         {"10.1.0.0/24": {"next_hops": [{"via": "10.9.0.1", "interface": "e1"},
                                        {"via": "10.9.0.5", "interface": "e3"}]}}),
        ({"10.1.0.0/24": [
            {"protocol": "ospf", "nexthops": [{"interfaceName": "e7", "directlyConnected": True}]},
            _entry({"interfaceName": "e8", "directlyConnected": True, "fib": True})]},
         {"10.1.0.0/24": {"connected": "e8"}}),
        ({"10.1.0.0/24": [_entry({"ip": "10.9.0.1", "recursive": True, "fib": True},
                                 {"ip": "10.9.0.2", "interfaceName": "e1", "fib": True})]},
         {"10.1.0.0/24": {"next_hops": [{"via": "10.9.0.2", "interface": "e1"}]}}),
        ({"10.1.0.0/24": [_entry({"unreachable": True, "blackhole": True, "fib": True})]},
         {"10.1.0.0/24": {"next_hops": [], "discard": "blackhole"}}),
        ({"10.1.0.0/24": [_entry({"ip": "10.9.0.1", "fib": True}, vrfName="red")],
          "10.2.0.0/24": [_entry({"ip": "10.9.0.1", "fib": True}, vrfName="default")]},
         {"10.2.0.0/24": {"next_hops": [{"via": "10.9.0.1"}]}}),
        ({"10.1.0.0/24": [_entry({"ip": "10.9.0.1", "fib": True}, vrfId=9)],
          "10.2.0.0\\/24": [_entry({"ip": "10.9.0.1", "fib": True}, vrfId=0)]},
         {"10.2.0.0/24": {"next_hops": [{"via": "10.9.0.1"}]}}),
        ({"default": {"10.2.0.0/24": [_entry({"ip": "10.9.0.1", "fib": True})]},
          "red": {"10.3.0.0/24": [_entry({"ip": "10.9.0.1", "fib": True})]}},
         {"10.2.0.0/24": {"next_hops": [{"via": "10.9.0.1"}]}}),
        ({}, {}),
    ],
)  # fmt: skip
def test_the_table_as_json(value: object, routes: object) -> None:
    assert _ways(routes_json(json.dumps(value)).facts) == routes


def test_one_object_for_each_vrf() -> None:
    tables = [
        {"10.1.0.0/24": [_entry({"ip": "10.9.0.1", "fib": True}, vrfName=name)]}
        for name in ("blue", "default")
    ]
    text = "\n".join(json.dumps(table) for table in tables)
    assert _ways(routes_json(text).facts) == {"10.1.0.0/24": {"next_hops": [{"via": "10.9.0.1"}]}}


def test_vrfs_without_names_are_not_mixed() -> None:
    tables = [{"0.0.0.0/0": [_entry({"ip": via, "fib": True})]} for via in ("10.9.0.1", "10.8.0.1")]
    reading = routes_json("".join(json.dumps(table) for table in tables))
    assert _ways(reading.facts) == {"0.0.0.0/0": {"next_hops": [{"via": "10.9.0.1"}]}}
    assert len(reading.unparsed) == 1


@pytest.mark.parametrize("text", ['{"vrfs": {"default": {"routes": {}}}}', "[1]", "no", ""])
def test_other_json_is_not_taken(text: str) -> None:
    assert routes_json(text).facts == {}
