"""Observed tables against packets walked one address at a time."""

from __future__ import annotations

import ipaddress
import tempfile
from pathlib import Path
from typing import Any

import networkx as nx
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.analysis.deadlock import prove
from fabric.analysis.observed import network_of
from tests.analysis.observed_files import Facts, observed, ports_to, route, wired

NAMES = ("a", "b", "c", "d")
BITS = 4
START = int(ipaddress.ip_address("10.0.0.0"))
ADDRESSES = [ipaddress.IPv4Address(START + n) for n in range(2**BITS)]
Channel = tuple[str, str]


@st.composite
def fabrics(draw: st.DrawFn) -> Facts:
    pairs = [(x, y) for n, x in enumerate(NAMES) for y in NAMES[n + 1 :]]
    cables = draw(st.lists(st.sampled_from(pairs), min_size=3, max_size=6, unique=True))
    facts = wired(NAMES, cables)
    for name in NAMES:
        near = [far for far in NAMES if ports_to(facts, name, far)]
        for _ in range(draw(st.integers(0, 5))):
            length = draw(st.integers(0, BITS))
            first = draw(st.integers(0, 2**length - 1)) << (BITS - length)
            prefix = str(ipaddress.IPv4Network((START + first, 32 - BITS + length)))
            kinds = ["hosts", "discard", "own", *(["route"] * 4 if near else [])]
            match draw(st.sampled_from(kinds)):
                case "hosts" if length < BITS:  # a /32 beside a subnet is the switch's own
                    facts["devices"][name]["routes"][prefix] = {"connected": "Vlan7"}
                case "own":
                    facts["devices"][name]["routes"][prefix] = {"connected": "lo"}
                case "discard":
                    facts["devices"][name]["routes"][prefix] = {"discard": True}
                case "hosts":
                    pass
                case _:
                    hops = draw(st.lists(st.sampled_from(near), min_size=1, unique=True))
                    route(facts, name, prefix, *hops)
    return facts


def _match(facts: Facts, name: str, address: ipaddress.IPv4Address) -> Any:
    routes = facts["devices"][name]["routes"]
    found = [n for n in map(ipaddress.ip_network, routes) if address in n]
    return routes[str(max(found, key=lambda n: n.prefixlen))] if found else {}


def _walked(facts: Facts) -> tuple[set[tuple[Channel, Channel]], set[tuple[str, str]]]:
    """Dependencies between channels; pairs (leaf, address with hosts) without a way."""
    far_end = {
        (name, entry["local_port"]): entry["remote_host"]
        for name in NAMES
        for entry in facts["devices"][name]["neighbors"]
    }
    leaves = [
        n
        for n in NAMES
        if any(r.get("connected") == "Vlan7" for r in facts["devices"][n]["routes"].values())
    ]
    edges, lost = set(), set()
    for address in ADDRESSES:
        at = {name: _match(facts, name, address) for name in NAMES}
        ends = {name: r.get("connected") for name, r in at.items()}
        if "lo" in ends.values() and "Vlan7" not in ends.values():
            continue
        hops = {
            name: [far_end[name, h["interface"]] for h in r.get("next_hops", ())]
            for name, r in at.items()
        }
        waiting = [(leaf, hop) for leaf in leaves for hop in hops[leaf]]
        seen = set(waiting)
        while waiting:
            here = waiting.pop()
            for hop in hops[here[1]]:
                following = (here[1], hop)
                edges.add((here, following))
                if following not in seen:
                    seen.add(following)
                    waiting.append(following)
        owners = [name for name in NAMES if ends[name] == "Vlan7"]
        stops = {name for name in NAMES if ends[name] or "discard" in at[name]}
        graph = nx.DiGraph([(n, hop) for n in NAMES for hop in hops[n]])
        graph.add_nodes_from(NAMES)
        for leaf in leaves:
            reached = {leaf, *nx.descendants(graph, leaf)}
            if owners and owners[0] != leaf and not reached & stops:
                lost.add((leaf, owners[0]))
    return edges, lost


@settings(max_examples=150, deadline=None)
@given(fabrics())
def test_edges_cycles_loops_and_lost_pairs_are_those_of_walked_packets(facts: Facts) -> None:
    with tempfile.TemporaryDirectory() as folder:
        _, found, _ = network_of(observed(Path(folder) / "o.json", facts))
    edges, lost = _walked(facts)
    proof = prove(found)
    assert proof.edges == len(edges)
    assert proof.cbd is not nx.is_directed_acyclic_graph(nx.DiGraph(list(edges)))
    names = found.network.names
    assert {(names[a], names[b]) for a, b in found.unreachable} == lost
    assert proof.cbd or not any(loop.lossless for loop in found.loops)
