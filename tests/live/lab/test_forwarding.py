"""FRR and the kernel against the model of the deadlock proof: a mismatch is a bug in ours.

BGP passes on one of several equally good routes, FRR the oldest, the model that of the first peer;
where ASNs and policies do not depend on which one it was, as in all of these fabrics, the tables
are the same whichever is taken. With nothing failed, with single and double failures of cables
drawn at random from a fixed seed, and with a whole switch gone.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

import pytest

from fabric import flow
from fabric.analysis.network import of_topology
from fabric.analysis.routing import dragonfly
from fabric.live.lab import faults, observe, ready
from tests.cli.conftest import INVENTORIES
from tests.live.lab import inventories
from tests.live.lab.agreement import answered, as_planned, differences, modelled, settled
from tests.live.lab.conftest import lab_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.live.lab.layout import Layout
    from fabric.model.design import Design

pytestmark = pytest.mark.usefixtures("allowed")


class Sample(NamedTuple):
    """``name``: ours or a shipped example. ``gone``: a switch that is taken out, '' for none."""

    name: str
    singles: int
    doubles: int
    gone: str


SAMPLES = (
    Sample("leafspine-lab.yaml", 1, 1, "spine-1"),
    Sample("FAT_TREE", 1, 1, "agg-1-0"),
    Sample("DRAGONFLY", 1, 1, "router-0-1"),
    Sample("DRAGONFLY_PLUS", 1, 1, "spine-1-0"),
    Sample("DOUBLE", 1, 1, "leaf-1"),
    Sample("RAIL", 1, 1, "spine-0"),
    Sample("VLAN", 1, 0, "spine-0"),
    Sample("ring4.yaml", 1, 2, "r2"),
    Sample("cables-from-csv/inventory.yaml", 0, 1, ""),
    Sample("ipv6-leafspine.yaml", 0, 1, "spine-2"),
    Sample("64node.yaml", 0, 1, "core-3"),
)
MANY_HOSTS = 20  # a ping of every pair takes minutes
# validation.md 1.5: leaves 0 and 1 of ls 4×2 share no spine any more.
VALLEY = ("leaf-0:spine-1:1", "leaf-1:spine-0:1")


def written(folder: Path, name: str) -> Path:
    if name.endswith(".yaml"):
        return INVENTORIES / name
    path = folder / f"{name.lower()}.yaml"
    path.write_text(getattr(inventories, name))
    return path


def cut(layout: Layout, cables: Iterable[str], before: Iterable[str] = ()) -> None:
    for cable in set(before) - set(cables):
        faults.repair(layout.name, "link-down", (cable,))
    for cable in set(cables) - set(before):
        faults.inject(layout.name, "link-down", (cable,))


def drawn(design: Design, sample: Sample) -> list[tuple[str, ...]]:
    cables = [link.id for link in design.topology.fabric_links]
    chance = random.Random(design.intent.name)  # noqa: S311 — a sample, no secret
    singles: list[tuple[str, ...]] = [(one,) for one in chance.sample(cables, sample.singles)]
    return singles + [tuple(chance.sample(cables, 2)) for _ in range(sample.doubles)]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_the_kernel_forwards_as_the_model_says(sample: Sample, tmp_path: Path) -> None:
    with lab_of(written(tmp_path, sample.name)) as (design, layout):
        assert settled(layout, as_planned(design)) == []
        if len(layout.hosts) <= MANY_HOSTS:
            assert answered(layout)
        if design.topology.kind == "dragonfly":
            minimal = dragonfly.minimal(of_topology(design.topology))
            assert differences(layout, minimal) == []
        before: tuple[str, ...] = ()
        for down in drawn(design, sample):
            cut(layout, down, before)
            assert settled(layout, as_planned(design, down)) == [], down
            before = down
        if sample.gone:
            cables = [link.id for link in design.topology.links_of(sample.gone)]
            cut(layout, cables, before)
            assert settled(layout, as_planned(design, switches=(sample.gone,))) == []
            before = tuple(cables)
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
        # A switch whose bgpd is gone forwards nothing to others and gets nothing.
        cut(layout, (), VALLEY)
        faults.inject(layout.name, "daemon-killed", ("spine-0",))
        assert settled(layout, as_planned(design, switches=("spine-0",))) == []
        assert answered(layout)


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


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        ({}, []),
        ({"swp33": frozenset({"swp33"})}, ["leaf-0 → leaf-1"]),  # a port of two is lost
        ({"swp33": frozenset({"swp1", "swp33", "swp34"})}, ["leaf-0 → leaf-1"]),
        ({"swp33": frozenset()}, ["leaf-0 → leaf-1"]),
        ({"10.9.0.0/24": frozenset({"swp33"})}, ["leaf-0 has a route to 10.9.0.0/24"]),
    ],
)
def test_the_comparison_sees_every_difference(
    change: dict[str, frozenset[str]],
    seen: list[str],
    small: Layout,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = as_planned(flow.load(small.inventory))
    tables: dict[str, dict[str, frozenset[str]]] = {node.name: {} for node in small.switches}
    for (switch, leaf), ports in modelled(model).items():
        for prefix in (small.node(leaf) or small.nodes[0]).prefixes:
            tables[switch][prefix] = ports
    spoilt = tables["leaf-0"]
    for key, ports in change.items():
        changed = [p for p in spoilt if "swp33" in spoilt[p]] if key == "swp33" else [key]
        spoilt |= dict.fromkeys(changed, ports)
    monkeypatch.setattr(observe, "routes", lambda node: tables[node.name])
    told = differences(small, model)
    assert sorted({line.partition(" (")[0] for line in told}) == seen
