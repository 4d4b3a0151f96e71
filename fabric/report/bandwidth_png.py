"""A drawn curve as PNG, by Pillow (extra ``png``): its built-in font, so no font is asked for."""

from __future__ import annotations

import io
import math
from itertools import cycle, pairwise
from typing import TYPE_CHECKING

from fabric.report.bandwidth_curve import HEIGHT, WIDTH, Dot, Stroke

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.ImageDraw import ImageDraw

    from fabric.report.bandwidth_curve import Drawing, Point, Words

_SCALE = 2  # pixels a unit of the drawing
_FINE = 4  # drawn so much larger, then made smaller: Pillow draws no smooth lines
_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}  # Pillow's words for the baseline


def png_bytes(drawing: Drawing) -> bytes:
    """The whole file, ``_SCALE`` pixels a unit. The same bytes for the same figures and Pillow."""
    from PIL import Image, ImageDraw  # noqa: PLC0415 - an extra

    times = _SCALE * _FINE
    image = Image.new("RGB", (WIDTH * times, HEIGHT * times), "#FFFFFF")
    canvas = ImageDraw.Draw(image)
    for mark in drawing.marks:
        _draw(canvas, mark, times)
    small = image.resize((WIDTH * _SCALE, HEIGHT * _SCALE), Image.Resampling.BOX)
    buffer = io.BytesIO()
    small.save(buffer, "PNG")
    return buffer.getvalue()


def _draw(canvas: ImageDraw, mark: Words | Stroke | Dot, times: int) -> None:
    from PIL import ImageFont  # noqa: PLC0415

    if isinstance(mark, Stroke):
        for one, other in dashed(mark):
            ends = (_times(one, times), _times(other, times))
            canvas.line(ends, fill=mark.colour, width=mark.width * times)
    elif isinstance(mark, Dot):
        canvas.circle(_times(mark.at, times), mark.radius * times, fill=mark.colour)
    else:
        canvas.text(
            _times(mark.at, times),
            mark.text,
            fill=mark.colour,
            font=ImageFont.load_default(mark.size * times),
            anchor=_ANCHORS[mark.anchor],
            stroke_width=times // 3 if mark.bold else 0,
        )


def _times(point: Point, times: int) -> Point:
    return point[0] * times, point[1] * times


def dashed(stroke: Stroke) -> Iterator[tuple[Point, Point]]:
    """The pieces that are drawn; dashes go on round the corners, as SVG has them."""
    lengths = cycle(stroke.dashes or (math.inf,))
    left, on = next(lengths), True
    for (x, y), (end_x, end_y) in pairwise(stroke.points):
        whole, done = math.hypot(end_x - x, end_y - y), 0.0
        while done < whole:
            step = min(left, whole - done)
            here, there = done / whole, (done + step) / whole
            if on:
                yield (
                    (x + here * (end_x - x), y + here * (end_y - y)),
                    (x + there * (end_x - x), y + there * (end_y - y)),
                )
            done, left = done + step, left - step
            if left <= 0:
                left, on = next(lengths), not on
