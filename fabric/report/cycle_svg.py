"""A picture of a cycle of buffers as SVG text: the same bytes for the same verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from fabric.report.cycle_layout import FONT_PX, LINE_PX, Box, laid_out

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.deadlock import CycleStep, DeadlockVerdict
    from fabric.report.cycle_layout import Arrow, Layout, Node

# Okabe and Ito's colours, dark enough on white; dashes tell them apart without colour.
_LINES = (
    ("#0072B2", ""),
    ("#D55E00", "10 5"),
    ("#007A5A", "3 4"),
    ("#A2457F", "12 4 3 4"),
    ("#7A5200", "6 3 2 3 2 3"),
    ("#444444", "1 3"),
)
_TEXT, _REST = "#1A1A1A", "#666666"
_LEFT = 24
_HEAD = 76  # title and the line below it
_CHAR_PX = 8
_TITLE_CHAR_PX = 11


def cycle_svg(
    verdict: DeadlockVerdict, *, name: str = "", tiers: Mapping[str, int] | None = None
) -> str:
    """The cycle of a verdict. ``name``: of the fabric; ``tiers``: of its switches, if it has any.

    Raises:
        ValueError: the verdict has no cycle.
    """
    cycle = verdict.cycle
    colours = {p: n % len(_LINES) for n, p in enumerate(_priorities(cycle))}
    title = f"{name + ': ' if name else ''}{len(cycle)} buffers wait for each other in a ring"
    under = f"{verdict.word}, routing {verdict.routing}. Each arrow is a buffer behind a cable."
    least = 2 * _LEFT + max(len(title) * _TITLE_CHAR_PX, len(under) * _CHAR_PX)
    layout = laid_out(cycle, tiers or {}, _HEAD, least)
    height = layout.height + LINE_PX * len(colours) + _LEFT
    lines = [
        *_opening(layout.width, height, title, _description(verdict)),
        *_markers(layout, len(colours)),
        f'<rect width="{layout.width:g}" height="{height:g}" fill="#FFFFFF"/>',
        f'<text x="{_LEFT}" y="38" font-size="18" font-weight="bold">{escape(title)}</text>',
        f'<text x="{_LEFT}" y="62">{escape(under)}</text>',
        *(line for arrow in layout.arrows for line in _arrow(arrow, colours)),
        *(line for node in layout.nodes for line in _node(node)),
        *_legend(colours, layout),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _priorities(cycle: tuple[CycleStep, ...]) -> list[int]:
    return sorted({step.priority for step in cycle})


def _description(verdict: DeadlockVerdict) -> str:
    """The cycle for those who hear it, whole."""
    steps = (
        f"the buffer of {step.receiver} {step.receiver_port}".rstrip()
        + f" behind cable {step.link} from {step.sender} {step.sender_port}".rstrip()
        + f" at priority {step.priority}, with traffic from {step.source} for {step.destination}"
        for step in verdict.cycle
    )
    return f"{verdict.word}. Each waits for the next, the last for the first: {'; '.join(steps)}."


def _opening(width: float, height: float, title: str, description: str) -> list[str]:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-labelledby="title description" '
        f'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="{FONT_PX}" '
        f'fill="{_TEXT}">'
    )
    return [
        '<?xml version="1.0" encoding="UTF-8"?>',
        head,
        f'<title id="title">{escape(title)}</title>',
        f'<desc id="description">{escape(description)}</desc>',
    ]


def _markers(layout: Layout, priorities: int) -> list[str]:
    rest = any(arrow.priority is None for arrow in layout.arrows)
    return [
        "<defs>",
        *(_marker(f"head{n}", colour) for n, (colour, _) in enumerate(_LINES[:priorities])),
        *([_marker("head-rest", _REST)] if rest else []),
        "</defs>",
    ]


def _marker(name: str, colour: str) -> str:
    return (
        f'<marker id="{name}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="12" '
        f'markerHeight="12" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0L10 5L0 10z" fill="{colour}"/></marker>'
    )


def _stroke(priority: int | None, colours: Mapping[int, int]) -> str:
    if priority is None:
        return f'stroke="{_REST}" stroke-width="2" stroke-dasharray="2 6"'
    colour, dashes = _LINES[colours[priority]]
    pattern = f" stroke-dasharray={quoteattr(dashes)}" if dashes else ""
    return f'stroke="{colour}" stroke-width="2.5"{pattern}'


def _arrow(arrow: Arrow, colours: Mapping[int, int]) -> list[str]:
    (x1, y1), (x2, y2) = arrow.start, arrow.end
    head = "head-rest" if arrow.priority is None else f"head{colours[arrow.priority]}"
    line = (
        f'<path d="M{x1:g} {y1:g}L{x2:g} {y2:g}" fill="none" '
        f'{_stroke(arrow.priority, colours)} marker-end="url(#{head})"/>'
    )
    box = arrow.label
    beside = _beside(arrow)
    x = {"start": box.x, "end": box.x + box.width, "middle": box.centre[0]}[beside]
    texts = [
        f'<text x="{x:g}" y="{box.y + LINE_PX * n + FONT_PX:g}" text-anchor="{beside}"{bold}>'
        f"{escape(text)}</text>"
        for n, text in enumerate(arrow.lines)
        for bold in (' font-weight="bold"' if n == 0 and arrow.priority is not None else "",)
    ]
    return [line, *texts]


def _beside(arrow: Arrow) -> str:
    """On which side of its label the arrow is: the text begins or ends there."""
    x = (arrow.start[0] + arrow.end[0]) / 2
    box = arrow.label
    return "start" if x < box.x else "end" if x > box.x + box.width else "middle"


def _node(node: Node) -> list[str]:
    box = node.box
    x, y = box.centre
    name_y = y - 3 if node.under else y + 5
    frame = (
        f'<rect x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="6" '
        f'fill="#F4F4F4" stroke="{_TEXT}" stroke-width="1.5"/>'
    )
    at = f'x="{x:g}" y="{name_y:g}" text-anchor="middle"'
    found = [frame, f'<text {at} font-weight="bold">{escape(node.name)}</text>']
    if node.under:
        found.append(f'<text x="{x:g}" y="{y + 14:g}" text-anchor="middle">{node.under}</text>')
    return found


def _legend(colours: Mapping[int, int], layout: Layout) -> list[str]:
    found = []
    for n, priority in enumerate(colours):
        box = Box(_LEFT, layout.height + LINE_PX * n, 44, LINE_PX)
        y = box.centre[1]
        stroke = _stroke(priority, colours)
        found += [
            f'<path d="M{box.x:g} {y:g}h{box.width:g}" fill="none" {stroke}/>',
            f'<text x="{box.x + box.width + 10:g}" y="{y + 5:g}">priority {priority}</text>',
        ]
    return found
