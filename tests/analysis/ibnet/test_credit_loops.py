"""The outside judge: ibdmchk on OpenSM's own tables, against ours and against the definition.

Verdicts are those of validation.md 1.5, rows marked with a dagger; ls 12×2 is there for its ports
of two digits, and has none as no unfailed leaf-spine has (1.4).
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

from fabric.analysis.deadlock import prove
from fabric.analysis.priorities import global_hop
from fabric.analysis.routing.dragonfly import minimal
from fabric.analysis.routing.shortest import spf
from fabric.analysis.routing.up_down import up_down
from tests.analysis.ibnet import engine, reference, tables
from tests.analysis.ibnet.netlist import (
    Fabric,
    dragonfly,
    drawn,
    fat_tree,
    grid,
    leaf_spine,
    ring,
)
from tests.analysis.ibnet.programs import MINHOP, Judged, Routing, check, judge, missing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network
    from tests.analysis.ibnet.tables import Subnet

pytestmark = [pytest.mark.slow, pytest.mark.skipif(bool(missing()), reason=missing())]

CROSSED = (("l0", "s1"), ("l1", "s0"))
TRUTH = {
    "ring 3": (ring(3), False),
    "ring 4": (ring(4), True),
    "ring 5": (ring(5), True),
    "ring 6": (ring(6), True),
    "ring 8": (ring(8), True),
    "ls 12×2": (leaf_spine(12, 2), False),
    "ls 4×2": (leaf_spine(4, 2), False),
    "ls 4×2, cut l0–s1 and l1–s0": (leaf_spine(4, 2).without(*CROSSED), True),
    "ls 4×2, cut l0–s1": (leaf_spine(4, 2).without(("l0", "s1")), False),
    "ls 3×2, cut l0–s1 and l1–s0": (leaf_spine(3, 2).without(*CROSSED), False),
    "ft 4": (fat_tree(4), False),
    "ft 4, cut e0.0–a0.0 and e1.0–a1.1": (
        fat_tree(4).without(("e0.0", "a0.0"), ("e1.0", "a1.1")),
        True,
    ),
    "ft 8": (fat_tree(8), False),
    "df(1,2,1,3)": (dragonfly(1, 2, 1, 3), True),
    "df(2,4,2,9)": (dragonfly(2, 4, 2, 9), True),
    "df(2,4,4,16)": (dragonfly(2, 4, 4, 16), True),
    "mesh 4×4": (grid(4, 4), True),
}


def compare(fabric: Fabric, folder: Path, routing: Routing = MINHOP) -> tuple[Subnet, bool]:
    """OpenSM's own tables, see :func:`agreed`."""
    return agreed(fabric, judge(fabric, folder, routing))


def agreed(fabric: Fabric, judged: Judged) -> tuple[Subnet, bool]:
    """All four agree: ibdmchk, the definition, and ours told by cable and by next switch; also on
    what each cable carries. Returns what was judged and the verdict.
    """
    subnet = tables.read(judged.subnet, judged.tables)
    assert subnet.ends == fabric.ports()[0]
    theirs = tables.verdict(judged.said, subnet.names)

    graph = reference.dependencies(subnet.sources, subnet.routes.values())
    ours = prove(engine.by_cable(subnet))
    largest = reference.largest_component(graph)
    assert bool(largest) == theirs.has_loop
    assert (ours.cbd, ours.largest_scc, ours.edges) == (theirs.has_loop, largest, len(graph.edges))

    carried = reference.used(subnet.sources, subnet.routes.values())
    assert Counter(carried.values()) == theirs.used == engine.used(ours)

    loop = [subnet.channels[hop] for hop in reversed(theirs.loop)]
    assert bool(loop) == theirs.has_loop
    if loop:
        assert reference.is_closed(graph, loop)
        assert engine.on_a_cycle(ours, loop)

    coarser = prove(engine.by_switch(subnet))
    if any(count > 1 for _, _, count in fabric.cables):
        assert coarser.cbd or not ours.cbd  # more ways, so never less
    else:
        assert (coarser.cbd, coarser.edges) == (ours.cbd, ours.edges)
    return subnet, theirs.has_loop


