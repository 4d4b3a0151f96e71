"""The picture of a cycle: whole, readable, the same every time."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from fabric.model.deadlock import CycleStep, DeadlockVerdict
from fabric.model.names import link_id
from fabric.report.cycle_layout import Box, laid_out
from fabric.report.cycle_svg import cycle_svg

GOLDEN = Path(__file__).parent / "golden" / "ring4.svg"
SVG = "{http://www.w3.org/2000/svg}"
CHAR_PX = 13 * 0.602  # DejaVu Sans Mono, bold too


def steps(count: int, *, name: str = "r{}", priorities: int = 1) -> tuple[CycleStep, ...]:
    names = [name.format(n) for n in range(count)]
    return tuple(
        CycleStep(
            link=link_id(names[n], names[(n + 1) % count], 1 + n % 2 * (count == 2)),
            sender=names[n],
            sender_port=f"Ethernet{n * 8 + 4}",
            receiver=names[(n + 1) % count],
            receiver_port=f"Ethernet{n * 8}",
            priority=3 + n % priorities,
            destination=names[(n + 2) % count],
            source=names[n],
        )
        for n in range(count)
    )


def verdict(cycle: tuple[CycleStep, ...]) -> DeadlockVerdict:
    return DeadlockVerdict(
        "spf", cbd=True, edges=8, largest_scc=4, priorities=1, unreachable_pairs=0, cycle=cycle
    )


def texts(svg: str) -> list[str]:
    root = ET.fromstring(svg)  # noqa: S314 — our own text
    return [found.text or "" for found in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("count", range(2, 25))
def test_every_buffer_is_in_it(count: int) -> None:
    cycle = steps(count, priorities=min(count, 3))
    shown = texts(cycle_svg(verdict(cycle)))
    for step in cycle:
        assert shown.count(step.link) == 1
        assert f"{step.sender_port} → {step.receiver_port}" in shown
        assert f"priority {step.priority}, for {step.destination}" in shown
        assert step.sender in shown
    for priority in {step.priority for step in cycle}:
        assert f"priority {priority}" in shown, "the legend"


@pytest.mark.parametrize("name", ["r{}", "pod-{}-aggregation-with-a-long-name"])
@pytest.mark.parametrize("count", [*range(2, 25), 30, 100])
def test_nothing_overlaps_and_nothing_sticks_out(count: int, name: str) -> None:
    cycle = steps(count, name=name)
    layout = laid_out(cycle, {step.sender: 1 for step in cycle}, 76, 300)
    boxes = [node.box for node in layout.nodes] + [arrow.label for arrow in layout.arrows]
    for one, two in combinations(boxes, 2):
        assert not one.meets(two)
    for box in boxes:
        assert box.x >= 0
        assert box.y >= 76
        assert box.x + box.width <= layout.width
        assert box.y + box.height <= layout.height
    for arrow in layout.arrows:
        assert max(map(len, arrow.lines)) * CHAR_PX <= arrow.label.width
        for box in boxes:
            assert not _crosses(arrow.start, arrow.end, box)
    for node in layout.nodes:
        assert len(node.name) * CHAR_PX <= node.box.width


def _crosses(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    """Whether the inner part of a line passes through a box."""
    parts = [n / 50 for n in range(1, 50)]
    points = [
        (start[0] + (end[0] - start[0]) * p, start[1] + (end[1] - start[1]) * p) for p in parts
    ]
    return any(box.x < x < box.x + box.width and box.y < y < box.y + box.height for x, y in points)


def test_a_long_cycle_is_abbreviated() -> None:
    cycle = steps(100)
    svg = cycle_svg(verdict(cycle))
    shown = texts(svg)
    assert "77 more buffers," in shown
    drawn = [step.link for step in cycle if step.link in shown]
    assert drawn == [step.link for step in (*cycle[:12], *cycle[-11:])]
    root = ET.fromstring(svg)  # noqa: S314 — our own text
    description = root.findtext(f"{SVG}desc") or ""
    assert all(step.link in description for step in cycle), "the words have all of them"


def test_it_says_what_it_is() -> None:
    root = ET.fromstring(cycle_svg(verdict(steps(4)), name="a <b> & c"))  # noqa: S314
    assert root.get("role") == "img"
    named = (root.get("aria-labelledby") or "").split()
    assert [root[0].get("id"), root[1].get("id")] == named
    assert root.findtext(f"{SVG}title") == "a <b> & c: 4 buffers wait for each other in a ring"


def test_tiers_tell_up_from_down() -> None:
    cycle = tuple(
        CycleStep(f"{a}:{b}:1", a, "", b, "", 3, "l9", "l8")
        for a, b in (("l2", "s0"), ("s0", "l3"), ("l3", "s1"), ("s1", "l2"))
    )
    shown = texts(cycle_svg(verdict(cycle), tiers={"l2": 0, "l3": 0, "s0": 1, "s1": 1}))
    assert shown.count("priority 3, up, for l9") == 2
    assert shown.count("priority 3, down, for l9") == 2
    assert shown.count("tier 1") == 2
    assert not any("→" in text for text in shown), "ports that are not known are left out"


def test_priorities_differ_by_dashes_too() -> None:
    svg = cycle_svg(verdict(steps(6, priorities=3)))
    root = ET.fromstring(svg)  # noqa: S314 — our own text
    strokes = {
        (path.get("stroke"), path.get("stroke-dasharray"))
        for path in root.iter(f"{SVG}path")
        if path.get("stroke")
    }
    assert len(strokes) == len({colour for colour, _ in strokes}) == 3
    assert len({dashes for _, dashes in strokes}) == 3


def test_ring4_as_it_was_looked_at() -> None:
    assert cycle_svg(verdict(steps(4)), name="ring4") == GOLDEN.read_text(encoding="utf-8")


def test_no_cycle_no_picture() -> None:
    with pytest.raises(ValueError, match="no cycle"):
        cycle_svg(verdict(()))
