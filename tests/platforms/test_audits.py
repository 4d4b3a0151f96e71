"""`fabric audit` of a configuration of our own: each lossless system's text, as a file alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric import catalog, flow
from fabric.checks.auditing import AuditError, audit_of
from fabric.design.devices import DeviceModels
from fabric.text import Renderer
from tests.platforms.test_contract import BOXES, ROOTS, TOPOLOGIES

if TYPE_CHECKING:
    from pathlib import Path

LOSSLESS = [
    (system, family)
    for system, family in BOXES
    if catalog.platform_spec(system, ROOTS).capabilities.lossless
]


def _config(folder: Path, system: str, family: str) -> bytes:
    """The main file of a leaf: the longest, which ends the list where one must go first."""
    model = "nvidia-sn3700" if system == "sonic" else "generic"
    syntax = f", syntax: {family}" if family else ""
    path = folder / "f.yaml"
    path.write_text(
        f"fabric: f\n{TOPOLOGIES['leaf-spine']}\n"
        f"platforms: {{default: {{platform: {system}, model: {model}{syntax}}}}}\n"
    )
    rendered = Renderer(ROOTS).device(DeviceModels(flow.load(path)).of("leaf-0"))
    return max((file.text for file in rendered.files), key=len).encode()


@pytest.mark.parametrize(("system", "family"), LOSSLESS)
def test_the_chain_of_roce_holds(tmp_path: Path, system: str, family: str) -> None:
    found, _ = audit_of(system, _config(tmp_path, system, family), "leaf-0.cfg", ROOTS, dscps=(26,))
    assert found.device == "leaf-0"
    assert found.followed
    assert {one.broken_at for one in found.followed} == {None}
    assert {one.tc for one in found.followed} == {3}


@pytest.mark.parametrize(("system", "family"), LOSSLESS)
def test_no_other_system_audits_it(tmp_path: Path, system: str, family: str) -> None:
    """Refused, or found to have nothing of RoCE's in it; never taken for lossless."""
    raw = _config(tmp_path, system, family)
    for other in dict.fromkeys(name for name, _ in LOSSLESS):
        if other == system:
            continue
        try:
            found, _ = audit_of(other, raw, "x", ROOTS, dscps=(26,))
        except AuditError:
            continue
        assert all(one.broken_at for one in found.followed), other