@pytest.mark.parametrize("name", TRUTH)
def test_one_shortest_way_and_all_of_them_have_the_verdict(name: str, tmp_path: Path) -> None:
    fabric, expected = TRUTH[name]
    subnet, verdict = compare(fabric, tmp_path)
    union = prove(spf(engine.network(subnet)))
    assert verdict is union.cbd is expected
    graph = reference.dependencies(subnet.sources, reference.shortest(fabric))
    largest = reference.largest_component(graph)
    assert (union.edges, union.largest_scc) == (len(graph.edges), largest)


DOR = Routing("dor")
ROUTED = {
    "mesh 4×4": (grid(4, 4), DOR, False),
    "torus 4×4": (grid(4, 4, wrapped=True), DOR, False),
    "torus 5×5": (grid(5, 5, wrapped=True), DOR, True),
    "ls 4×2 cut": (leaf_spine(4, 2).without(*CROSSED), Routing("updn", ("s0",)), False),
    "ring 8": (ring(8), Routing("updn", ("r0",)), False),
}


@pytest.mark.parametrize("name", ROUTED)
def test_the_routes_decide_not_the_cables(name: str, tmp_path: Path) -> None:
    fabric, routing, expected = ROUTED[name]
    assert compare(fabric, tmp_path, routing)[1] is expected


@pytest.mark.parametrize("batch", range(2))
def test_any_fabric_has_the_same_verdict(batch: int, tmp_path: Path) -> None:
    seen = set()
    for seed in range(batch * 24, batch * 24 + 24):
        folder = tmp_path / f"seed-{seed}"
        folder.mkdir()
        seen.add(compare(drawn(seed), folder)[1])
    assert seen == {False, True}


OURS: dict[str, tuple[Fabric, Callable[[Network], Forwarding], bool | None]] = {
    "df(1,2,1,3) minimal": (dragonfly(1, 2, 1, 3), minimal, True),
    "df(2,4,2,9) minimal": (dragonfly(2, 4, 2, 9), minimal, True),
    "df(2,4,4,16) minimal": (dragonfly(2, 4, 4, 16), minimal, True),
    "df(2,4,2,9) up*/down*": (dragonfly(2, 4, 2, 9), up_down, False),
    "torus 5×5 up*/down*": (grid(5, 5, wrapped=True), up_down, False),
    "ls 4×2 cut, up*/down*": (leaf_spine(4, 2).without(*CROSSED), up_down, False),
    "ft 4 cut": (fat_tree(4).without(("e0.0", "a0.0"), ("e0.1", "a0.1")), spf, None),
    "mesh 4×4": (grid(4, 4), spf, None),
    "ft 8": (fat_tree(8), spf, False),
}


@pytest.mark.parametrize("name", OURS)
def test_our_own_routes_are_judged_alike(name: str, tmp_path: Path) -> None:
    fabric, model, expected = OURS[name]
    judged = judge(fabric, tmp_path)
    subnet = tables.read(judged.subnet, judged.tables)
    ways = model(engine.network(subnet))
    if expected is not None:
        assert prove(ways).cbd is expected
    for seed in range(5):
        ports = engine.drawn_ports(ways, subnet, seed)
        ours = tables.with_ports(judged.tables, subnet.names, ports)
        _, verdict = agreed(fabric, check(judged.subnet, ours, tmp_path))
        assert expected is None or verdict is expected


@pytest.mark.parametrize("shape", [(1, 2, 1, 3), (2, 4, 2, 9), (2, 4, 4, 16)], ids=str)
def test_a_level_up_after_the_global_hop_cures(
    shape: tuple[int, int, int, int], tmp_path: Path
) -> None:
    fabric = dragonfly(*shape)
    judged = judge(fabric, tmp_path)
    subnet = tables.read(judged.subnet, judged.tables)
    ports = engine.drawn_ports(minimal(engine.network(subnet)), subnet, 0)
    ours = tables.with_ports(judged.tables, subnet.names, ports)
    between, below = fabric.ports()
    abroad = {
        p: far for p, far in between.items() if p[0].partition(".")[0] != far[0].partition(".")[0]
    }
    one_way = engine.by_cable(tables.read(judged.subnet, ours))
    for raised, vls in ((abroad, 2), ({}, 1)):
        levels = tables.levels(between | below, subnet.names, raised)
        said = check(judged.subnet, ours, tmp_path, levels).said
        assert f"1 SLs, {vls} VLs used" in said
        rule = global_hop(one_way.network) if raised else None
        proof = prove(one_way, rule)
        assert tables.verdict(said, subnet.names).has_loop is proof.cbd is (vls == 1)
        assert proof.priorities == vls
