"""A drawn curve as SVG text: the same bytes for the same figures."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape

from fabric.report.bandwidth_curve import HEIGHT, WIDTH, Dot, Stroke

if TYPE_CHECKING:
    from fabric.report.bandwidth_curve import Drawing, Words


def svg_text(drawing: Drawing) -> str:
    """The whole file."""
    size = f'width="{WIDTH}" height="{HEIGHT}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif" font-size="13">',
        f"<title>{escape(drawing.title)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>',
        *map(_mark, drawing.marks),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _mark(mark: Words | Stroke | Dot) -> str:
    if isinstance(mark, Stroke):
        return _stroke(mark)
    x, y = mark.at
    if isinstance(mark, Dot):
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{mark.radius:g}" fill="{mark.colour}"/>'
    weight = ' font-weight="bold"' if mark.bold else ""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{mark.anchor}" font-size="{mark.size}" '
        f'fill="{mark.colour}"{weight}>{escape(mark.text)}</text>'
    )


def _stroke(mark: Stroke) -> str:
    way = " ".join(f"{x:.1f},{y:.1f}" for x, y in mark.points)
    dashes = " ".join(map(str, mark.dashes))
    dashed = f' stroke-dasharray="{dashes}"' if dashes else ""
    return (
        f'<polyline points="{way}" fill="none" stroke="{mark.colour}" '
        f'stroke-width="{mark.width}"{dashed}/>'
    )
