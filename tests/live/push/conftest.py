from __future__ import annotations

import importlib
import json
import shutil
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import fabric.platforms as platforms_room
from fabric.cli import run
from fabric.cli._push_show import Asked
from fabric.cli._pushing import push
from fabric.live.push.looking import Reach, Request
from fabric.model.push import TimerClass
from tests.live.push.toy import Switch, Toys

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.push.planned import PlannedFabric

HERE = Path(__file__).parent

INVENTORY = """\
fabric: toy
topology: {kind: leaf-spine, leaves: 3, spines: 2}
platforms: {default: {platform: toy_os, model: acme-sw1000}}
hosts: {count: 6, nic: connectx-6, speed: 100, qps_per_connection: 8}
"""
ADDRESSES = """\
management:
  addresses:
    leaf-0: 192.0.2.10/24
    leaf-1: 192.0.2.11/24
    leaf-2: 192.0.2.12/24
    spine-0: 192.0.2.20/24
    spine-1: 192.0.2.21/24
"""
NAMES = {
    "leaf-0": "192.0.2.10",
    "leaf-1": "192.0.2.11",
    "leaf-2": "192.0.2.12",
    "spine-0": "192.0.2.20",
    "spine-1": "192.0.2.21",
}


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@dataclass
class Bench:
    """A folder with a plan of toy switches, and the switches."""

    folder: Path
    capture: pytest.CaptureFixture[str]
    toys: Toys = field(
        default_factory=lambda: Toys({name: Switch(name, at) for name, at in NAMES.items()})
    )

    @property
    def plan_folder(self) -> Path:
        return self.folder / "build" / "toy"

    @property
    def pushes(self) -> Path:
        return self.folder / ".fabric" / "toy" / "pushes"

    def plan(self, *, text: str = INVENTORY, addresses: bool = True, more: str = "") -> None:
        inventory = self.folder / "toy.yaml"
        inventory.write_text(text + (ADDRESSES if addresses else "") + more, encoding="utf-8")
        assert self.fabric("plan", "toy.yaml").code == 0, self.fabric("plan", "toy.yaml").out

    def request(self, **asked: Any) -> Request:
        return Request(**asked)

    def fabric(self, *arguments: str) -> Done:
        self.capture.readouterr()
        code = run(list(arguments))
        caught = self.capture.readouterr()
        return Done(code, caught.out, caught.err)

    def push(self, **asked: Any) -> Done:
        """`fabric push` with toy switches instead of a data centre."""
        self.capture.readouterr()
        code = push(Asked(**{"dry_run": True, **asked}), self)
        caught = self.capture.readouterr()
        return Done(code, caught.out, caught.err)

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        return all(device.management_address is None for device in planned.wanted)

    @contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        yield Reach(self.toys, {device.name: "admin" for device in planned.wanted})


@pytest.fixture
def bench(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Bench]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(
        platforms_room, "__path__", [*platforms_room.__path__, str(HERE / "systems")]
    )
    shutil.copytree(HERE / "templates", tmp_path / "templates")
    shutil.copytree(HERE / "models", tmp_path / "models")
    yield Bench(tmp_path, capsys)
    for name in [name for name in sys.modules if name.startswith("fabric.platforms.toy_os")]:
        del sys.modules[name]


@pytest.fixture
def planned(bench: Bench) -> Bench:
    bench.plan()
    return bench


@pytest.fixture
def no_timer(planned: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    """Toy OS has no timer on the device."""
    del planned
    pushing = importlib.import_module("fabric.platforms.toy_os.pushing")
    monkeypatch.setattr(pushing.Commit, "timer", TimerClass.NONE)
