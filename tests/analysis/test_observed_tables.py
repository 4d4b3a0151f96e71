"""Longest match, dead prefixes, loops, interfaces of all sorts: by hand on small fabrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.analysis.deadlock import prove
from fabric.analysis.observed import network_of
from fabric.analysis.observed_verdict import verdict
from tests.analysis.observed_files import Facts, hosts, observed, ports_to, route, wired

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.analysis.observed import ObservedForwarding


def _read(tmp_path: Path, facts: Facts) -> ObservedForwarding:
    return network_of(observed(tmp_path / "o.json", facts))[1]


def _notes(tmp_path: Path, facts: Facts) -> str:
    return "\n".join(network_of(observed(tmp_path / "o.json", facts))[2])


def _leaf_spine() -> Facts:
    """Two leaves, two spines; l0 has 10.0.0.0/24, l1 has 10.0.1.0/24."""
    pairs = [(leaf, spine) for leaf in ("l0", "l1") for spine in ("s0", "s1")]
    facts = wired(["l0", "l1", "s0", "s1"], pairs)
    for n, far in ((0, "l1"), (1, "l0")):
        hosts(facts, f"l{n}", f"10.0.{n}.0/24")
        route(facts, far, f"10.0.{n}.0/24", "s0", "s1")
        for spine in ("s0", "s1"):
            route(facts, spine, f"10.0.{n}.0/24", f"l{n}")
    return facts


def test_an_aggregate_without_a_discard_route_loops_dead_prefixes(tmp_path: Path) -> None:
    """l0 announces 10.0.0.0/23 of which it has the half; its default leads up again."""
    facts = wired(["l0", "l1", "s0"], [("l0", "s0"), ("l1", "s0")])
    hosts(facts, "l0", "10.0.0.0/24")
    hosts(facts, "l1", "10.9.0.0/24")
    for device in ("l0", "l1"):
        route(facts, device, "0.0.0.0/0", "s0")
    route(facts, "s0", "10.0.0.0/23", "l0")
    route(facts, "s0", "10.9.0.0/24", "l1")
    found = _read(tmp_path, facts)
    (loop,) = found.loops
    assert loop.prefixes == ("10.0.0.0/23 (less one longer prefix)",)
    assert (loop.dead, loop.lossless, loop.of) == (True, True, 1)
    assert {(s.sender, s.receiver, s.link) for s in loop.steps} == {
        ("l0", "s0", "l0:s0:1"),
        ("s0", "l0", "l0:s0:1"),
    }
    assert {(s.sender, s.sender_port) for s in loop.steps} == {
        ("l0", "Ethernet0"),
        ("s0", "Ethernet0"),
    }
    proof = prove(found)
    assert (proof.cbd, proof.largest_scc) == (True, 2)
    answer = verdict(observed(tmp_path / "o.json", facts))
    assert [step.destination for step in answer.verdict.cycle] == [loop.prefixes[0]] * 2

    facts["devices"]["l0"]["routes"]["10.0.0.0/23"] = {"discard": True}  # the cure
    mended = _read(tmp_path, facts)
    assert (mended.loops, prove(mended).cbd) == ((), False)


def test_halves_that_cover_a_default_leave_it_no_address(tmp_path: Path) -> None:
    facts = wired(["l0", "l1"], [("l0", "l1")])
    hosts(facts, "l0", "0.0.0.0/1")
    hosts(facts, "l1", "128.0.0.0/1")
    route(facts, "l0", "128.0.0.0/1", "l1")
    route(facts, "l1", "0.0.0.0/1", "l0")
    route(facts, "l0", "0.0.0.0/0", "l1")
    route(facts, "l1", "0.0.0.0/0", "l0")  # would loop if it had an address of its own
    found = _read(tmp_path, facts)
    assert (found.loops, prove(found).cbd) == ((), False)


def test_a_loop_of_addresses_of_switches_alone_is_no_cbd(tmp_path: Path) -> None:
    facts = _leaf_spine()
    facts["devices"]["l1"]["routes"]["10.255.0.1/32"] = {"connected": "Loopback0"}
    route(facts, "s0", "10.255.0.1/32", "l0")
    route(facts, "l0", "10.255.0.1/32", "s0")
    found = _read(tmp_path, facts)
    (loop,) = found.loops
    assert (loop.prefixes, loop.dead, loop.lossless) == (("10.255.0.1/32",), False, False)
    assert prove(found).cbd is False


def test_the_first_of_equal_ways_that_is_lost_does_not_hide_the_other(tmp_path: Path) -> None:
    facts = _leaf_spine()
    del facts["devices"]["s0"]["routes"]["10.0.1.0/24"]  # s0 drops, s1 delivers
    assert _read(tmp_path, facts).unreachable == ()
    del facts["devices"]["s1"]["routes"]["10.0.1.0/24"]
    found = _read(tmp_path, facts)
    assert [(found.network.names[a], found.network.names[b]) for a, b in found.unreachable] == [
        ("l0", "l1")
    ]


def test_ipv6_and_ipv4_prefixes_do_not_mix(tmp_path: Path) -> None:
    facts = _leaf_spine()
    hosts(facts, "l0", "2001:db8::/64")
    route(facts, "l1", "::/0", "s0")
    route(facts, "s0", "2001:db8::/64", "l0")
    route(facts, "s0", "::/0", "s1" if ports_to(facts, "s0", "s1") else "l1")
    found = _read(tmp_path, facts)
    (loop,) = found.loops  # l1 and s0 for what is not 2001:db8::/64
    assert loop.prefixes == ("::/0 (less one longer prefix)",)
    assert all("." not in name for name in loop.prefixes)


def test_the_defaults_of_management_leave_the_fabric(tmp_path: Path) -> None:
    facts = _leaf_spine()
    for device in facts["devices"].values():
        device["routes"]["0.0.0.0/0"] = {
            "protocol": "static",
            "next_hops": [{"via": "192.0.2.1", "interface": "eth0"}],
        }
        device["routes"]["192.0.2.0/24"] = {"connected": "eth0"}
        device["neighbors"].append(
            {"local_port": "eth0", "remote_host": "l0", "remote_port": "eth0"}
        )
    found = _read(tmp_path, facts)
    assert found.network.leaves.tolist() == [0, 1]  # the management subnet makes nobody a leaf
    assert (found.loops, prove(found).edges) == ((), 4)
    assert "management" in _notes(tmp_path, facts)


def test_host_routes_over_a_port_and_prefixes_in_a_vlan(tmp_path: Path) -> None:
    facts = wired(["l0", "l1"], [("l0", "l1")])
    facts["devices"]["l0"]["routes"]["10.0.0.5/32"] = {
        "protocol": "kernel",
        "next_hops": [{"interface": "Ethernet8"}],
    }
    route(facts, "l1", "10.0.0.5/32", "l0")
    hosts(facts, "l1", "10.0.1.0/24", "Vlan10")
    facts["devices"]["l1"]["routes"]["10.0.1.1/32"] = {"connected": "Vlan10", "protocol": "local"}
    route(facts, "l0", "10.0.1.0/24", "l1")
    found = _read(tmp_path, facts)
    assert sorted(found.network.names[n] for n in found.destinations if n >= 0) == ["l0", "l1"]
    assert found.network.leaves.tolist() == [0, 1]
    assert found.unreachable == ()


def test_a_port_channel_and_a_subinterface_lead_where_their_ports_do(tmp_path: Path) -> None:
    facts = wired(["l0", "l1"], [("l0", "l1"), ("l0", "l1")])
    hosts(facts, "l0", "10.0.0.0/24")
    hosts(facts, "l1", "10.0.1.0/24")
    facts["devices"]["l0"]["members"] = {"PortChannel1": ["Ethernet0", "Ethernet1"]}
    for device, prefix, port in (
        ("l0", "10.0.1.0/24", "PortChannel1"),
        ("l1", "10.0.0.0/24", "Ethernet1.100"),
    ):
        facts["devices"][device]["routes"][prefix] = {"next_hops": [{"interface": port}]}
    found = _read(tmp_path, facts)
    used = found.rows.any(axis=1)
    names = found.network.names
    tails = [names[n] for n in found.network.tail[used]]
    assert sorted(tails) == ["l0", "l0", "l1"]  # both cables there, one back


def test_a_next_hop_without_an_interface_is_looked_up(tmp_path: Path) -> None:
    facts = wired(["l0", "l1"], [("l0", "l1")])
    hosts(facts, "l0", "10.0.0.0/24")
    hosts(facts, "l1", "10.0.1.0/24")
    facts["devices"]["l0"]["routes"] |= {
        "10.254.0.0/31": {"connected": "Ethernet0"},
        "10.255.0.1/32": {"next_hops": [{"via": "10.254.0.1"}]},
        "10.0.1.0/24": {"protocol": "bgp", "next_hops": [{"via": "10.255.0.1"}]},
        "10.0.2.0/24": {"protocol": "static", "next_hops": [{"via": "172.31.0.1"}]},
    }
    found = _read(tmp_path, facts)
    assert found.next_switches("l0", "l1") == {"l1"}
    assert "172.31.0.1" in _notes(tmp_path, facts)


def test_what_leads_to_nobody_known_is_said(tmp_path: Path) -> None:
    facts = _leaf_spine()
    facts["devices"]["s0"]["routes"]["0.0.0.0/0"] = {
        "protocol": "bgp",
        "next_hops": [{"via": "198.51.100.1", "interface": "Ethernet9"}],
    }
    notes = _notes(tmp_path, facts)
    assert "s0 Ethernet9" in notes
    assert "taken to leave the fabric" in notes
    # Packets may come in where they leave.
    assert _read(tmp_path, facts).network.leaves.tolist() == [0, 1, 2]
    facts["devices"]["s0"]["leaf"] = False
    assert _read(tmp_path, facts).network.leaves.tolist() == [0, 1]


def test_leaf_false_and_true_overrule_what_prefixes_say(tmp_path: Path) -> None:
    facts = _leaf_spine()
    facts["devices"]["s0"]["routes"]["198.51.100.0/31"] = {"connected": "Ethernet9"}
    assert _read(tmp_path, facts).network.leaves.tolist() == [0, 1, 2]
    facts["devices"]["s0"]["leaf"] = False
    facts["devices"]["s1"]["leaf"] = True
    assert _read(tmp_path, facts).network.leaves.tolist() == [0, 1, 3]


def test_other_vrfs_are_left_out_and_said(tmp_path: Path) -> None:
    facts = _leaf_spine()
    facts["devices"]["l0"]["vrfs"] = {"Vrf_storage": {"routes": {"0.0.0.0/0": "anything"}}}
    assert "Vrf_storage" in _notes(tmp_path, facts)


def test_an_address_of_a_switch_inside_a_host_prefix_stays_in_the_proof(tmp_path: Path) -> None:
    """l0 has hosts there; to all but s0, which took one address of them, it is an address alike."""
    facts = _leaf_spine()
    facts["devices"]["s0"]["routes"]["10.0.0.7/32"] = {"connected": "Loopback0"}
    assert ("10.0.0.7/32",) in _read(tmp_path, facts).prefixes


def test_prefixes_of_one_circle_are_one_loop_whoever_leads_into_it(tmp_path: Path) -> None:
    facts = _leaf_spine()
    for prefix in ("172.16.0.0/16", "172.17.0.0/16"):
        route(facts, "l0", prefix, "s0")
        route(facts, "s0", prefix, "l0")
    route(facts, "l1", "172.17.0.0/16", "s0")
    (loop,) = _read(tmp_path, facts).loops
    assert loop.prefixes == ("172.16.0.0/16", "172.17.0.0/16")
