"""The curve of effective rates over QPs as lines, dots and words: SVG and PNG show the same."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.bandwidth import Bandwidth, Effective

WIDTH, HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 160, 70, 60
_GREY, _BLACK = "#444444", "#000000"

Point = tuple[float, float]


class Words(NamedTuple):
    """A text at its baseline. ``anchor``: start, middle or end, as SVG has it."""

    at: Point
    text: str
    anchor: str = "start"
    size: int = 13
    colour: str = _BLACK
    bold: bool = False


class Stroke(NamedTuple):
    """A line through points; ``dashes``: drawn and blank lengths in turn, empty: solid."""

    points: tuple[Point, ...]
    colour: str
    width: int = 1
    dashes: tuple[int, ...] = ()


class Dot(NamedTuple):
    """A filled circle."""

    at: Point
    colour: str
    radius: float = 3.5


@dataclass(frozen=True, slots=True)
class Drawing:
    """Marks on white, ``WIDTH`` by ``HEIGHT``, in the order in which they are drawn."""

    title: str
    marks: tuple[Words | Stroke | Dot, ...]


class _Series(NamedTuple):
    name: str
    colour: str
    dashes: tuple[int, ...]
    value: Callable[[Effective], float]


_SERIES = (
    _Series("mean", "#0072B2", (), lambda one: one.mean),
    _Series("striped", "#D55E00", (8, 5), lambda one: one.striped),
    _Series("worst pair", "#007A5A", (3, 4), lambda one: one.worst_pair),
)


def curve(found: Bandwidth, name: str) -> Drawing:
    """Mean, striped and worst pair over the number of QPs, on a logarithmic axis."""
    points = found.effective
    first = points[0]
    title = f"{name}: effective rate over QPs a pair"
    under = f"{first.pattern}, {first.hash}, {first.trials} trials, seed {first.seed}"
    marks = (
        Words((_LEFT, 28), title, size=17, bold=True),
        Words((_LEFT, 50), under, colour=_GREY),
        *_axes(points),
        *(mark for number, series in enumerate(_SERIES) for mark in _line(points, number, series)),
    )
    return Drawing(title, marks)


def _x(points: tuple[Effective, ...], qps: int) -> float:
    low, high = math.log2(points[0].qps), math.log2(points[-1].qps)
    share = 0.5 if high == low else (math.log2(qps) - low) / (high - low)
    return _LEFT + share * (WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _TOP + (1 - min(value, 1.0)) * (HEIGHT - _TOP - _BOTTOM)


def _axes(points: tuple[Effective, ...]) -> Iterator[Words | Stroke]:
    right = WIDTH - _RIGHT
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        yield Stroke(((_LEFT, y), (right, y)), "#DDDDDD")
        yield Words((_LEFT - 8, y + 4), f"{percent} %", "end")
    for one in points:
        yield Words((_x(points, one.qps), HEIGHT - _BOTTOM + 20), f"{one.qps}", "middle")
    yield Words(((_LEFT + right) / 2, HEIGHT - 14), "QPs a pair", "middle")


def _line(
    points: tuple[Effective, ...], number: int, series: _Series
) -> Iterator[Words | Stroke | Dot]:
    name, colour, dashes, value = series
    places = tuple((_x(points, one.qps), _y(value(one))) for one in points)
    yield Stroke(places, colour, 2, dashes)
    yield from (Dot(place, colour) for place in places)
    left, top = WIDTH - _RIGHT + 16, _TOP + 20 + 24 * number
    yield Stroke(((left, top), (left + 30, top)), colour, 2, dashes)
    yield Words((left + 38, top + 4), name)
