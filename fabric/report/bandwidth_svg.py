"""The curve of effective rates over QPs as SVG text: the same bytes for the same figures."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.bandwidth import Bandwidth, Effective

_WIDTH, _HEIGHT = 760, 440
_LEFT, _RIGHT, _TOP, _BOTTOM = 70, 160, 70, 60


class _Series(NamedTuple):
    name: str
    colour: str
    dashes: str
    value: Callable[[Effective], float]


_SERIES = (
    _Series("mean", "#0072B2", "", lambda one: one.mean),
    _Series("striped", "#D55E00", "8 5", lambda one: one.striped),
    _Series("worst pair", "#007A5A", "3 4", lambda one: one.worst_pair),
)


def curve_svg(found: Bandwidth, name: str) -> str:
    """Mean, striped and worst pair over the number of QPs, on a logarithmic axis."""
    points = found.effective
    first = points[0]
    title = f"{name}: effective rate over QPs a pair"
    under = f"{first.pattern}, {first.hash}, {first.trials} trials, seed {first.seed}"
    size = f'width="{_WIDTH}" height="{_HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#FFFFFF"/>',
        f'<text x="{_LEFT}" y="28" font-size="17" font-weight="bold">{escape(title)}</text>',
        f'<text x="{_LEFT}" y="50" fill="#444444">{escape(under)}</text>',
        *_axes(points),
        *(line for number, series in enumerate(_SERIES) for line in _line(points, number, series)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _x(points: tuple[Effective, ...], qps: int) -> float:
    low, high = math.log2(points[0].qps), math.log2(points[-1].qps)
    share = 0.5 if high == low else (math.log2(qps) - low) / (high - low)
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(value: float) -> float:
    return _TOP + (1 - min(value, 1.0)) * (_HEIGHT - _TOP - _BOTTOM)


def _axes(points: tuple[Effective, ...]) -> Iterator[str]:
    right = _WIDTH - _RIGHT
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        yield f'<line x1="{_LEFT}" y1="{y:g}" x2="{right}" y2="{y:g}" stroke="#DDDDDD"/>'
        yield f'<text x="{_LEFT - 8}" y="{y + 4:g}" text-anchor="end">{percent} %</text>'
    for one in points:
        x = _x(points, one.qps)
        yield f'<text x="{x:g}" y="{_HEIGHT - _BOTTOM + 20}" text-anchor="middle">{one.qps}</text>'
    middle = (_LEFT + right) / 2
    yield f'<text x="{middle:g}" y="{_HEIGHT - 14}" text-anchor="middle">QPs a pair</text>'


def _line(points: tuple[Effective, ...], number: int, series: _Series) -> Iterator[str]:
    name, colour, dashes, value = series
    places = [(_x(points, one.qps), _y(value(one))) for one in points]
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    yield (
        f'<polyline points="{way}" fill="none" stroke="{colour}" stroke-width="2" '
        f'stroke-dasharray="{dashes}"/>'
    )
    yield from (f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places)
    left, top = _WIDTH - _RIGHT + 16, _TOP + 20 + 24 * number
    yield (
        f'<line x1="{left}" y1="{top}" x2="{left + 30}" y2="{top}" stroke="{colour}" '
        f'stroke-width="2" stroke-dasharray="{dashes}"/>'
    )
    yield f'<text x="{left + 38}" y="{top + 4}">{name}</text>'
