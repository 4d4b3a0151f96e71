"""The tables of a plan, written as observed facts and read back, give the verdict of the plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pytest

from fabric import flow
from fabric.analysis import priorities
from fabric.analysis.deadlock import prove
from fabric.analysis.network import Network, Node, numbered, of_topology
from fabric.analysis.observed import network_of
from fabric.analysis.routing import dragonfly
from fabric.analysis.routing.bgp import BgpRules, bgp
from fabric.analysis.routing.shortest import spf
from tests.analysis.observed_files import observed, of_plan

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.analysis.deadlock import Proof
    from fabric.analysis.forwarding import Forwarding

RING4 = """{
  kind: explicit,
  switches: [
    {name: r0, tier: 0, endpoints: 1}, {name: r1, tier: 0, endpoints: 1},
    {name: r2, tier: 0, endpoints: 1}, {name: r3, tier: 0, endpoints: 1}],
  cables: [{a: r0, b: r1}, {a: r1, b: r2}, {a: r2, b: r3}, {a: r3, b: r0}]}"""
LS42 = "{kind: leaf-spine, leaves: 4, spines: 2}"
LS32 = "{kind: leaf-spine, leaves: 3, spines: 2}"
FT4 = "{kind: fat-tree, k: 4}"
DF = "{kind: dragonfly, p: 2, a: 4, h: 2, g: 9}"
LS_CUTS = ("leaf-0:spine-1:1", "leaf-1:spine-0:1")


class Row(NamedTuple):
    """A row of validation.md 1.5 under spf; ``None``: not stated there."""

    topology: str
    cuts: tuple[str, ...]
    cbd: bool
    edges: int | None = None
    scc: int | None = None


SPF = [
    Row(LS42, (), cbd=False, edges=24, scc=0),
    Row(LS32, LS_CUTS, cbd=False, scc=0),
    Row(LS42, LS_CUTS, cbd=True, scc=4),
    Row(LS42, LS_CUTS[:1], cbd=False),
    Row(FT4, (), cbd=False, edges=128, scc=0),
    Row(FT4, ("agg-0-0:edge-0-0:1", "agg-0-1:edge-0-1:1"), cbd=True, scc=48),
    Row(FT4, ("agg-0-0:edge-0-0:1", "agg-1-1:edge-1-0:1"), cbd=True),
    Row(RING4, (), cbd=True, scc=4),
    Row(DF, (), cbd=True, edges=480),
]


def _network(tmp_path: Path, topology: str, cuts: tuple[str, ...] = ()) -> Network:
    path = tmp_path / "t.yaml"
    path.write_text(f"fabric: t\ntopology: {topology}\n", encoding="utf-8")
    return of_topology(flow.load(path).topology).without(cuts)


def _again(tmp_path: Path, network: Network, forwarding: Forwarding) -> Forwarding:
    facts = of_plan(network, forwarding)
    for name, tier, group in zip(
        network.names, network.tier.tolist(), network.group.tolist(), strict=True
    ):
        if tier >= 0:
            facts["devices"][name]["tier"] = tier
        if group >= 0:
            facts["devices"][name]["dragonfly_group"] = network.group_names[group]
    _, found, _ = network_of(observed(tmp_path / "observed.json", facts))
    return found


def _same(one: Proof, two: Proof) -> bool:
    return (one.cbd, one.edges, one.largest_scc, one.priorities) == (
        two.cbd,
        two.edges,
        two.largest_scc,
        two.priorities,
    ) and sorted(one.component_sizes.tolist()) == sorted(two.component_sizes.tolist())


@pytest.mark.parametrize("row", SPF)
def test_observed_tables_give_the_verdict_of_the_plan(tmp_path: Path, row: Row) -> None:
    network = _network(tmp_path, row.topology, row.cuts)
    direct = spf(network)
    found = _again(tmp_path, network, direct)
    proof = prove(found)
    assert proof.cbd is row.cbd
    assert row.edges in {None, proof.edges}
    assert row.scc in {None, proof.largest_scc}
    assert _same(proof, prove(direct))
    assert len(found.unreachable) == len(direct.unreachable) == 0


def test_dragonfly_minimal_tables_and_their_cure(tmp_path: Path) -> None:
    network = _network(tmp_path, DF)
    direct = dragonfly.minimal(network)
    found = _again(tmp_path, network, direct)
    proof = prove(found)
    assert (proof.cbd, proof.edges, proof.largest_scc) == (True, 432, 180)
    cured = prove(found, priorities.global_hop(found.network))
    assert (cured.cbd, cured.priorities) == (False, 2)
    assert _same(cured, prove(direct, priorities.global_hop(network)))


def test_the_rule_of_bounces_goes_by_the_tiers_of_the_file(tmp_path: Path) -> None:
    network = _network(tmp_path, LS42, LS_CUTS)
    found = _again(tmp_path, network, spf(network))
    proof = prove(found, priorities.bounce(found.network))
    assert (proof.cbd, proof.priorities) == (False, 2)


def test_pairs_without_a_way_are_those_of_bgp(tmp_path: Path) -> None:
    """rfc7938 numbering refuses the valley: 2 ordered pairs (validation.md 1.5)."""
    network = _network(tmp_path, LS42, LS_CUTS)
    design = flow.load(tmp_path / "t.yaml")
    direct = bgp(network, BgpRules.of(design.underlay, network))
    found = _again(tmp_path, network, direct)
    names = [(network.names[a], network.names[b]) for a, b in direct.unreachable]
    assert sorted(names) == [("leaf-0", "leaf-1"), ("leaf-1", "leaf-0")]
    assert [(found.network.names[a], found.network.names[b]) for a, b in found.unreachable] == [
        ("leaf-0", "leaf-1"),
        ("leaf-1", "leaf-0"),
    ]
    assert prove(found).cbd is False


def test_parallel_cables_are_counted_as_they_are_used(tmp_path: Path) -> None:
    nodes = [*(Node(f"r{n}", 1) for n in range(4))]
    pairs = [(f"r{n}", f"r{(n + 1) % 4}", "ring") for n in range(4) for _ in range(1 + n % 2)]
    network = Network.of(nodes, numbered(pairs))
    direct = spf(network)
    found = _again(tmp_path, network, direct)
    assert len(found.network.cables) == 6  # each cable apart, for a table may use one of them
    assert _same(prove(found), prove(direct))
