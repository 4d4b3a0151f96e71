"""FRR and the kernel against the model of the deadlock proof: a mismatch is a bug in ours.

BGP passes on one of several equally good routes, FRR the oldest, the model that of the first peer;
where ASNs and policies do not depend on which one it was, as in all of these fabrics, the tables
are the same whichever is taken. With no failure, with single and with double ones, drawn at random
from a fixed seed.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest

from fabric.analysis.network import of_topology
from fabric.analysis.routing import dragonfly
from fabric.live.lab import faults, ready
from tests.live.lab import inventories
from tests.live.lab.agreement import answered, as_planned, differences, settled
from tests.live.lab.conftest import lab_of

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.lab.layout import Layout

pytestmark = pytest.mark.usefixtures("allowed")

SAMPLES = (
    ("LEAF_SPINE", 2, 3),
    ("FAT_TREE", 2, 2),
    ("RING", 1, 2),
    ("DRAGONFLY", 1, 2),
    ("DOUBLE", 1, 1),
)
# validation.md 1.5: leaves 0 and 1 of ls 4×2 share no spine any more.
VALLEY = ("leaf-0:spine-1:1", "leaf-1:spine-0:1")


def written(folder: Path, name: str) -> Path:
    path = folder / f"{name.lower()}.yaml"
    path.write_text(getattr(inventories, name))
    return path


def cut(layout: Layout, cables: tuple[str, ...], before: tuple[str, ...] = ()) -> None:
    for cable in set(before) - set(cables):
        faults.repair(layout.name, "link-down", (cable,))
    for cable in set(cables) - set(before):
        faults.inject(layout.name, "link-down", (cable,))


@pytest.mark.parametrize(("name", "singles", "doubles"), SAMPLES)
def test_the_kernel_forwards_as_the_model_says(
    name: str, singles: int, doubles: int, tmp_path: Path
) -> None:
    with lab_of(written(tmp_path, name)) as (design, layout):
        assert settled(layout, as_planned(design)) == []
        assert answered(layout)
        if design.topology.kind == "dragonfly":
            minimal = dragonfly.minimal(of_topology(design.topology))
            assert differences(layout, minimal) == []
        cables = [link.id for link in design.topology.fabric_links]
        drawn = random.Random(design.intent.name)  # noqa: S311 — a sample, no secret
        sets: list[tuple[str, ...]] = [(one,) for one in drawn.sample(cables, singles)]
        sets += [tuple(drawn.sample(cables, 2)) for _ in range(doubles)]
        before: tuple[str, ...] = ()
        for down in sets:
            cut(layout, down, before)
            assert settled(layout, as_planned(design, down)) == [], down
            before = down
        cut(layout, (), before)
        assert settled(layout, as_planned(design)) == []


def test_without_a_common_spine_there_is_no_way_and_no_valley(tmp_path: Path) -> None:
    with lab_of(written(tmp_path, "LEAF_SPINE")) as (design, layout):
        cut(layout, VALLEY)
        model = as_planned(design, VALLEY)
        names = model.network.names
        lost = {(names[a], names[b]) for a, b in model.unreachable}
        assert lost == {("leaf-0", "leaf-1"), ("leaf-1", "leaf-0")}
        assert settled(layout, model) == []
        # h1 is on leaf-0, h2 on leaf-1.
        silent = {tuple(line.split()[i] for i in (0, 3)) for line in ready.unanswered(layout)}
        assert silent == {("h1", "h2"), ("h2", "h1")}


def test_allowas_in_brings_the_valley_back(tmp_path: Path) -> None:
    with lab_of(written(tmp_path, "LEAF_SPINE"), allowas_in=1) as (design, layout):
        assert settled(layout, as_planned(design)) == []
        cut(layout, VALLEY)
        model = as_planned(design, VALLEY)
        assert model.unreachable == ()
        # leaf-2 passes on between the spines: it has been down, and goes up again.
        assert model.next_switches("spine-0", "leaf-1") == {"leaf-2", "leaf-3"}
        assert settled(layout, model) == []
        assert answered(layout)
