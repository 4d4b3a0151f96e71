"""Each command that a screen names can be copied; a stream of events always has its end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import pytest

from fabric.cli import UsageError, _pushing
from fabric.cli._push_show import Asked
from fabric.cli._resuming import resume
from fabric.cli._rolling_back import roll_back
from fabric.live.push.contacts import Contact, contacts_file, record
from fabric.live.push.journal import Journal, Record
from fabric.live.push.looking import Request
from fabric.live.transport.errors import DeviceError, Kind

if TYPE_CHECKING:
    from tests.live.push.conftest import Bench


@pytest.fixture
def several(planned: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """Two plans lie below build/, so that each command has to say which is meant."""
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    record(contacts_file(), Contact("toy_os", "1.2.3", "leaf-0", "toy", timer=True, at=0.0))
    text = (tmp_path / "toy.yaml").read_text(encoding="utf-8").replace("toy", "other", 1)
    (tmp_path / "other.yaml").write_text(text, encoding="utf-8")
    assert planned.fabric("plan", "other.yaml").code == 0
    return planned


def commands(text: str) -> list[str]:
    """Every further command of a screen: after a title, or in backquotes."""
    lines = [line.partition(": ")[2] for line in text.splitlines() if ": fabric " in line]
    return [part for line in lines for part in line.split(" · ")]


def test_after_a_dry_run(several: Bench) -> None:
    for devices in ((), ("leaf-0",)):
        out = several.push(build="toy", devices=devices).out
        assert commands(out)
        assert all(command.startswith("fabric push toy") for command in commands(out))


def test_one_device_shows_its_digest(several: Bench) -> None:
    done = several.push(build="toy", devices=("leaf-0",), as_json=True)
    out = several.push(build="toy", devices=("leaf-0",)).out
    again = f"fabric push toy --device leaf-0 --approve {done.json['change']}"
    assert out.splitlines()[-1] == f"In a pipeline: {again}"


def test_after_a_push_and_in_its_status(several: Bench) -> None:
    done = several.push(build="build/toy", dry_run=False, yes=True)
    assert done.code == 0, done.out
    assert commands(done.out) == ["fabric status toy", "fabric rollback build/toy"]
    assert commands(several.fabric("status").out) == ["fabric rollback toy --dry-run"]


def test_a_rollback_that_failed_is_tried_again_not_undone(several: Bench) -> None:
    """The last push is the rollback itself by then, so the command says which is meant."""
    assert several.push(build="toy", dry_run=False, yes=True).code == 0
    (first,) = several.pushes.iterdir()
    failure = DeviceError(Kind.REFUSED, "leaf-1", "leaf-1: `confirm` was refused")
    several.toys.switches["leaf-1"].faults["confirm"] = failure
    several.capture.readouterr()
    assert roll_back(Asked(build="toy", yes=True), several, None) == 3
    told = commands(several.capture.readouterr().out)
    again = f"fabric rollback --push {first.name} toy"
    assert told[:2] == [f"{again} --device leaf-1", again]


def test_of_a_push_that_is_open(several: Bench) -> None:
    assert several.push(build="toy", dry_run=False, yes=True).code == 0
    (folder,) = several.pushes.iterdir()
    journal = Journal(folder / "journal.jsonl")
    journal.write(Record("push", "interrupted"))
    journal.close()
    assert commands(several.fabric("status").out) == ["fabric push toy --resume"]
    refused = several.push(build="toy", dry_run=False, yes=True)
    assert (refused.code, "`fabric push toy --resume`" in refused.out) == (2, True)
    several.capture.readouterr()
    assert roll_back(Asked(build="toy", yes=True), several, None) == 2
    assert "`fabric push toy --resume`" in several.capture.readouterr().out


def test_a_resumed_push_is_approved_by_its_own_digest(several: Bench) -> None:
    assert several.push(build="toy", dry_run=False, yes=True).code == 0
    (folder,) = several.pushes.iterdir()
    journal = Journal(folder / "journal.jsonl")
    journal.write(Record("push", "interrupted"))
    journal.close()
    assert resume(Asked(build="toy", approve="0" * 64), several) == 2
    assert "RCE922" in several.capture.readouterr().out
    digest = json.loads((folder / "change.json").read_text(encoding="utf-8"))["sha256"]
    assert resume(Asked(build="toy", approve=digest), several) == 0


def test_of_what_is_not_there(several: Bench) -> None:
    with pytest.raises(UsageError) as error:
        roll_back(Asked(build="other", yes=True), several, None)
    assert error.value.fix == "`fabric push other --dry-run` shows what would be"
    for command in ("push", "rollback"):
        done = several.fabric(command, "--yes")
        assert f"name it: fabric {command} NAME --yes\n" in done.err


def test_which_plan_is_asked_with_all_flags_as_given(several: Bench) -> None:
    """A dry run is not turned into a push, and nobody is led to one of the plans."""
    done = several.fabric("push", "--dry-run", "--offline", "--device", "leaf-0")
    assert (done.code, "other  5 devices" in done.err) == (2, True)
    assert "fabric push NAME --device leaf-0 --dry-run --offline\n" in done.err
    assert "fabric push NAME --resume\n" in several.fabric("push", "--resume").err
    done = several.fabric("rollback", "--push", "2026", "--dry-run")
    assert "fabric rollback --push 2026 NAME --dry-run\n" in done.err
    done = several.fabric("rehearse", "--fault", "drop@leaf-0:take it back", "--dry-run")
    assert "fabric rehearse NAME --fault 'drop@leaf-0:take it back' --dry-run\n" in done.err


def test_the_list_of_plans_is_one_line_of_a_stream(several: Bench) -> None:
    (event, _) = map(json.loads, several.fabric("push", "--yes", "--json").out.splitlines())
    assert event["message"] == (
        "there are 2 plans below build; NAME is one of: other 5 devices, toy 5 devices; "
        "name it: fabric push NAME --yes --json"
    )


def test_an_offline_dry_run_is_shown_offline(several: Bench) -> None:
    out = several.push(build="toy", offline=True).out
    assert "Show: fabric push toy --dry-run --offline --device leaf-0 (" in out


def test_nothing_to_resume(several: Bench) -> None:
    """There is no status before the first push."""
    done = several.fabric("push", "toy", "--resume")
    assert (done.code, commands(done.out)) == (0, ["fabric push toy --dry-run"])
    assert several.push(build="toy", dry_run=False, yes=True).code == 0
    assert commands(several.fabric("push", "toy", "--resume").out) == ["fabric status toy"]


REHEARSED = Asked(
    build="toy.yaml",
    command="fabric rehearse",
    allow_experimental=True,
    accept_no_timer=True,
    request=Request(window=True),
    faults=("drop@leaf-0", "reject@leaf-1:lay it down"),
    state=Path("/private/.fabric"),
    rehearsed=True,
)


def test_of_a_rehearsal() -> None:
    """Its faults belong to it; what counts as given there need not be given."""
    both = "fabric rehearse toy.yaml --fault drop@leaf-0 --fault 'reject@leaf-1:lay it down'"
    assert REHEARSED.again == both
    assert REHEARSED.for_devices(("leaf-0",)) == (
        "fabric rehearse toy.yaml --fault drop@leaf-0 --device leaf-0"
    )
    assert REHEARSED.worded("(`fabric push --dry-run`)") == f"(`{both} --dry-run`)"
    assert REHEARSED.worded("`fabric status`") == "`fabric status`"
    assert REHEARSED.worded("it lies in /private/.fabric/toy/x") == "it lies in .fabric/toy/x"


WRONG = (
    ("push",),  # no terminal
    ("push", "--yes", "--approve", "0" * 64),
    ("push", "--wave-size", "0"),  # typer's own
    ("push", "--nonsense"),
    ("push", "nowhere", "--yes"),
    ("rollback", "--yes"),  # nothing was ever pushed
    ("rehearse", "nowhere.yaml"),
    ("rehearse", "bad.yaml"),
    ("rehearse", "--fault", "drop@nobody"),
)


@pytest.mark.parametrize("words", WRONG)
def test_a_stream_of_events_always_ends(planned: Bench, words: tuple[str, ...]) -> None:
    (planned.folder / "bad.yaml").write_text("fabric: [\n", encoding="utf-8")
    done = planned.fabric(*words, "--json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert done.code == 2
    assert done.err
    assert {event["event"] for event in events[:-1]} == {"refused"}
    assert all(event["message"] for event in events[:-1])
    assert events[-1] == {"event": "end", "exit": 2, "by_status": {}}
    change = planned.fabric(*words, "--json", "--dry-run")
    if change.code == 2:
        assert list(change.json) == ["schema", "change", "offline", "waves", "refused"]


def test_ctrl_c_before_anything_was_begun(planned: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> NoReturn:
        raise KeyboardInterrupt

    monkeypatch.setattr(_pushing, "push", stopped)
    done = planned.fabric("push", "--yes", "--json")
    assert (done.code, "interrupted; nothing half-written" in done.err) == (130, True)
    events = [json.loads(line) for line in done.out.splitlines()]
    assert events[-1] == {"event": "end", "exit": 130, "by_status": {}}
