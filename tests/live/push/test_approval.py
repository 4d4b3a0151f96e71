"""From the dry run to the push: what was approved is what is done, or nothing is."""

from __future__ import annotations

import io
import json
import re
import stat
from typing import TYPE_CHECKING, Any, NoReturn

import pytest

from fabric.live.collect import bgp
from fabric.live.collect.fact import NotAskedError
from fabric.live.push.contacts import Contact, contacts_file, record
from fabric.live.transport.errors import DeviceError, Kind
from tests.live.push.golden import same

if TYPE_CHECKING:
    from pathlib import Path

    from tests.live.push.conftest import Bench, Done


@pytest.fixture(autouse=True)
def _alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Toys were pushed to before (no first contact), and tell nothing of BGP."""
    monkeypatch.setenv("FABRIC_STATE", str(tmp_path / "state"))
    record(contacts_file(), Contact("toy_os", "1.2.3", "leaf-0", "toy", timer=True, at=0.0))

    def silent(*_: object) -> NoReturn:
        msg = "the toy has no BGP"
        raise NotAskedError(msg)

    monkeypatch.setattr(bgp, "observed_fact", silent)


def real(bench: Bench, **asked: Any) -> Done:
    return bench.push(dry_run=False, time_factor=0.001, **asked)


def approved(bench: Bench, **asked: Any) -> str:
    return str(bench.push(as_json=True, **asked).json["change"])


def touched(bench: Bench) -> set[str]:
    """Devices on which something was put in force."""
    changing = ("commit", "confirm", "save", "rollback", "abort")
    return {
        switch.name
        for switch in bench.toys.switches.values()
        if any(line.startswith(changing) for line in switch.log)
    }


def answers(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """A terminal with somebody at it."""
    terminal = io.StringIO("".join(f"{line}\n" for line in lines))
    monkeypatch.setattr(terminal, "isatty", lambda: True)
    monkeypatch.setattr("sys.stdin", terminal)


def test_a_dry_run_changes_nothing_and_leaves_nothing(planned: Bench) -> None:
    before = {s.name: s.running for s in planned.toys.switches.values()}
    planned.push()
    assert touched(planned) == set()
    for switch in planned.toys.switches.values():
        assert (switch.running, switch.files, switch.loaded) == (before[switch.name], {}, "")
        assert switch.open_sessions == 0


def test_the_same_switches_give_the_same_digest(planned: Bench) -> None:
    first = approved(planned)
    assert approved(planned) == first
    planned.toys.switches["leaf-1"].running += "banner hello\n"
    assert approved(planned) != first


def test_what_was_read_is_kept_for_its_owner_alone(planned: Bench) -> None:
    planned.push()
    (folder,) = planned.pushes.iterdir()
    before = folder / "checkpoints" / "leaf-0" / "before" / "toy.conf"
    assert before.read_text(encoding="utf-8") == planned.toys.switches["leaf-0"].running
    assert (planned.folder / ".fabric" / ".gitignore").read_text(encoding="utf-8") == "*\n"
    for path in (planned.folder / ".fabric" / "toy").rglob("*"):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path
    assert "s3cr3t" not in (folder / "change.json").read_text(encoding="utf-8")


def test_a_second_dry_run_takes_the_place_of_the_first(planned: Bench) -> None:
    planned.push()
    planned.push()
    assert len(list(planned.pushes.iterdir())) == 1
    planned.push(devices=("leaf-0",))
    assert len(list(planned.pushes.iterdir())) == 2  # of one device: another Change


def test_push_with_yes_and_then_again(planned: Bench) -> None:
    done = real(planned, yes=True, as_json=True)
    assert done.code == 0, done.out
    events = [json.loads(line) for line in done.out.splitlines()]
    keys = {"event", "device", "wave", "step", "status", "message"}
    assert all(set(event) == keys for event in events[:-1])
    assert events[-1] == {"event": "end", "exit": 0, "by_status": {"changed": 5}}
    assert [event["event"] for event in events].count("end") == 1
    assert touched(planned) == {"leaf-0", "leaf-1", "leaf-2", "spine-0", "spine-1"}
    for switch in planned.toys.switches.values():
        assert f"hostname {switch.name}" in switch.running
        assert "ntp 198.51.100.1" in switch.running
        assert switch.startup == switch.running
        switch.hostname = switch.name
        switch.log.clear()
    again = real(planned, yes=True)
    assert (again.code, "Nothing to change." in again.out) == (0, True)
    assert touched(planned) == set()
    assert not any("put" in line for s in planned.toys.switches.values() for line in s.log)


def test_no_terminal_and_no_approval(planned: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    done = planned.fabric("push")
    assert (done.code, done.out) == (2, "")
    assert "there is no terminal" in done.err
    assert all(not switch.log for switch in planned.toys.switches.values())


@pytest.mark.parametrize("command", ["push", "rollback"])
def test_without_a_plan_nobody_need_be_asked(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    done = bench.fabric(command)
    assert (done.code, "error: there is no plan below build" in done.err) == (2, True)


@pytest.mark.parametrize("word", ["", " ", "yes", "0" * 63, "F" * 64, "toy.yaml", "build"])
def test_a_word_that_approves_nothing(planned: Bench, word: str) -> None:
    """Refused before anything is read: even a damaged plan is not come to."""
    (planned.plan_folder / "plan.json").unlink()
    done = planned.fabric("push", "--approve", word)
    assert (done.code, done.out) == (2, "")
    assert "RCE922: --approve" in done.err
    done = planned.fabric("rollback", "--approve", word)
    assert (done.code, "RCE922: --approve" in done.err) == (2, True)


@pytest.mark.parametrize("answer", ["", "n", "no", "Y E S", "toy"])
def test_anything_but_yes_is_no(
    planned: Bench, monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    answers(monkeypatch, answer)
    done = real(planned)
    assert "Push to 5 devices of toy?" in done.err
    assert touched(planned) == set()


def test_the_question_answered(planned: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    planned.toys.silent.add("leaf-2")
    answers(monkeypatch, "y", "y")
    done = real(planned)
    assert "Push to 4 devices of toy (1 left out, as told above)?" in done.err
    assert touched(planned) == {"leaf-0", "leaf-1", "spine-0", "spine-1"}
    assert done.code == 3
    assert "left out: leaf-2" in done.out


def test_approved_by_digest(planned: Bench) -> None:
    wrong = real(planned, approve="0" * 64)
    assert (wrong.code, "RCE922" in wrong.out) == (2, True)
    assert touched(planned) == set()
    assert real(planned, approve=approved(planned)).code == 0
    assert len(touched(planned)) == 5


def test_an_approval_is_of_these_options(planned: Bench) -> None:
    digest = approved(planned)
    done = real(planned, approve=digest, request=planned.request(wave_size=1))
    assert (done.code, touched(planned)) == (2, set())


def test_yes_does_not_cover_a_device_left_out(planned: Bench) -> None:
    planned.toys.silent.add("leaf-2")
    done = real(planned, yes=True)
    assert done.code == 2
    assert "--yes does not cover" in done.out
    assert touched(planned) == set()
    assert real(planned, approve=approved(planned)).code == 3
    assert touched(planned) == {"leaf-0", "leaf-1", "spine-0", "spine-1"}


def test_nobody_answers(planned: Bench) -> None:
    planned.toys.silent |= set(planned.toys.switches)
    done = real(planned, yes=True)
    assert (done.code, touched(planned)) == (3, set())
    assert done.out.count("RCE907  ") == 5


def test_rce921_changed_since_the_dry_run(planned: Bench) -> None:
    planned.push()
    planned.toys.switches["leaf-1"].running += "banner hello\n"
    done = real(planned, yes=True)
    assert done.code == 2
    assert "RCE921  leaf-1: its configuration was changed since the dry run" in done.out
    assert "leaf-0" not in done.out.partition("RCE921")[2]
    assert touched(planned) == set()
    assert real(planned, yes=True, refresh=True).code == 0


def test_rce921_not_when_nothing_was_changed(planned: Bench) -> None:
    planned.push()
    assert real(planned, yes=True).code == 0


def test_rce921_not_for_a_push_that_found_nothing_to_do(planned: Bench) -> None:
    assert real(planned, yes=True).code == 0
    assert "Nothing to change" in real(planned, yes=True).out
    planned.toys.switches["leaf-1"].running += "banner hello\n"
    done = real(planned, yes=True)
    assert (done.code, touched(planned)) == (0, set(planned.toys.switches)), done.out


def test_one_device_alone(planned: Bench) -> None:
    done = real(planned, yes=True, devices=("spine-1",))
    assert (done.code, touched(planned)) == (0, {"spine-1"})


def test_refusals_in_the_stream(planned: Bench) -> None:
    planned.toys.switches["leaf-1"].lock = "anna"
    done = real(planned, yes=True, as_json=True)
    events = [json.loads(line) for line in done.out.splitlines()]
    assert [(e["event"], e["device"], e["step"]) for e in events[:-1]] == [
        ("refused", "leaf-1", "RCE919"),
        ("refused", "", "RCE922"),
    ]
    assert events[-1] == {"event": "end", "exit": 2, "by_status": {"refused": 1}}


def test_nothing_is_open(planned: Bench) -> None:
    done = planned.fabric("push", "--resume")
    assert (done.code, "no push is open" in done.out) == (0, True)


def test_screen_of_a_push(planned: Bench) -> None:
    planned.toys.switches["leaf-2"].faults["confirm"] = DeviceError(
        Kind.REFUSED, "leaf-2", "leaf-2: `confirm` was refused: ERROR busy"
    )
    done = real(planned, yes=True, request=planned.request(workers=1))
    same("push", re.sub(r"\d+ s\b", "… s", re.sub(r"\b[0-9a-f]{64}\b", "…", done.out)))


def test_who_is_asked_sees_the_change_though_json_goes_to_a_program(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(monkeypatch, "n")
    done = real(planned, as_json=True)
    assert done.code == 0
    shown, _, question = done.err.partition("Push to 5 devices of toy?")
    assert "wave 1" in shown
    assert "change " in shown
    assert question
    *events, end = [json.loads(line) for line in done.out.splitlines()]
    assert {(event["event"], event["status"]) for event in events} == {("device", "skipped")}
    assert end == {"event": "end", "exit": 0, "by_status": {"skipped": 5}}
    assert touched(planned) == set()


def test_the_stream_names_every_device(planned: Bench) -> None:
    """Skipped ones, unchanged ones and those that were left out too."""
    planned.toys.switches["leaf-1"].lock = "another user has the candidate open"
    digest = approved(planned)
    planned.toys.switches["leaf-2"].faults["confirm"] = DeviceError(
        Kind.REFUSED, "leaf-2", "leaf-2: `confirm` was refused"
    )
    done = real(planned, approve=digest, as_json=True)
    *events, end = [json.loads(line) for line in done.out.splitlines()]
    last = {e["device"]: e["status"] for e in events if e["event"] in {"device", "refused"}}
    assert last == {
        "leaf-0": "failed-restored",
        "leaf-1": "refused",
        "leaf-2": "failed-restored",
        "spine-0": "skipped",
        "spine-1": "skipped",
    }
    counted = {"skipped": 2, "failed-restored": 2, "refused": 1}
    assert end == {"event": "end", "exit": 3, "by_status": counted}


def test_the_stream_names_what_is_as_planned(planned: Bench) -> None:
    assert real(planned, yes=True).code == 0
    for switch in planned.toys.switches.values():
        switch.hostname = switch.name
    done = real(planned, yes=True, as_json=True)
    *events, end = [json.loads(line) for line in done.out.splitlines()]
    assert {event["status"] for event in events} == {"unchanged"}
    assert len(events) == 5
    assert end["by_status"] == {"unchanged": 5}
