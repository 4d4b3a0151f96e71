"""Every row of the first table of validation.md 1.5; values are typed from there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from fabric.analysis import deadlock, legs, priorities
from fabric.analysis.forwarding import Forwarding
from fabric.analysis.routing import dimension_order, dragonfly, shortest, valiant
from fabric.analysis.routing.bgp import bgp
from tests.analysis.fabrics import (
    bgp_rules,
    cut,
    fat_tree,
    grid,
    leaf_spine,
    rfc7938,
    ring,
)
from tests.analysis.fabrics import dragonfly as df

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.deadlock import Proof
    from fabric.analysis.legs import Legs
    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising


@dataclass(frozen=True)
class Row:
    """One line of the table; ``None``: it does not say. ``sizes``: of all components."""

    case: str
    network: Network
    model: str
    cbd: bool
    edges: int | None = None
    sizes: tuple[int, ...] | None = None
    rise: str = "none"
    priorities: int = 1
    unreachable: int = 0


def _bgp(network: Network, own_asn_allowed: int) -> Forwarding:
    return bgp(network, bgp_rules(network, rfc7938(network), own_asn_allowed=own_asn_allowed))


MODELS: dict[str, Callable[[Network], Forwarding | Legs]] = {
    "spf": shortest.spf,
    "bgp-rfc7938": lambda network: _bgp(network, 0),
    "bgp allowas-in 1": lambda network: _bgp(network, 1),
    "df-min": dragonfly.minimal,
    "l2-flood": shortest.l2_flood,
    "valiant to group": valiant.to_group,
    "valiant to router": valiant.to_router,
    "dor": dimension_order.dor,
}
RISES: dict[str, Callable[[Network], Rising]] = {
    "none": priorities.none,
    "bounce": priorities.bounce,
    "global": priorities.global_hop,
}

SAME_CUTS = ("l0–s1", "l1–s0")

ROWS = [
    Row("ft 4", fat_tree(4), "spf", cbd=False, edges=128),
    Row("ft 8", fat_tree(8), "spf", cbd=False, edges=2_304),
    Row("ft 16", fat_tree(16), "spf", cbd=False, edges=38_912),
    Row("ft 32", fat_tree(32), "spf", cbd=False, edges=638_976),
    Row("ls 4×2", leaf_spine(4, 2), "spf", cbd=False, edges=24),
    Row("ring 3", ring(3), "spf", cbd=False, edges=0),
    *(Row(f"ring {n}", ring(n), "spf", cbd=True, sizes=(n, n)) for n in (4, 5, 6, 8)),
    Row("ls 3×2 cut", cut(leaf_spine(3, 2), *SAME_CUTS), "spf", cbd=False),
    # l2→s0→l3→s1→l2, and the other way round
    Row("ls 4×2 cut", cut(leaf_spine(4, 2), *SAME_CUTS), "spf", cbd=True, sizes=(4, 4)),
    Row("ls 5×2 cut", cut(leaf_spine(5, 2), *SAME_CUTS), "spf", cbd=True, sizes=(12,)),
    Row("ls 4×2 cut", cut(leaf_spine(4, 2), *SAME_CUTS), "bgp-rfc7938", cbd=False, unreachable=2),
    Row("ls 4×2 cut", cut(leaf_spine(4, 2), *SAME_CUTS), "bgp allowas-in 1", cbd=True),
    *(
        Row(
            f"ls {n}×2 cut",
            cut(leaf_spine(n, 2), *SAME_CUTS),
            "spf",
            cbd=False,
            rise="bounce",
            priorities=2,
        )
        for n in (4, 5, 6)
    ),
    Row("ls 4×2, l0–s1 only", cut(leaf_spine(4, 2), "l0–s1"), "spf", cbd=False),
    Row("ft 4, one pod", cut(fat_tree(4), "e0.0–a0.0", "e0.1–a0.1"), "spf", cbd=True, sizes=(48,)),
    Row(
        "ft 4, one pod",
        cut(fat_tree(4), "e0.0–a0.0", "e0.1–a0.1"),
        "spf",
        cbd=False,
        rise="bounce",
        priorities=2,
    ),
    Row("ft 4, two pods", cut(fat_tree(4), "e0.0–a0.0", "e1.0–a1.1"), "spf", cbd=True),
    Row("ls 2×2", leaf_spine(2, 2), "l2-flood", cbd=True, sizes=(4, 4)),
    Row("ls 2×2, routed", leaf_spine(2, 2), "spf", cbd=False),
    Row("ls 4×1", leaf_spine(4, 1), "l2-flood", cbd=False),
    Row("df(1,2,1,3)", df(1, 2, 1, 3), "df-min", cbd=True, edges=12, sizes=(6, 6)),
    Row("df(1,2,1,3)", df(1, 2, 1, 3), "spf", cbd=True, edges=12, sizes=(6, 6)),
    Row("df(1,2,1,3)", df(1, 2, 1, 3), "df-min", cbd=False, rise="global", priorities=2),
    Row("df(1,2,1,3)", df(1, 2, 1, 3), "spf", cbd=False, rise="global", priorities=2),
    Row("df(2,4,2,9)", df(2, 4, 2, 9), "df-min", cbd=True, edges=432, sizes=(180,)),
    Row("df(2,4,2,9)", df(2, 4, 2, 9), "df-min", cbd=False, rise="global", priorities=2),
    *(Row(f"df(1,1,{h},{h + 1})", df(1, 1, h, h + 1), "df-min", cbd=False) for h in (1, 2, 4, 7)),
    Row("df(2,4,2,9)", df(2, 4, 2, 9), "spf", cbd=True, edges=480),
    Row("df(2,4,2,9)", df(2, 4, 2, 9), "spf", cbd=False, rise="global", priorities=3),
    Row("df(2,4,4,16)", df(2, 4, 4, 16), "df-min", cbd=True, edges=1_440, sizes=(432,)),
    Row("df(2,4,4,16)", df(2, 4, 4, 16), "spf", cbd=True, edges=1_908, sizes=(432,)),
    Row("df(2,4,4,16)", df(2, 4, 4, 16), "df-min", cbd=False, rise="global", priorities=2),
    Row("df(2,4,4,16)", df(2, 4, 4, 16), "spf", cbd=False, rise="global", priorities=3),
    Row("df(1,2,1,2)", df(1, 2, 1, 2), "df-min", cbd=True, sizes=(4, 4)),  # a ring of 4
    Row("df(1,2,1,2)", df(1, 2, 1, 2), "df-min", cbd=False, rise="global", priorities=2),
    Row("mesh 4×4", grid(4, 4, torus=False), "spf", cbd=True),
    Row("mesh 4×4", grid(4, 4, torus=False), "dor", cbd=False),
    Row("torus 4×4", grid(4, 4, torus=True), "dor", cbd=False),
    Row("torus 5×5", grid(5, 5, torus=True), "dor", cbd=True),
]
for _build in ((1, 4, 1, 5), (2, 4, 2, 9)):
    for _middle in ("valiant to group", "valiant to router"):
        _name, _cyclic = f"df{_build}", _middle == "valiant to router"
        ROWS += [
            Row(_name, df(*_build), _middle, cbd=True),
            Row(_name, df(*_build), _middle, cbd=_cyclic, rise="global", priorities=3),
        ]
    ROWS.append(
        Row(_name, df(*_build), "valiant to router", cbd=False, rise="middle", priorities=4)
    )


def prove(row: Row) -> tuple[Proof, int]:
    """The proof and the number of unreachable pairs."""
    model = MODELS[row.model](row.network)
    if isinstance(model, Forwarding):
        proof = deadlock.prove(model, RISES[row.rise](row.network))
        return proof, len(model.unreachable)
    network = model.forwarding.network
    rise = valiant.rising_at_middle(model) if row.rise == "middle" else RISES[row.rise](network)
    return legs.prove(model, rise), len(model.unreachable)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.case}, {row.model}, {row.rise}")
def test_row(row: Row) -> None:
    proof, unreachable = prove(row)
    assert proof.cbd == row.cbd
    assert proof.priorities == row.priorities
    assert unreachable == row.unreachable
    assert proof.largest_scc == max(proof.component_sizes, default=0)
    assert (proof.largest_scc > 0) == row.cbd
    if row.edges is not None:
        assert proof.edges == row.edges
    if row.sizes is not None:
        assert sorted(proof.component_sizes.tolist()) == sorted(row.sizes)


@pytest.mark.parametrize("k", [4, 6, 8, 16, 32])
def test_closed_form_of_the_fat_tree(k: int) -> None:
    half = k // 2
    closed = (k * k // 2) * (k * k // 2 + half * (half - 1)) + (k * k // 4) * k * (k - 1)
    assert deadlock.prove(shortest.spf(fat_tree(k))).edges == closed


@pytest.mark.parametrize(("leaves", "spines"), [(2, 2), (4, 2), (7, 3), (20, 5)])
def test_closed_form_of_the_leaf_spine(leaves: int, spines: int) -> None:
    proof = deadlock.prove(shortest.spf(leaf_spine(leaves, spines)))
    assert proof.edges == spines * leaves * (leaves - 1)


def test_every_small_dragonfly() -> None:
    # validation.md 1.4: 84 builds with a ≥ 2, all cyclic, and cured by two priorities; a = 1: none
    builds = [(a, h, g) for a in range(1, 6) for h in range(1, 4) for g in range(2, a * h + 2)]
    assert sum(a >= 2 for a, _, _ in builds) == 84
    for a, h, g in builds:
        network = df(1, a, h, g, in_turn=True)
        minimal = dragonfly.minimal(network)
        assert deadlock.prove(minimal).cbd == (a >= 2), (a, h, g)
        cured = deadlock.prove(minimal, priorities.global_hop(network))
        assert not cured.cbd, (a, h, g)
        assert cured.priorities <= 2
        assert not minimal.unreachable


def test_a_ring_of_leaves_on_top_of_a_leaf_spine() -> None:
    # 1.4: neighbours one hop, opposite leaves tie with leaf–spine–leaf; no bounce, so no cure
    ring_of_leaves = [("l0", "l1"), ("l1", "l2"), ("l2", "l3"), ("l3", "l0")]
    network = leaf_spine(4, 2, ring_of_leaves)
    assert deadlock.prove(shortest.spf(network)).cbd
    bounced = deadlock.prove(shortest.spf(network), priorities.bounce(network))
    assert bounced.cbd
    assert bounced.priorities == 1


def test_a_bounce_beyond_the_last_level_is_lossy() -> None:
    network = cut(leaf_spine(4, 2), *SAME_CUTS)
    whole = deadlock.prove(shortest.spf(network), priorities.bounce(network))
    demoted = deadlock.prove(shortest.spf(network), priorities.bounce(network, levels=1))
    assert not demoted.cbd
    assert demoted.priorities == 1
    assert demoted.edges < whole.edges
