"""What the terminal says first must be true of the systems in use."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import fabric
from fabric.analysis.verdict import planned
from fabric.report.summary import summarise, summary_lines
from fabric.report.text import Style

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design


def lines_of(design: Design) -> list[str]:
    return summary_lines(summarise(design, planned(design)), design, Style(width=400))


def _text(tmp_path: Path, platforms: str, rest: str = "") -> str:
    path = tmp_path / "t.yaml"
    path.write_text(
        "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"
        f"platforms: {{{platforms}}}\n{rest}",
        encoding="utf-8",
    )
    design = fabric.load(path)
    return " ".join(" ".join(lines_of(design)).split())


def test_a_fabric_without_pfc_claims_neither_lossless_queues_nor_a_cap(tmp_path: Path) -> None:
    text = _text(tmp_path, "default: {platform: frr}")
    assert "RoCE DSCP 26 → priority 3; ordinary traffic on FRR on Linux;" in text
    assert "CNP DSCP 48 → priority 6; no queue of its own on FRR on Linux" in text
    assert "capped" not in text
    assert "not known" not in text  # there is no headroom to know


def test_a_mixed_fabric_says_where(tmp_path: Path) -> None:
    text = _text(tmp_path, "leaf: {platform: sonic}, spine: {platform: frr}")
    assert "queue 3, lossless; ordinary traffic on FRR on Linux;" in text
    assert "strict, capped at 10 %; no queue of its own on FRR on Linux" in text


@pytest.mark.parametrize(
    ("per_leaf", "shown"), [(3, "1.5 : 1"), (4, "2 : 1"), (1, "1 : 2"), (7, "3.5 : 1")]
)
def test_the_ratio_has_three_decimals_at_most(tmp_path: Path, per_leaf: int, shown: str) -> None:
    assert shown in _text(tmp_path, "", f"hosts: {{per_leaf: {per_leaf}, name: 'g{{n}}'}}\n")


def test_field_case_53_b(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 60}\nlinks: {speed: 400}\n"
        "hosts: {speed: 200, per_leaf: 128, name: 'g{n}'}\n",
        encoding="utf-8",
    )
    design = fabric.load(path)
    assert "1.067 : 1" in "\n".join(lines_of(design))


def test_where_roce_rises_stands_beside_its_first_class(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    kind = "fabric: t\ntopology: {kind: dragonfly, p: 1, a: 2, h: 1, g: 3}\n"
    path.write_text(f"{kind}platforms: {{default: {{platform: sonic}}}}\n", encoding="utf-8")
    design = fabric.load(path)
    text = " ".join(lines_of(design))
    assert "on global cables to DSCP 34 → priority 4 → queue 4, lossless too" in text
    path.write_text(f"{kind}platforms: {{default: {{platform: frr}}}}\n", encoding="utf-8")
    design = fabric.load(path)
    assert "global cables" not in " ".join(lines_of(design))
