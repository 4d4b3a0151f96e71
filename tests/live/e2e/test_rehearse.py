"""`fabric rehearse`, as it is typed."""

from __future__ import annotations

import errno
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from fabric.cli import run
from fabric.cli._push_show import Asked
from fabric.cli._rehearsing import afterwards
from fabric.live.rehearsal.room import private_room
from fabric.live.transport import dial
from fabric.live.transport.netmiko_session import driven
from tests.live.e2e.bench import INVENTORY

if TYPE_CHECKING:
    from fabric.live.transport.talk import Talk

PAGE = (Path(__file__).parents[3] / "docs" / "push.md").read_text(encoding="utf-8")


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
    assert "So this is the first configuration" in out
    assert "2 changed" in out
    assert "no transcript or document backs" in out
    assert [path.name for path in tmp_path.iterdir()] == [inventory]  # all else was private


def test_who_speaks_is_the_inventory_s_word(
    inventory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / inventory
    said = file.read_text(encoding="utf-8")
    more = "connection: {devices: {spine-0: {cli: netmiko}}, "
    file.write_text(said.replace("connection: {", more), encoding="utf-8")
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


def test_a_restart_in_a_step_that_changes_nothing_that_runs(
    inventory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rehearse", inventory, "--fault", "reboot@leaf-0:confirm"]) == 3
    assert "not met" not in capsys.readouterr().out


def test_offline_nothing_can_go_wrong(inventory: str, capsys: pytest.CaptureFixture[str]) -> None:
    offline = ["rehearse", inventory, "--dry-run", "--offline", "--fault", "drop@leaf-0"]
    assert run(offline) == 2
    assert "leave out --offline, or --fault" in capsys.readouterr().err


def test_offline_a_way_back_that_the_device_would_tell_is_assumed(
    inventory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / inventory
    said = file.read_text(encoding="utf-8")
    file.write_text(said.replace("arista_eos", "sonic"), encoding="utf-8")
    for offline in ([], ["--offline"]):
        assert run(["rehearse", inventory, "--dry-run", *offline]) == 0
        out = " ".join(capsys.readouterr().out.split())
        assert ("(assumed: the device was not asked)." in out) is bool(offline)


@pytest.mark.parametrize("example", re.findall(r'--fault "?([a-z-]+@[^"\n#]*\w)', PAGE))
def test_faults_of_the_page_are_some(inventory: str, tmp_path: Path, example: str) -> None:
    """On the system of most examples."""
    file = tmp_path / inventory
    said = file.read_text(encoding="utf-8")
    file.write_text(said.replace("arista_eos", "sonic"), encoding="utf-8")
    assert run(["rehearse", inventory, "--dry-run", "--fault", example]) == 0


def test_a_question_lists_the_steps_of_the_way_back_too(
    inventory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rehearse", inventory, "--dry-run", "--fault", "drop@leaf-0:?"]) == 2
    told = capsys.readouterr().err
    assert "steps: " in told
    assert "confirm" in told
    assert "replace by the checkpoint" in told


def test_a_plan_that_lies_there_is_copied(
    inventory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["plan", inventory]) == 0
    before = sorted(tmp_path.rglob("*"))
    capsys.readouterr()
    assert run(["rehearse", "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["offline"] is False
    assert sorted(tmp_path.rglob("*")) == before


def test_a_fault_that_was_never_met_is_told(
    inventory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first fault makes all go back, so that nothing is ever saved."""
    never = ["--fault", "reject@leaf-0:save", "--fault", "drop@spine-0:confirm"]
    assert run(["rehearse", inventory, "--fault", "reject@leaf-0:confirm", *never]) == 3
    out = capsys.readouterr().out
    assert "Fault reject@leaf-0:save was not met: the step 'save' did not begin there." in out
    assert "Fault drop@spine-0:confirm was not met" in out
    assert "reject@leaf-0:confirm was not met" not in out


def test_a_fault_that_nothing_fits_is_told(
    inventory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rehearse", inventory, "--dry-run", "--fault", "reject@leaf-0"]) == 0
    assert "Fault reject@leaf-0:" in capsys.readouterr().out


@pytest.mark.parametrize("place", ["", "inventories"])
@pytest.mark.parametrize("command", [["push", "--offline"], ["rehearse"]])
def test_an_inventory_that_was_edited_since_is_noted(
    inventory: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    command: list[str],
    place: str,
) -> None:
    folder = tmp_path / place
    folder.mkdir(exist_ok=True)
    file = (tmp_path / inventory).rename(folder / inventory)
    assert run(["plan", str(file)]) == 0
    assert run([*command, "--dry-run"]) == 0
    assert "note: " not in capsys.readouterr().err
    file.write_text(file.read_text(encoding="utf-8") + "# more\n", encoding="utf-8")
    assert run([*command, "--dry-run"]) == 0
    named = file.relative_to(tmp_path)
    assert f"note: {named} has changed since the plan was made" in capsys.readouterr().err


def next_line(capsys: pytest.CaptureFixture[str]) -> str:
    return capsys.readouterr().out.splitlines()[-1]


def test_what_comes_next(
    inventory: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each line can be copied: it is a command that knows which plan is meant."""

    def after(wanted: str, name: str) -> list[str]:
        return afterwards(Asked(build=wanted, rehearsed=True), 0, Path("build", name))

    copy = tmp_path / "copy" / "trial"
    copy.mkdir(parents=True)
    (copy / "plan.json").write_text("{}", encoding="utf-8")
    asked = Asked(build=inventory, rehearsed=True)
    assert afterwards(asked, 0, copy) == ["Next: fabric plan trial.yaml"]
    run(["plan", inventory])
    assert afterwards(asked, 0, copy) == ["Next: fabric plan trial.yaml"]  # it is another by now
    assert after(inventory, "trial") == ["Next: fabric push --dry-run"]
    other = (tmp_path / inventory).read_text(encoding="utf-8").replace("trial", "other", 1)
    (tmp_path / "other.yaml").write_text(other, encoding="utf-8")
    run(["plan", "other.yaml"])
    assert after(inventory, "trial") == ["Next: fabric push trial --dry-run"]
    assert after("build/other", "other") == ["Next: fabric push build/other --dry-run"]
    capsys.readouterr()
    assert run(["rehearse"]) == 2
    assert "name it: fabric rehearse NAME" in capsys.readouterr().err


def test_what_comes_next_when_it_failed(inventory: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rehearse", inventory, "--fault", "reject@leaf-0"]) == 3
    assert next_line(capsys) == "Next: fabric rehearse trial.yaml (without faults)"
    asked = Asked(build=inventory, command="fabric rehearse", rehearsed=True)
    *kept, following = afterwards(asked, 4, Path())
    assert kept == ["Nothing of a rehearsal is kept; a push keeps in .fabric what it names there."]
    assert following == "Next: fabric rehearse trial.yaml (again, with what failed mended)"


def test_nothing_of_a_rehearsal_can_be_resumed(
    inventory: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rehearse", inventory, "--resume"]) == 2
    assert "a rehearsal leaves nothing open" in capsys.readouterr().err


def test_what_a_killed_rehearsal_left_is_gone(
    inventory: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    code = f"from fabric.cli import run; run(['rehearse', '{inventory}'])"
    environment = {**os.environ, "TMPDIR": str(temporary), "PYTHONPATH": os.pathsep.join(sys.path)}
    killed = subprocess.Popen(
        [sys.executable, "-c", code], env=environment, stdout=subprocess.PIPE, text=True
    )
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    with killed, private_room() as other:
        assert killed.stdout is not None
        assert killed.stdout.readline()  # it is in the middle of it
        (mine,) = (path for path in temporary.iterdir() if path != other)
        assert (mine / "build").is_dir()  # that of a living one stays
        killed.kill()
    with private_room() as other:
        assert list(temporary.iterdir()) == [other]
    assert list(temporary.iterdir()) == []


def test_no_room_for_temporary_files(
    inventory: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> NoReturn:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(tempfile, "mkdtemp", full)
    assert run(["rehearse", inventory, "--json"]) == 2
    caught = capsys.readouterr()
    assert "No space left on device; make room, or name another place by TMPDIR" in caught.err
    assert json.loads(caught.out.splitlines()[-1])["event"] == "end"


@pytest.mark.parametrize("form", ["--json", ""], ids=["events", "text"])
def test_the_reader_goes_and_the_push_comes_to_its_end(inventory: str, form: str) -> None:
    """`fabric rehearse | head -1`: its own exit code, and how it ended on standard error."""
    words = [
        sys.executable,
        "-m",
        "fabric",
        "rehearse",
        inventory,
        "--fault",
        "reject@leaf-0:confirm",
    ]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(
        [*words, *([form] if form else [])],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        assert process.stderr
        for line in process.stdout:
            if '"push"' in line or "wave" in line.lower():
                break
        process.stdout.close()
        told = process.stderr.read()
    assert process.returncode == 3, told
    assert ('"event": "end", "exit": 3' in told) if form else ("failed-restored" in told)
    assert "Broken" not in told
