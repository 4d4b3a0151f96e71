"""What a reviewer found wrong once, as a user meets it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from fabric.cli.analyze import _curve

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

PLANES = """\
fabric: planes
topology: {kind: rail, rails: 2, groups: 2, spines: 2, planes: rails}
platforms: {default: {platform: frr, model: generic}}
hosts: {count: 8, nics: 2, speed: 100}
links: {speed: 100}
"""
TWO_SPEEDS = """\
fabric: two
topology:
  kind: explicit
  switches: [{name: l0, endpoints: 5}, {name: l1, endpoints: 5}]
  cables: [{a: l0, b: l1, speed: 100}, {a: l0, b: l1, speed: 400}]
platforms: {default: {platform: frr, model: generic}}
hosts: {speed: 100}
links: {speed: 100}
"""
BOND = """\
fabric: bond
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: sonic, model: generic}}
links: {speed: 800}
hosts: {count: 4, nic: connectx-6, speed: 100, attach: bond}
"""


def _run(fabric: Shell, text: str, *words: str) -> Any:
    path = fabric.write("f.yaml", text)
    return fabric("analyze", words[0], str(path), *words[1:], "--json")


def test_the_last_spine_of_a_plane_may_not_go(fabric: Shell) -> None:
    """Planes have no way to each other by design; what counts is what loses its way."""
    done = _run(fabric, PLANES, "drain", "spine-0-0", "--fail", "spine-0-1")
    assert (done.code, done.json["may"]) == (1, False)
    assert "lose their way" in done.json["reasons"][0]
    assert done.json["before"]["theta_uniform_ecmp"] > 0


def test_parallel_cables_of_two_speeds_fail_apart(fabric: Shell) -> None:
    kinds = {
        row["failed"][0]: row
        for row in _run(fabric, TWO_SPEEDS, "bandwidth", "--failures", "1").json["kinds"]
    }
    assert kinds["l0:l1:1"]["worst_tor_uplink_ratio"] == pytest.approx(0.8)
    assert kinds["l0:l1:2"]["worst_tor_uplink_ratio"] == pytest.approx(0.2)
    assert (kinds["l0:l1:1"]["stands_for"], kinds["l0:l1:2"]["stands_for"]) == (1, 1)


def test_a_flow_uses_one_cable_of_a_bond(fabric: Shell) -> None:
    done = _run(fabric, BOND, "bandwidth", "--only", "effective", "--qps", "1", "--trials", "4")
    assert done.json["effective"][0]["mean"] == pytest.approx(0.5)


@pytest.mark.parametrize("words", [("bandwidth", "--failures", "1"), ("drain", "leaf-0")])
def test_nobody_to_send_to_is_said(fabric: Shell, words: tuple[str, ...]) -> None:
    done = _run(
        fabric, BOND.replace("{count: 4, nic: connectx-6", "{count: 1, nic: connectx-6"), *words
    )
    assert done.code == 2
    assert "endpoint" in done.err


CURVE = ("--only", "effective", "--qps", "1,2", "--trials", "2")


def test_the_curve_as_png_beside_svg(fabric: Shell) -> None:
    path = str(fabric.write("f.yaml", BOND))
    words = ("analyze", "bandwidth", path, *CURVE, "--svg", "c.svg", "--png", "c.png")
    assert fabric(*words).code == 0
    assert (fabric.folder / "c.svg").read_bytes().startswith(b"<svg ")
    assert (fabric.folder / "c.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--svg", "c.png"), "--svg c.png: that option writes SVG help: --png c.png, or --svg c.s"),
        (("--png", "c.svg"), "--png c.svg: that option writes PNG help: --svg c.svg, or --png c.p"),
        (("--png", "c.pdf"), "--png c.pdf: that option writes PNG help: --png c.png"),
        (("--png", "no/c.png"), "cannot write no/c.png: No such file"),
        (("--png", "c.png", "--failures", "1"), "--png is about effective rates"),
    ],
)
def test_a_curve_that_cannot_be_drawn(fabric: Shell, words: tuple[str, ...], said: str) -> None:
    path = str(fabric.write("f.yaml", BOND))
    done = fabric("analyze", "bandwidth", path, *words)
    assert done.code == 2
    assert said in " ".join(done.err.split())
    assert [file.name for file in fabric.folder.iterdir()] == ["f.yaml"]


def test_without_pillow_one_sentence_says_how_to_get_it(
    fabric: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_curve, "find_spec", lambda _: None)
    path = str(fabric.write("f.yaml", BOND))
    done = fabric("analyze", "bandwidth", path, "--png", "c.png")
    assert done.code == 2
    assert done.err == (
        "error: --png needs Pillow, which is not installed\n"
        "  help: pip install 'roce-fabric[png]', or --svg, which needs nothing\n"
    )
    assert not (fabric.folder / "c.png").exists()
    assert fabric("analyze", "bandwidth", path, *CURVE, "--svg", "c.svg").code == 0
