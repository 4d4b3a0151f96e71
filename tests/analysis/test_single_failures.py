"""What single cables cost a dragonfly, counted by hand.

One global cable a group pair: its loss parts every router of one group from every router of the
other, both ways: 2a². One local cable between x and y: they are parted (2), x from the groups that
only y leads to (h of them, a routers each) and y from those of x, both ways: 2 + 4·h·a.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.analysis import single_failures
from fabric.analysis.single_failures import single_failure_costs

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design


def design(folder: Path, sizes: tuple[int, int, int, int], more: str = "") -> Design:
    p, a, h, g = sizes
    path = folder / "df.yaml"
    path.write_text(
        f"fabric: df\ntopology: {{kind: dragonfly, p: {p}, a: {a}, h: {h}, g: {g}{more}}}\n"
        "platforms: {default: {platform: sonic, model: nvidia-sn4700}}\n"
        f"hosts: {{names: 'h-[1-{p * a * g}]', nics: 1, nic: connectx-7, speed: 400}}\n",
        encoding="utf-8",
    )
    return flow.load(path)


@pytest.mark.parametrize("sizes", [(1, 2, 1, 3), (2, 4, 2, 9)])
def test_one_cable_a_pair(tmp_path: Path, sizes: tuple[int, int, int, int]) -> None:
    _, a, h, g = sizes
    found = single_failure_costs(design(tmp_path, sizes))
    assert found is not None
    assert found.complete
    local, across = found.kinds
    assert (local.kind, local.cables) == ("local", g * a * (a - 1) // 2)
    assert (across.kind, across.cables) == ("global", g * (g - 1) // 2)
    for kind, pairs in ((local, 2 + 4 * h * a), (across, 2 * a * a)):
        assert kind.worked_out == kind.with_unreachable == kind.cables
        assert kind.worst_pairs == pairs
        assert kind.with_cbd == 0
        assert kind.paired == 0


def test_remedies_are_checked(tmp_path: Path) -> None:
    found = single_failure_costs(design(tmp_path, (2, 4, 2, 9)))
    assert found is not None
    doubled, fallback = found.remedies
    assert doubled.helps
    assert doubled.change == (
        "topology.local_links: 2, topology.links_per_group_pair: 2, topology.h: 4"
    )
    assert doubled.checked == 72, "global cables that stand alone; local ones are paired"
    assert doubled.priorities == 2
    assert "10 ports for cables to routers, now 5" in doubled.note
    assert fallback.checked == 54 + 36
    assert fallback.with_unreachable == fallback.with_cbd == 0
    assert fallback.priorities > 3, "3 with nothing failed (validation 1.5)"
    assert fallback.priorities > found.limit


def test_parallel_cables_part_nobody(tmp_path: Path) -> None:
    more = ", links_per_group_pair: 2, local_links: 2"
    found = single_failure_costs(design(tmp_path, (2, 4, 2, 4), more))
    assert found is not None
    local, across = found.kinds
    assert (local.paired, local.worked_out) == (local.cables, 0)
    assert across.with_unreachable == across.with_cbd == 0
    assert found.remedies == ()


def test_a_large_one_is_sampled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(single_failures, "MOST_ROWS", 10)
    found = single_failure_costs(design(tmp_path, (1, 2, 1, 3)))
    assert found is not None
    assert not found.complete


def test_other_kinds_are_not_asked(tmp_path: Path) -> None:
    path = tmp_path / "ls.yaml"
    path.write_text(
        "fabric: ls\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
        "platforms: {default: {platform: sonic, model: nvidia-sn3700}}\n"
        "hosts: {count: 4, nic: connectx-6, speed: 100}\n",
        encoding="utf-8",
    )
    assert single_failure_costs(flow.load(path)) is None
