"""FRR's BGP peers in text and JSON, by VRF and family."""

from __future__ import annotations

import json

import pytest

from fabric.reading.frr import neighbours_json, summary_json, summary_text

HEAD = """\

IPv4 Unicast Summary (VRF default):
BGP router identifier 192.0.2.9, local AS number 4200000007 vrf-id 0
BGP table version 90
RIB entries 12, using 2304 bytes of memory
Peers 4, using 2896 KiB of memory
Peer groups 1, using 64 bytes of memory

"""
COLUMNS = (
    "Neighbor              V         AS   MsgRcvd MsgSent TblVer  InQ OutQ  Up/Down State/PfxRcd"
)
NEW = COLUMNS + "   PfxSnt Desc\n"


@pytest.mark.parametrize(
    ("rows", "peers"),
    [
        (NEW + "192.0.2.1       4 4200000001  812  811  0    0    0 1d02h03m           0"
         "        9 N/A",
         {"192.0.2.1": {"remote_as": "4200000001", "state": "Established",
                        "prefixes_received": 0}}),
        (NEW + "s1(Ethernet0)   4      65001 812 811 0 0 0 01w0d16h          14"
         "        9 uplink one",
         {"Ethernet0": {"remote_as": "65001", "state": "Established", "prefixes_received": 14}}),
        (NEW + "swp7            4          0    0    0   0    0    0    never         Idle"
         "        0 N/A",
         {"swp7": {"remote_as": "0", "state": "Idle"}}),
        (NEW + "2001:db8::1     4      65009 7 9 0 0 0 00:01:40 Idle (Admin)"
         "        0 old one",
         {"2001:db8::1": {"remote_as": "65009", "state": "Idle", "state_reason": "Admin"}}),
        (NEW + "*192.0.2.40     4      65009 7 9 0 0 0 00:01:40     (Policy)"
         " (Policy) N/A",
         {"192.0.2.40": {"remote_as": "65009", "state": "Established"}}),
        (COLUMNS + " NeighborName\n"
         "192.0.2.6       4      65010 3995 4001 0 0 0 00:39:32         6400 ARISTA1",
         {"192.0.2.6": {"remote_as": "65010", "state": "Established", "prefixes_received": 6400}}),
        (COLUMNS + "\n2001:db8:ffff:ffff::ffff:1\n"
         "                4      65010 3995 4001 0 0 0 00:39:32       Active",
         {"2001:db8:ffff:ffff::ffff:1": {"remote_as": "65010", "state": "Active"}}),
        (NEW, {}),
    ],
)  # fmt: skip
def test_rows_of_the_summary(rows: str, peers: object) -> None:
    reading = summary_text(HEAD + rows + "\n\nTotal number of neighbors 1\n")
    assert reading.facts == {"local_as": "4200000007", "router_id": "192.0.2.9", "peers": peers}
    assert reading.unparsed == ()


def test_of_several_families_the_first_counts() -> None:
    row = "192.0.2.1  4  65001  5  6  0  0  0 00:00:36  {}  4 N/A\n"
    text = (
        HEAD + NEW + row.format(3) + "\nL2VPN EVPN Summary (VRF default):\n" + NEW + row.format(8)
    )
    peers = summary_text(text).facts["peers"]
    assert peers == {
        "192.0.2.1": {"remote_as": "65001", "state": "Established", "prefixes_received": 3}
    }


def test_no_neighbours_is_an_answer() -> None:
    assert summary_text("% No BGP neighbors found in VRF default").facts == {"peers": {}}
    assert summary_text("No IPv4 neighbor is configured").facts == {"peers": {}}


def test_other_systems_summaries_are_not_taken() -> None:
    text = "Router identifier 192.0.2.9, local AS number 65001\n" + COLUMNS
    assert summary_text(text).facts == {}
    assert summary_json('{"vrfs": {"default": {"routerId": "1.1.1.1", "peers": {}}}}').facts == {}


FAMILY = {
    "routerId": "192.0.2.9", "as": 65007, "vrfName": "default",
    "peers": {
        "swp3": {"hostname": "s3", "remoteAs": 65001, "pfxRcd": 0, "state": "Established"},
        "192.0.2.5": {"remoteAs": 65002, "pfxRcd": 4, "state": "Idle (Admin)"},
    },
}  # fmt: skip
FACTS = {
    "router_id": "192.0.2.9",
    "local_as": "65007",
    "peers": {
        "swp3": {"remote_as": "65001", "state": "Established", "prefixes_received": 0,
                 "hostname": "s3"},
        "192.0.2.5": {"remote_as": "65002", "state": "Idle", "state_reason": "Admin"},
    },
}  # fmt: skip


@pytest.mark.parametrize(
    "value",
    [FAMILY, {"ipv4Unicast": FAMILY, "l2VpnEvpn": {}}, {"default": {"ipv4Unicast": FAMILY}}],
)
def test_the_summary_as_json_with_and_without_vrf_and_family(value: object) -> None:
    assert summary_json(json.dumps(value)).facts == FACTS


def test_neighbours_of_all_vrfs() -> None:
    value = {
        "default": {"vrfId": 0, "vrfName": "default", "swp9": {
            "remoteAs": 65010, "bgpState": "Established",
            "addressFamilyInfo": {"ipv4Unicast": {"acceptedPrefixCounter": 12}}}},
        "red": {"vrfId": 5, "vrfName": "red", "192.0.2.77": {
            "remoteAs": 65011, "bgpState": "Connect",
            "addressFamilyInfo": {"IPv4 Unicast": {"acceptedPrefixCounter": 0}}}},
    }  # fmt: skip
    peers = {
        "swp9": {"remote_as": "65010", "state": "Established", "prefixes_received": 12},
        "192.0.2.77": {"remote_as": "65011", "state": "Connect"},
    }
    assert neighbours_json(json.dumps(value)).facts == {"peers": peers}
    assert neighbours_json(json.dumps(value["red"])).facts == {
        "peers": {"192.0.2.77": peers["192.0.2.77"]}
    }


def test_a_vrf_without_neighbours_is_an_answer() -> None:
    value = {"default": {"vrfId": 0, "vrfName": "default"}}
    assert neighbours_json(json.dumps(value)).facts == {"peers": {}}
    assert neighbours_json('{"a": 1}').facts == {}
