"""`fabric rehearse`, as it is typed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.cli import run
from fabric.live.transport import dial
from fabric.live.transport.netmiko_session import driven
from tests.live.e2e.bench import INVENTORY

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.transport.talk import Talk


@pytest.fixture
def inventory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    fields = {"fabric": "trial", "system": "arista_eos", "model": "generic", "more": ""}
    text = INVENTORY.format(**fields, nic="connectx-7", speed=100)
    (tmp_path / "trial.yaml").write_text(text, encoding="utf-8")
    return "trial.yaml"


def test_one_command_from_an_inventory(
    inventory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rehearse", inventory]) == 0
    out = capsys.readouterr().out
    assert "Rehearsal of trial: 2 fake switches (arista_eos)" in out
    assert "2 changed" in out
    assert "no transcript or document backs" in out
    assert [path.name for path in tmp_path.iterdir()] == [inventory]  # all else was private


def test_who_speaks_is_the_inventory_s_word(
    inventory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with (tmp_path / inventory).open("a") as file:
        file.write("connection: {devices: {spine-0: {cli: netmiko}}}\n")
    by_driver = set()

    def watched(channel: Any, names: Any, talk: Talk, wait: Any) -> Any:
        by_driver.add(talk.teller.device)
        return driven(channel, names, talk, wait)

    monkeypatch.setattr(dial, "driven", watched)
    assert run(["rehearse", inventory]) == 0
    assert by_driver == {"spine-0"}


def test_a_fault_at_a_step_and_json(inventory: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = run(["rehearse", inventory, "--json", "--fault", "drop@leaf-0:confirm"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert code == 3
    assert lines[-1] == {
        "event": "end",
        "exit": 3,
        "by_status": {"skipped": 1, "failed-restored": 1},
    }


@pytest.mark.parametrize(
    ("fault", "meant"),
    [
        ("dorp@leaf-0", "did you mean drop?"),
        ("drop@leaf-1", "did you mean leaf-0?"),
        ("drop@leaf-0:confrm", "did you mean confirm?"),
    ],
)
def test_a_fault_that_is_none(
    inventory: str, capsys: pytest.CaptureFixture[str], fault: str, meant: str
) -> None:
    assert run(["rehearse", inventory, "--fault", fault]) == 2
    assert meant in capsys.readouterr().err


def test_a_plan_that_lies_there_is_copied(
    inventory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", inventory]) == 0
    before = sorted(tmp_path.rglob("*"))
    capsys.readouterr()
    assert run(["rehearse", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["offline"] is False
    assert sorted(tmp_path.rglob("*")) == before
