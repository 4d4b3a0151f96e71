"""A push to a lab that cannot take it: exit code 2, one sentence, nobody is spoken to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.cli import run
from tests.live.lab import inventories

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout

SMALL = inventories.LEAF_SPINE.replace("leaves: 4", "leaves: 2").replace("h[1-4]", "h[1-2]")


@pytest.fixture(autouse=True)
def _in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(os, "geteuid", lambda: 0)


def planned(text: str) -> None:
    Path("small.yaml").write_text(text)
    assert run(["plan", "small.yaml"]) == 0


@pytest.mark.parametrize(
    ("text", "lab", "message"),
    [
        (SMALL, "nosuch", "lab nosuch is not up"),
        (SMALL.replace("ls4x2", "other"), "small", "lab small is one of ls4x2, the plan is of"),
        (SMALL.replace("frr", "sonic"), "small", "4 devices are planned for other systems: leaf-0"),
        (inventories.LEAF_SPINE, "small", "lab small has no switch leaf-2, leaf-3"),
    ],
)
def test_refused(
    text: str, lab: str, message: str, small: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert small.name == "small"
    planned(text)
    capsys.readouterr()
    assert run(["push", "--lab", lab, "--yes", "--window"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize("command", ["push", "rollback", "status"])
def test_root_alone(
    command: str,
    small: Layout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    planned(SMALL)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert run([command, "--lab", small.name]) == 2
    assert "a lab needs root" in capsys.readouterr().err


def test_offline_asks_nobody(small: Layout, capsys: pytest.CaptureFixture[str]) -> None:
    planned(SMALL)
    capsys.readouterr()
    assert run(["push", "--lab", small.name, "--dry-run", "--offline", "--json"]) == 0
    change = json.loads(capsys.readouterr().out)
    assert change["offline"] is True
    assert sum(map(len, change["waves"])) == 4
