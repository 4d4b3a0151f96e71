"""The build of validation 2.6 whose cables are dealt to routers in turn, from an inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.analysis.bandwidth.answer import Asked, answer

if TYPE_CHECKING:
    from pathlib import Path

TEXT = """\
fabric: p8a4
topology: {kind: dragonfly, p: 8, a: 4, h: 4, g: 4, arrangement: round-robin}
platforms: {default: {platform: sonic, model: generic}}
hosts: {count: 128, speed: 100}
"""


def test_p8_a4_h4_g4_of_the_reference(tmp_path: Path) -> None:
    """θ of uniform traffic .496 / .549, of adversarial .130 / .3125, bisection .3125."""
    path = tmp_path / "p8a4.yaml"
    path.write_text(TEXT)
    found = answer(flow.load(path), Asked(qps=(8,), trials=1))
    theta = {one.kind: (one.ecmp, one.lp) for one in found.thetas}
    assert theta["uniform"] == pytest.approx((0.496, 0.549), abs=5e-4)
    assert theta["adversarial"] == pytest.approx((0.130, 0.3125), abs=5e-4)
    assert found.bisection is not None
    assert (found.bisection.kind, found.bisection.ratio) == ("exact", 0.3125)
