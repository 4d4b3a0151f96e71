from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from fabric.cli import run

INVENTORIES = Path(__file__).resolve().parent.parent.parent / "inventories"

SMALL = """\
fabric: small
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: sonic, model: nvidia-sn3700}}
hosts: {count: 4, nic: connectx-6, speed: 100, qps_per_connection: 8}
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass(frozen=True)
class Shell:
    """Runs `fabric` in a folder of its own."""

    folder: Path
    capture: pytest.CaptureFixture[str]

    def __call__(self, *arguments: str) -> Done:
        self.capture.readouterr()
        code = run(list(arguments))
        caught = self.capture.readouterr()
        return Done(code, caught.out, caught.err)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path


@pytest.fixture
def fabric(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return Shell(tmp_path, capsys)
