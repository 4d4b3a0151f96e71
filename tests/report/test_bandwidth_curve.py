"""The curve over QPs: where its points lie, as SVG and as PNG."""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
from typing import TYPE_CHECKING

import pytest
from PIL import Image

from fabric.model.bandwidth import Bandwidth, Effective
from fabric.report.bandwidth_curve import Dot, Stroke, Words, curve
from fabric.report.bandwidth_png import dashed, png_bytes
from fabric.report.bandwidth_svg import svg_text

if TYPE_CHECKING:
    from fabric.report.bandwidth_curve import Drawing

SVG = "{http://www.w3.org/2000/svg}"
MEAN, STRIPED, WORST = "#0072B2", "#D55E00", "#007A5A"
LEFT, RIGHT, TOP, BOTTOM = 70, 600, 70, 380  # of the axes


def drawing(*qps: int, name: str = "f") -> Drawing:
    """Mean 0.5, striped 1.02 (drawn as 1), worst 0 everywhere."""
    rows = tuple(Effective(q, "ecmp", 0.5, 0.0, 0.0, 1.02, 50, 1) for q in qps)
    return curve(Bandwidth(8, 0, 100.0, mixed_rates=False, effective=rows), name)


def dots(of: Drawing, colour: str) -> list[tuple[float, float]]:
    return [mark.at for mark in of.marks if isinstance(mark, Dot) and mark.colour == colour]


def test_points_lie_on_a_logarithmic_axis_under_one() -> None:
    of = drawing(1, 2, 8)
    across = [LEFT, LEFT + (RIGHT - LEFT) / 3, RIGHT]
    for colour, y in ((MEAN, 225), (STRIPED, TOP), (WORST, BOTTOM)):
        assert [at[0] for at in dots(of, colour)] == pytest.approx(across)
        assert [at[1] for at in dots(of, colour)] == [y] * 3
    words = [mark.text for mark in of.marks if isinstance(mark, Words)]
    assert words[:2] == ["f: effective rate over QPs a pair", "bisection, ecmp, 50 trials, seed 1"]
    assert {"0 %", "100 %", "1", "2", "8", "QPs a pair", "mean", "striped", "worst pair"} < {*words}


def test_one_point_stands_in_the_middle() -> None:
    assert dots(drawing(4), MEAN) == [((LEFT + RIGHT) / 2, 225)]


def test_svg_is_well_formed_and_has_every_mark() -> None:
    of = drawing(1, 8, name="a<b & c")
    text = svg_text(of)
    root = ET.fromstring(text)  # noqa: S314 - our own text
    kinds = {Words: "text", Stroke: "polyline", Dot: "circle"}
    for kind, tag in kinds.items():
        assert len(root.findall(f"{SVG}{tag}")) == sum(isinstance(m, kind) for m in of.marks)
    assert root.findtext(f"{SVG}title") == "a<b & c: effective rate over QPs a pair"
    lines = [e.get("stroke-dasharray") for e in root.iter(f"{SVG}polyline")]
    assert lines[-6:] == [None, None, "8 5", "8 5", "3 4", "3 4"]
    assert svg_text(drawing(1, 8, name="a<b & c")) == text


def test_png_shows_lines_where_they_are() -> None:
    of = drawing(1, 8)
    content = png_bytes(of)
    assert content.startswith(b"\x89PNG\r\n")
    assert png_bytes(drawing(1, 8)) == content
    image = Image.open(io.BytesIO(content))
    assert image.size == (1520, 880)

    def at(x: float, y: float) -> object:
        return image.getpixel((round(2 * x), round(2 * y)))

    assert at(300, 225) == (0x00, 0x72, 0xB2)  # the mean's line at one half
    assert at(LEFT, BOTTOM) == (0x00, 0x7A, 0x5A)  # a point of the worst
    assert at(LEFT, 225) == (0x00, 0x72, 0xB2)
    assert at(300, 180) == (0xFF, 0xFF, 0xFF)
    assert at(300, 194) == (0xDD, 0xDD, 0xDD)  # 60 %
    blank = {at(x / 2, TOP) for x in range(2 * LEFT + 10, 2 * RIGHT - 10)}
    assert (0xD5, 0x5E, 0x00) in blank  # dashes of the striped line
    assert (0xDD, 0xDD, 0xDD) in blank  # and the axis between them


@pytest.mark.parametrize("name", ["f", "two words"])
def test_png_has_its_words(name: str) -> None:
    """Dark pixels where the title stands, none of them without one."""
    image = Image.open(io.BytesIO(png_bytes(drawing(1, 8, name=name)))).convert("L")
    title = image.crop((2 * LEFT, 20, 1000, 64)).histogram()
    assert sum(title[:60]) > 500
    assert sum(image.crop((1240, 20, 1500, 64)).histogram()[:250]) == 0


def test_dashes_go_on_round_a_corner() -> None:
    stroke = Stroke(((0, 0), (4, 0), (4, 10)), MEAN, dashes=(3, 2))
    assert list(dashed(stroke)) == [
        ((0, 0), (3, 0)),
        ((4, 1), (4, 4)),
        ((4, 6), (4, 9)),
    ]
    assert list(dashed(Stroke(((0, 0), (4, 0), (4, 10)), MEAN))) == [
        ((0, 0), (4, 0)),
        ((4, 0), (4, 10)),
    ]
