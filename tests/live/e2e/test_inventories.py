"""Every shipped inventory, a new one too, is rehearsed to its end: all its switches are changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.cli import run
from fabric.files.locate import templates_root

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.design import Design

INVENTORIES = sorted(templates_root().parent.glob("inventories/*.yaml"))
# More cables take long on two cores: then one switch of each kind is changed. Its
# neighbours stay as they ship; what a switch is told does not depend on them.
MANY_CABLES = 150


def _few(design: Design) -> list[str]:
    """One switch of each role and hardware where there are many cables; empty: all."""
    switches = design.topology.switches
    if len(design.topology.links) <= MANY_CABLES:
        return []
    kinds = {
        (switch.role, design.intent.hardware.of(switch.name, switch.role).model.name): switch.name
        for switch in reversed(switches)
    }
    return sorted(kinds.values())


@pytest.mark.parametrize("path", INVENTORIES, ids=lambda path: path.stem)
def test_a_shipped_inventory_is_rehearsed_to_its_end(
    path: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    design = flow.load(path)
    few = _few(design)
    only = [word for name in few for word in ("--device", name)]
    code = run(["rehearse", str(path), "--json", *only])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 0, "\n".join(line.get("message", "") for line in lines)
    count = len(few or design.topology.switches)
    assert lines[-1] == {"event": "end", "exit": 0, "by_status": {"changed": count}}
