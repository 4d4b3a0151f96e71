"""Certificates: what they say of known fabrics, and that the exact path never contradicts one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import flow
from fabric.analysis import priorities
from fabric.analysis.certificate import turn_certificate
from fabric.analysis.deadlock import prove
from fabric.analysis.network import of_topology
from fabric.analysis.routing.bgp import BgpRules, bgp
from fabric.analysis.routing.shortest import spf
from fabric.analysis.valleys import valley_certificate
from fabric.model.qos import Rise
from fabric.model.underlay import Community, Denial, RoutePolicy, Tag
from tests.checks.designs import design
from tests.design.graphs import Graph, Node, intent

if TYPE_CHECKING:
    from fabric.model.topology import Topology
    from fabric.model.underlay import Underlay

INVENTORIES = Path(__file__).resolve().parents[2] / "inventories"
CERTIFIED = {
    "64node": "edge-agg up, agg-core up, agg-core down, edge-agg down, host",
    "64node-rail": "leaf-spine up, leaf-spine down, host",
    "1024gpu-mixed": "leaf-spine up, leaf-spine down, host",
    "leafspine-lab": "leaf-spine up, leaf-spine down, host",
    "ipv6-leafspine": "leaf-spine up, leaf-spine down, host",
    "dragonfly128": (
        "local (priority step 0), global (priority step 1), local (priority step 1), host"
    ),
}
MARK, OTHER = Community("M", "64999:1"), Community("N", "64999:2")


@pytest.mark.parametrize("name", CERTIFIED)
def test_examples_are_certified_for_every_failure(name: str) -> None:
    made = flow.load(INVENTORIES / f"{name}.yaml")
    found = turn_certificate(made.topology, made.underlay, made.intent.roce.rise)
    assert found is not None
    assert found.survives_failures
    assert f"in one order only: {CERTIFIED[name]}." in " ".join(found.argument)


def test_a_ring_has_none() -> None:
    made = flow.load(INVENTORIES / "ring4.yaml")
    assert turn_certificate(made.topology, made.underlay) is None
    assert valley_certificate(made.topology) is None


def test_above_the_last_step_nothing_waits() -> None:
    made = flow.load(INVENTORIES / "ring4.yaml")
    found = turn_certificate(made.topology, made.underlay, Rise(("same-tier",), ("roce", "raised")))
    assert found is not None
    assert "in one order only: same-tier, host." in " ".join(found.argument)


def test_a_dragonfly_needs_its_rise_and_its_policies() -> None:
    made = flow.load(INVENTORIES / "dragonfly128.yaml")
    assert turn_certificate(made.topology, made.underlay) is None
    plain = replace(
        made.underlay, speakers=tuple(replace(s, policy=None) for s in made.underlay.speakers)
    )
    assert turn_certificate(made.topology, plain, made.intent.roce.rise) is None


def _variant(name: str, **changes: object) -> tuple[Topology, Underlay]:
    made = flow.load(INVENTORIES / f"{name}.yaml")
    speakers = tuple(replace(s, **changes) for s in made.underlay.speakers)  # type: ignore[arg-type]
    return made.topology, replace(made.underlay, speakers=speakers)


def test_a_fat_tree_loses_it_with_allowas_in() -> None:
    assert turn_certificate(*_variant("64node", allowas_in=1)) is None


def test_a_fat_tree_loses_it_when_aggregations_have_numbers_of_their_own() -> None:
    made = flow.load(INVENTORIES / "64node.yaml")
    speakers = tuple(
        replace(s, asn=4_210_000_000 + n) if s.device.startswith("agg") else s
        for n, s in enumerate(made.underlay.speakers)
    )
    assert turn_certificate(made.topology, replace(made.underlay, speakers=speakers)) is None


def test_valleys_of_one_state() -> None:
    graph = Graph(kind="explicit")
    graph.switches += [Node(f"l{n}", "leaf", 0) for n in range(4)]
    graph.switches += [Node(f"s{n}", "spine", 1) for n in range(2)]
    graph.cables += [(f"l{n}", f"s{s}", 1) for n in range(4) for s in range(2)]
    graph.hosts += [(f"h{n}", (f"l{n}",)) for n in range(4)]
    topology = graph.topology()
    assert valley_certificate(topology) is not None
    assert valley_certificate(topology, {"l0:s1:1"}) is not None
    assert valley_certificate(topology, {"l0:s1:1", "l1:s0:1"}) is None
    assert valley_certificate(topology, {"l0:s1:1", "l1:s0:1"}, {"l1"}) is not None
    graph.cables.append(("l0", "l1", 1))
    assert valley_certificate(graph.topology()) is None


@st.composite
def _fabrics(draw: st.DrawFn) -> tuple[Topology, Underlay, Rise | None]:
    """Two or three tiers, cables within them too, ASNs shared at random, policies of chance."""
    tiers = draw(st.lists(st.integers(1, 4), min_size=2, max_size=3))
    nodes = [Node(f"t{t}n{n}", "switch", t) for t, many in enumerate(tiers) for n in range(many)]
    graph = Graph(switches=nodes)
    likely = [(a, b) for a in nodes for b in nodes if b.tier == a.tier + 1]
    odd = [(a, b) for a in nodes for b in nodes if a.tier == b.tier and a.name < b.name]
    chosen = [pair for pair in likely if draw(st.integers(0, 3))]
    chosen += [pair for pair in odd if not draw(st.integers(0, 7))]
    graph.cables += [(a.name, b.name, draw(st.integers(1, 2))) for a, b in chosen]
    graph.hosts += [(f"h{n.name}", (n.name,)) for n in nodes if n.tier == 0]
    topology = graph.topology()
    tier = {node.name: node.tier for node in nodes}
    links = tuple(
        replace(link, kind=f"{tier[link.a.device]}{tier[link.b.device]}")
        if len(link.a.device) == len(link.b.device)
        else link
        for link in topology.links
    )
    topology = replace(topology, links=links)
    made = design(intent(asn_scheme="unique"), topology)
    kinds = sorted({link.kind for link in topology.fabric_links})
    policies = [None, *(draw(_policies(kinds)) for _ in range(2))] if kinds else [None]
    speakers = tuple(
        replace(
            s,
            asn=65000 + draw(st.integers(0, len(nodes))),
            allowas_in=int(not draw(st.integers(0, 9))),
            policy=policies[draw(st.integers(0, len(policies) - 1))],
        )
        for s in made.underlay.speakers
    )
    rise = None
    raises = draw(st.booleans())
    if kinds and raises:
        rise = Rise((draw(st.sampled_from(kinds)),), ("roce", "roce-raised"))
    return topology, replace(made.underlay, speakers=speakers), rise


@st.composite
def _policies(draw: st.DrawFn, kinds: list[str]) -> RoutePolicy:
    marks = st.sampled_from((MARK, OTHER))
    tagged = draw(st.lists(st.sampled_from(kinds), unique=True))
    kept = draw(st.lists(st.sampled_from(kinds), unique=True))
    tags = [Tag(kind, draw(marks), alone=draw(st.booleans())) for kind in tagged]
    return RoutePolicy(tuple(tags), tuple(Denial(kind, draw(marks)) for kind in kept))


@settings(max_examples=300)
@given(_fabrics(), st.data())
def test_a_certificate_is_never_contradicted(
    fabric: tuple[Topology, Underlay, Rise | None], data: st.DataObject
) -> None:
    topology, underlay, rise = fabric
    found = turn_certificate(topology, underlay, rise)
    if found is None:
        return
    ids = [link.id for link in topology.fabric_links]
    whole = of_topology(topology)
    rules = BgpRules.of(underlay, whole)
    for _ in range(3):
        cut = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
        state = whole.without(cut)
        rising = (
            priorities.on_kinds(state, rise.kinds, levels=len(rise.steps))
            if rise
            else priorities.none(state)
        )
        assert not prove(bgp(state, rules), rising).cbd


@settings(max_examples=200)
@given(_fabrics(), st.data())
def test_no_valley_means_no_cycle(
    fabric: tuple[Topology, Underlay, Rise | None], data: st.DataObject
) -> None:
    topology, _, _ = fabric
    ids = [link.id for link in topology.fabric_links]
    cut = data.draw(st.lists(st.sampled_from(ids), unique=True)) if ids else []
    if valley_certificate(topology, cut) is not None:
        assert not prove(spf(of_topology(topology).without(cut))).cbd
