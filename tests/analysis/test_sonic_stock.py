"""Stock bgpcfgd: who accepts its own ASN, and what that does after failures (validation.md 1.5)."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.analysis.deadlock import prove
from fabric.analysis.network import of_topology
from fabric.analysis.routing.bgp import bgp
from fabric.analysis.routing.sonic_stock import Bbr, own_asn_allowed, stock

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

LS42 = "{kind: leaf-spine, leaves: 4, spines: 2}"
FT4 = "{kind: fat-tree, k: 4}"
LS_CUTS = ("leaf-0:spine-1:1", "leaf-1:spine-0:1")


def _design(tmp_path: Path, topology: str, more: str = "") -> Design:
    path = tmp_path / "t.yaml"
    path.write_text(f"fabric: t\ntopology: {topology}\n{more}", encoding="utf-8")
    return flow.load(path)


def _outcome(
    design: Design, cuts: tuple[str, ...], bbr: Bbr, *, switched: bool
) -> tuple[bool, int]:
    """(CBD, unreachable pairs)."""
    network = of_topology(design.topology).without(cuts)
    found = bgp(network, stock(design, network, bbr, switched=switched).rules)
    return prove(found).cbd, len(found.unreachable)


# peer-group.conf.j2 line by line, then managers_bbr.py
RENDERED = [
    ("ToRRouter", Bbr.ABSENT, 1),
    ("ToRRouter", Bbr.DISABLED, 1),
    ("ToRRouter", Bbr.ENABLED, 1),
    ("LeafRouter", Bbr.ABSENT, 0),
    ("LeafRouter", Bbr.DISABLED, 0),
    ("LeafRouter", Bbr.ENABLED, 1),
    ("SpineRouter", Bbr.ENABLED, 0),
    ("BackEndToRRouter", Bbr.ENABLED, 0),
    ("BackEndLeafRouter", Bbr.ENABLED, 0),
    ("not-provisioned", Bbr.ENABLED, 0),
]


@pytest.mark.parametrize(("kind", "bbr", "allowed"), RENDERED)
def test_what_the_peer_group_template_writes(kind: str, bbr: Bbr, allowed: int) -> None:
    assert own_asn_allowed(kind, bbr) == allowed


@pytest.mark.parametrize("kind", ["ToRRouter", "LeafRouter", "SpineRouter", "not-provisioned"])
def test_a_row_written_later_goes_for_every_type(kind: str) -> None:
    assert own_asn_allowed(kind, Bbr.ENABLED, switched=True) == 1
    assert own_asn_allowed(kind, Bbr.DISABLED, switched=True) == 0
    assert own_asn_allowed(kind, Bbr.ABSENT, switched=True) == own_asn_allowed(kind)


@pytest.mark.parametrize(
    ("bbr", "switched", "outcome"),
    [
        (Bbr.ABSENT, False, (False, 2)),  # only ToRs accept their ASN, and nobody shares it
        (Bbr.DISABLED, False, (False, 2)),
        (Bbr.ENABLED, False, (True, 0)),  # spines are LeafRouters: valleys again
        (Bbr.ENABLED, True, (True, 0)),
        (Bbr.DISABLED, True, (False, 2)),
    ],
)
def test_leaf_spine_with_two_cuts(
    tmp_path: Path, bbr: Bbr, switched: bool, outcome: tuple[bool, int]
) -> None:
    design = _design(tmp_path, LS42)
    assert _outcome(design, LS_CUTS, bbr, switched=switched) == outcome
    assert _outcome(design, (), bbr, switched=switched) == (False, 0)


# sets of two cut cables with a CBD, with unreachable pairs: the sweep table and the ASN plans
# below it. Aggregation lenient and cores strict is as if each aggregation switch had its own ASN.
SWEEPS = [
    (LS42, Bbr.ABSENT, False, (0, 16)),
    (LS42, Bbr.ENABLED, False, (12, 4)),
    (FT4, Bbr.ABSENT, False, (0, 64)),
    (FT4, Bbr.ENABLED, False, (48, 16)),
    (FT4, Bbr.ENABLED, True, (56, 8)),
]


@pytest.mark.parametrize(("topology", "bbr", "switched", "counts"), SWEEPS)
def test_all_pairs_of_cut_cables(
    tmp_path: Path, topology: str, bbr: Bbr, switched: bool, counts: tuple[int, int]
) -> None:
    design = _design(tmp_path, topology)
    ids = [link.id for link in design.topology.fabric_links]
    outcomes = [_outcome(design, cuts, bbr, switched=switched) for cuts in combinations(ids, 2)]
    assert (sum(cbd for cbd, _ in outcomes), sum(lost > 0 for _, lost in outcomes)) == counts


def test_types_of_the_boxes_overrule_those_of_the_plan(tmp_path: Path) -> None:
    """A spine that was called ToRRouter accepts its own ASN with BBR off."""
    design = _design(tmp_path, LS42)
    network = of_topology(design.topology).without(LS_CUTS)
    types = {"spine-0": "ToRRouter", "spine-1": "ToRRouter"}
    found = bgp(network, stock(design, network, types=types).rules)
    assert (prove(found).cbd, len(found.unreachable)) == (True, 0)


def test_hosts_on_routed_ports_are_announced_to_nobody(tmp_path: Path) -> None:
    routed = _design(tmp_path, LS42)
    assert len(stock(routed, of_topology(routed.topology)).silent) == 4
    vlans = _design(tmp_path, LS42, "hosts: {count: 8, port: vlan}\n")
    assert stock(vlans, of_topology(vlans.topology)).silent == ()
