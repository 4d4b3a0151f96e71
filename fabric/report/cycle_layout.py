"""Where everything of the picture of a cycle goes: boxes that never overlap, in pixels.

The cycle runs clockwise along a rectangle: down a right column of switches, across, up a left one,
across. Labels of the vertical arrows stand outside of the columns, those of the two others above
and below, so that 24 labels need no more care than 4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.model.deadlock import CycleStep

MOST_STEPS = 24
FONT_PX = 13
LINE_PX = 17
_CHAR_PX = 8  # of a fixed-width font of that size, rounded up
_MARGIN, _PAD, _GAP = 24, 10, 14
_NODE_HEIGHT = 46
_LABEL_LINES = 3
_ROW = 116  # from switch to switch: room for a label of three lines between


class Box(NamedTuple):
    """Left, top, width, height."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        """Its middle."""
        return (self.x + self.width / 2, self.y + self.height / 2)

    def meets(self, other: Box) -> bool:
        """Whether the two overlap."""
        apart_x = self.x + self.width <= other.x or other.x + other.width <= self.x
        return not (apart_x or self.y + self.height <= other.y or other.y + other.height <= self.y)


@dataclass(frozen=True, slots=True)
class Node:
    """A switch of the ring: its name and what stands below."""

    name: str
    under: str
    box: Box


@dataclass(frozen=True, slots=True)
class Arrow:
    """From one switch of the ring to the next. ``priority`` ``None``: steps that are left out."""

    start: tuple[float, float]
    end: tuple[float, float]
    lines: tuple[str, ...]
    label: Box
    priority: int | None


@dataclass(frozen=True, slots=True)
class Layout:
    """The picture; ``top``: where the ring's part of it begins."""

    width: float
    height: float
    nodes: tuple[Node, ...]
    arrows: tuple[Arrow, ...]


class _Item(NamedTuple):
    sender: str
    lines: tuple[str, ...]
    priority: int | None


def laid_out(
    cycle: Sequence[CycleStep], tiers: Mapping[str, int], top: float, least_width: float
) -> Layout:
    """Everything in its place. ``tiers``: of switches that have one; ``top``: room kept above.

    Of more than 24 steps the first 12 and the last 11 are drawn.

    Raises:
        ValueError: no cycle: no cable joins a switch with itself, so two steps are the least.
    """
    if len(cycle) < 2:  # noqa: PLR2004
        msg = "there is no cycle to draw"
        raise ValueError(msg)
    items = _items(cycle, tiers)
    label = max(len(line) for item in items for line in item.lines) * _CHAR_PX
    under = [f"tier {tiers[item.sender]}" if item.sender in tiers else "" for item in items]
    names = max(len(text) for text in (*(item.sender for item in items), *under))
    node = names * _CHAR_PX + 2 * _PAD
    left = _MARGIN + label + _GAP - node / 2
    left = max(left, _MARGIN)
    right = left + node + max(label + 2 * _GAP, 120)
    boxes = _node_boxes(len(items), (left, right), node, top)
    nodes = tuple(
        Node(item.sender, text, box) for item, text, box in zip(items, under, boxes, strict=True)
    )
    arrows = _arrows(items, boxes, label)
    outer = [*boxes, *(arrow.label for arrow in arrows)]
    width = max(least_width, max(box.x + box.width for box in outer) + _MARGIN)
    height = max(box.y + box.height for box in outer) + _MARGIN
    return Layout(width, height, nodes, arrows)


def _items(cycle: Sequence[CycleStep], tiers: Mapping[str, int]) -> list[_Item]:
    if len(cycle) <= MOST_STEPS:
        return [_item(step, tiers) for step in cycle]
    head, tail = MOST_STEPS // 2, MOST_STEPS // 2 - 1
    left_out = len(cycle) - head - tail
    rest = _Item(cycle[head].sender, (f"{left_out:,} more buffers,", "not drawn"), None)
    return [
        *(_item(step, tiers) for step in cycle[:head]),
        rest,
        *(_item(step, tiers) for step in cycle[len(cycle) - tail :]),
    ]


def _item(step: CycleStep, tiers: Mapping[str, int]) -> _Item:
    ports = f"{step.sender_port} → {step.receiver_port}" if step.sender_port else ""
    rise = tiers.get(step.receiver, 0) - tiers.get(step.sender, 0)
    way = ", up" if rise > 0 else ", down" if rise < 0 else ""
    lines = (step.link, ports, f"priority {step.priority}{way}, for {step.destination}")
    return _Item(step.sender, tuple(line for line in lines if line), step.priority)


def _node_boxes(count: int, columns: tuple[float, float], width: float, top: float) -> list[Box]:
    """Clockwise from the top right; the left column has as many or one less."""
    on_right = (count + 1) // 2
    on_left = count - on_right
    first = top + _MARGIN + _LABEL_LINES * LINE_PX + _GAP
    span = (on_right - 1) * _ROW
    left, right = columns
    boxes = [Box(right, first + n * _ROW, width, _NODE_HEIGHT) for n in range(on_right)]
    for n in range(on_left):
        part = (on_left - 1 - n) / (on_left - 1) if on_left > 1 else 0.5
        boxes.append(Box(left, first + span * part, width, _NODE_HEIGHT))
    return boxes


def _arrows(items: Sequence[_Item], boxes: Sequence[Box], label: float) -> tuple[Arrow, ...]:
    on_right = (len(items) + 1) // 2
    bottom = boxes[on_right - 1].y + _NODE_HEIGHT
    top = boxes[0].y
    found = []
    for n, item in enumerate(items):
        one, two = boxes[n], boxes[(n + 1) % len(items)]
        height = len(item.lines) * LINE_PX
        middle = (one.centre[0] + two.centre[0]) / 2
        if n == on_right - 1:
            place = Box(middle - label / 2, bottom + _GAP, label, height)
        elif n == len(items) - 1:
            place = Box(middle - label / 2, top - _GAP - height, label, height)
        else:
            y = (one.centre[1] + two.centre[1] - height) / 2
            x = middle + _GAP if n < on_right else middle - _GAP - label
            place = Box(x, y, label, height)
        start, end = _line(one, two, apart=len(items) == 2)  # noqa: PLR2004 — there and back
        found.append(Arrow(start, end, item.lines, place, item.priority))
    return tuple(found)


def _line(one: Box, two: Box, *, apart: bool) -> tuple[tuple[float, float], tuple[float, float]]:
    """From edge to edge: vertical in a column, else between the facing sides."""
    if one.x == two.x:
        down = two.y > one.y
        x = one.centre[0]
        ends = (one.y + one.height, two.y) if down else (one.y, two.y + two.height)
        return (x, ends[0]), (x, ends[1])
    shift = (10.0 if one.x > two.x else -10.0) if apart else 0.0
    to_left = two.x < one.x
    x1, x2 = (one.x, two.x + two.width) if to_left else (one.x + one.width, two.x)
    return (x1, one.centre[1] + shift), (x2, two.centre[1] + shift)
