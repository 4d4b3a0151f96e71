"""`fabric rollback` and `fabric status`, over whole pushes of toy switches."""

from __future__ import annotations

import json
import shutil
import time
from typing import TYPE_CHECKING, Any

import pytest

from fabric.cli import UsageError
from fabric.cli._push_show import Asked
from fabric.cli._resuming import resume
from fabric.cli._rolling_back import roll_back
from fabric.live.push.journal import Journal
from fabric.live.transport.errors import DeviceError, Kind

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.push.journal import Record
    from tests.live.push.conftest import Bench


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    known = tmp_path / "state" / "contacts.jsonl"
    known.parent.mkdir()
    known.write_text('{"platform": "toy_os", "os_version": "1.2.3"}\n')
    monkeypatch.setenv("FABRIC_STATE", str(known.parent))


def texts(bench: Bench) -> dict[str, str]:
    return {name: switch.running for name, switch in bench.toys.switches.items()}


def back(bench: Bench, push: str | None = None, **asked: Any) -> tuple[int, str]:
    bench.capture.readouterr()
    code = roll_back(Asked(**{"yes": True, "refresh": True, **asked}), bench, push)
    return code, bench.capture.readouterr().out


def test_back_to_the_byte(planned: Bench) -> None:
    before = texts(planned)
    assert planned.push(dry_run=False, yes=True).code == 0
    after = texts(planned)
    assert all(after[name] != before[name] for name in before)
    assert all(switch.startup == switch.running for switch in planned.toys.switches.values())
    code, out = back(planned)
    assert code == 0, out
    assert "Back to what was in force before push" in out
    assert texts(planned) == before
    assert all(switch.startup == before[name] for name, switch in planned.toys.switches.items())
    assert all(switch.timer == "" for switch in planned.toys.switches.values())


def test_a_dry_run_of_it_changes_nothing(planned: Bench) -> None:
    planned.push(dry_run=False, yes=True)
    after = texts(planned)
    code, out = back(planned, dry_run=True, yes=False)
    assert code == 0
    assert "dry run: nothing will be changed" in out
    assert texts(planned) == after


def test_one_device_and_an_older_push(planned: Bench) -> None:
    before = texts(planned)
    planned.push(dry_run=False, yes=True)
    (first,) = [path.name for path in planned.pushes.iterdir()]
    planned.toys.switches["leaf-0"].running += "ntp 203.0.113.7\n"
    after = texts(planned)
    code, out = back(planned, first, devices=("leaf-0",))
    assert code == 0, out
    assert texts(planned) == {**after, "leaf-0": before["leaf-0"]}


def test_it_is_a_push_itself_and_can_be_undone(planned: Bench) -> None:
    planned.push(dry_run=False, yes=True)
    after = texts(planned)
    (first,) = planned.pushes.iterdir()
    back(planned)
    (undone,) = [path for path in planned.pushes.iterdir() if path != first]
    code, out = back(planned, undone.name)
    assert code == 0, out
    assert texts(planned) == after


def test_one_device_first_then_the_rest(planned: Bench) -> None:
    """A rollback is never taken back by the next one: that goes behind the same push."""
    before = texts(planned)
    planned.push(dry_run=False, yes=True)
    (first,) = planned.pushes.iterdir()
    assert back(planned, devices=("leaf-0",))[0] == 0
    code, out = back(planned)
    assert code == 0, out
    assert f"before push {first.name}" in out
    assert texts(planned) == before
    code, out = back(planned)
    assert (code, "Nothing to change" in out) == (0, True)
    assert texts(planned) == before


def test_only_rollbacks_are_left(planned: Bench) -> None:
    planned.push(dry_run=False, yes=True)
    (first,) = planned.pushes.iterdir()
    back(planned)
    shutil.rmtree(first)
    with pytest.raises(UsageError, match="RCE947: only rollbacks of toy are left"):
        back(planned)


def test_what_lets_us_in_was_changed_by_hand_since(planned: Bench) -> None:
    """Going back would change it: refused with a way out, and that way leads out."""
    before = texts(planned)
    planned.push(dry_run=False, yes=True)
    (folder,) = planned.pushes.iterdir()
    switch = planned.toys.switches["leaf-0"]
    old, new = "user admin password 7 s3cr3t", "user admin password 7 n3w"
    switch.running = switch.running.replace(old, new)
    code, out = back(planned)
    told = " ".join(out.split())
    assert code == 2
    assert "RCE920  leaf-0: the candidate changes what lets us in" in out
    assert "put these lines on the device back by hand (they lie in" in told
    assert "s3cr3t" not in out
    kept = folder / "checkpoints" / "leaf-0" / "before" / "toy.conf"
    assert str(kept.parent.relative_to(planned.folder)) in "".join(out.split())
    assert old in kept.read_text(encoding="utf-8")
    switch.running = switch.running.replace(new, old)
    assert back(planned)[0] == 0
    assert texts(planned) == before


@pytest.mark.parametrize("text", ["", "interface Ethernet1\n  mtu 68\n"], ids=["empty", "edited"])
def test_an_edited_checkpoint_is_no_target(planned: Bench, text: str) -> None:
    planned.push(dry_run=False, yes=True)
    after = texts(planned)
    (folder,) = planned.pushes.iterdir()
    kept = folder / "checkpoints" / "leaf-0" / "before" / "toy.conf"
    kept.write_text(text, encoding="utf-8")
    with pytest.raises(UsageError, match=r"the checkpoint of leaf-0 is damaged: .* toy\.conf"):
        back(planned)
    assert texts(planned) == after


@pytest.mark.parametrize(
    ("push", "devices", "text"),
    [
        ("1999", (), "RCE947: no pushes of toy are called 1999"),
        (None, ("leaf-9",), "^toy has no device leaf-9$"),
        (None, ("leaf-1",), "^RCE948: push .* did not change leaf-1$"),
    ],
)
def test_what_cannot_be_undone_is_refused(
    planned: Bench, push: str | None, devices: tuple[str, ...], text: str
) -> None:
    planned.push(dry_run=False, yes=True, devices=("leaf-0",))
    after = texts(planned)
    with pytest.raises(UsageError, match=text):
        back(planned, push, devices=devices)
    assert texts(planned) == after


def test_a_damaged_checkpoint_is_not_put_in_force(planned: Bench) -> None:
    """Edited, cut short, removed, or with something beside it that no device ever said."""
    planned.push(dry_run=False, yes=True)
    after = texts(planned)
    (folder,) = planned.pushes.iterdir()
    kept = folder / "checkpoints" / "leaf-1" / "before" / "toy.conf"
    whole = kept.read_text(encoding="utf-8")
    for text in (f"{whole}ntp 203.0.113.9\n", whole[:20], None):
        kept.unlink() if text is None else kept.write_text(text, encoding="utf-8")
        with pytest.raises(
            UsageError, match=r"checkpoint of leaf-1 is damaged: .* toy\.conf"
        ) as told:
            back(planned)
        assert "RCE948" in str(told.value)
    kept.write_text(whole, encoding="utf-8")
    other = kept.with_name("toy.conf~")
    other.write_text(whole, encoding="utf-8")
    with pytest.raises(UsageError, match=r"leaf-1 is damaged: .* toy\.conf~"):
        back(planned)
    assert texts(planned) == after
    other.unlink()
    assert back(planned)[0] == 0


def test_nothing_was_ever_pushed(planned: Bench) -> None:
    with pytest.raises(UsageError, match="RCE947: nothing was ever pushed to toy"):
        back(planned)
    with pytest.raises(UsageError) as error:
        back(planned, "2026")
    assert error.value.fix == "no push was ever begun"


class PowerCut(BaseException):
    """The process is gone."""


def cut_off(bench: Bench, monkeypatch: pytest.MonkeyPatch, at: int) -> None:
    write, left = Journal.write, [at]

    def counted(journal: Journal, record: Record) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise PowerCut
        write(journal, record)

    monkeypatch.setattr(Journal, "write", counted)
    with pytest.raises(PowerCut):
        bench.push(dry_run=False, yes=True)
    monkeypatch.setattr(Journal, "write", write)


def test_status_before_within_and_after(planned: Bench) -> None:
    assert planned.fabric("status").code == 2
    planned.push(dry_run=False, yes=True, devices=("leaf-0",))
    done = planned.fabric("status")
    assert done.code == 0
    assert "is over · 1 changed" in done.out
    assert "Next: fabric rollback --dry-run" in done.out


def test_status_of_a_push_that_was_cut_off(planned: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    cut_off(planned, monkeypatch, 8)
    done = planned.fabric("status")
    assert done.code == 1
    assert "was cut off and is open" in done.out
    assert "Next: fabric push --resume" in done.out
    found = json.loads(planned.fabric("status", "--json").out)
    assert found["schema"] == 1
    (push,) = found["pushes"]
    assert push["open"] is True
    (leaf,) = [d for d in push["devices"] if d["outcome"] == "open"]
    assert leaf["phase"] == "apply"
    assert {d["outcome"] for d in push["devices"]} == {"open", "not begun"}
    assert 0 < leaf["timer_left_s"] <= 600
    assert "its own timer takes the change back in" in done.out
    refused = planned.push(dry_run=False, yes=True)
    assert refused.code == 2
    assert "RCE941" in refused.out
    logs = {name: list(switch.log) for name, switch in planned.toys.switches.items()}
    looked = planned.push(dry_run=True)  # it might take away what the open push laid down
    assert (looked.code, "RCE941" in looked.out) == (2, True)
    assert {name: switch.log for name, switch in planned.toys.switches.items()} == logs
    planned.capture.readouterr()
    assert resume(Asked(yes=True), planned) == 0
    assert "5 changed" in planned.fabric("status").out
    assert "is over" in planned.fabric("status", "--all").out


def test_an_open_push_is_found_though_an_earlier_one_bears_a_later_time(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock was set back between the two."""
    assert planned.push(dry_run=False, yes=True, devices=("leaf-0",)).code == 0
    (first,) = planned.pushes.iterdir()
    later = first.rename(planned.pushes / f"29{first.name[2:]}")
    cut_off(planned, monkeypatch, 8)
    (cut,) = [path for path in planned.pushes.iterdir() if path != later]
    assert cut.name > later.name
    status = json.loads(planned.fabric("status", "--json").out)
    assert [push["push"] for push in status["pushes"]] == [cut.name]
    cut.rename(planned.pushes / f"20{cut.name[2:]}")  # as one that was named by the clock alone
    refused = planned.push(dry_run=False, yes=True)
    assert (refused.code, "RCE941" in refused.out) == (2, True)
    planned.capture.readouterr()
    assert resume(Asked(yes=True), planned) == 0
    assert {s.running for s in planned.toys.switches.values()} == {
        s.startup for s in planned.toys.switches.values()
    }
    assert planned.push(dry_run=False, yes=True).code == 0


def test_a_damaged_change_of_an_open_push_leads_in_no_circle(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(planned, monkeypatch, 8)
    (folder,) = planned.pushes.iterdir()
    (folder / "change.json").write_text("{", encoding="utf-8")
    code, out = back(planned)
    assert (code, "`fabric push --resume`" in out) == (2, True)
    with pytest.raises(UsageError, match="nobody knows what was approved") as told:
        resume(Asked(yes=True), planned)
    assert "rollback" not in told.value.fix
    assert "wait until the timers" in told.value.fix
    folder.rename(planned.folder / "elsewhere")  # as the fix says
    assert planned.push(dry_run=False, yes=True, devices=("spine-0",)).code == 0


def test_status_of_a_damaged_journal_and_of_the_others(planned: Bench) -> None:
    """One that was closed holds up nothing; one that may be open does."""
    assert planned.push(dry_run=False, yes=True, devices=("leaf-0",)).code == 0
    (folder,) = planned.pushes.iterdir()
    first = folder.rename(planned.pushes / "20250101-000000-abcdef") / "journal.jsonl"
    first.write_text("nonsense\n" + first.read_text(encoding="utf-8"), encoding="utf-8")
    assert planned.push(dry_run=False, yes=True, devices=("leaf-1",)).code == 0
    now, then = json.loads(planned.fabric("status", "--all", "--json").out)["pushes"]
    assert (now["state"], now["open"]) == ("is over", False)
    assert (then["push"], then["open"]) == ("20250101-000000-abcdef", False)
    assert "RCE943" in then["message"]
    assert planned.fabric("status").code == 0
    first.write_text(first.read_text(encoding="utf-8") + "nonsense\n", encoding="utf-8")
    shutil.rmtree(planned.pushes / now["push"])
    done = planned.fabric("status")
    assert (done.code, "its journal is damaged" in done.out) == (1, True)
    assert "put the journal back from a copy" in " ".join(done.out.split())
    refused = planned.push(dry_run=False, yes=True)
    assert (refused.code, "RCE943" in refused.out) == (2, True)


def test_status_of_a_timer_that_has_run_out(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    cut_off(planned, monkeypatch, 8)
    later = time.time() + 900
    monkeypatch.setattr(time, "time", lambda: later)
    (push,) = json.loads(planned.fabric("status", "--json").out)["pushes"]
    assert [d["timer_left_s"] for d in push["devices"] if d["outcome"] == "open"] == [0]
    assert "its own timer ran out about 3" in planned.fabric("status").out  # 300 s ago


def test_status_of_what_could_not_be_restored(planned: Bench) -> None:
    leaf = planned.toys.switches["leaf-1"]
    refused = DeviceError(Kind.REFUSED, "leaf-1", "leaf-1: not allowed")
    leaf.faults = {"save": refused, "rollback": refused, "abort": refused}
    assert planned.push(dry_run=False, yes=True).code == 4
    done = planned.fabric("status")
    assert done.code == 1
    assert "failed-not-restored" in done.out
    assert "To go back by hand:" in done.out
    assert "Next: fabric push --resume" in done.out
    leaf.faults = {}
    planned.capture.readouterr()
    assert resume(Asked(yes=True), planned) == 3
    assert "is over" in planned.fabric("status").out


def test_status_says_which_push_was_a_rollback(planned: Bench) -> None:
    """Behind a rollback is what it took back, so no screen leads there."""
    planned.push(dry_run=False, yes=True)
    (first,) = [path.name for path in planned.pushes.iterdir()]
    code, out = back(planned)
    assert code == 0
    assert "Next: fabric status\n" in out
    done = planned.fabric("status")
    assert f"(rollback of {first}) is over" in done.out
    assert "Next: fabric push --dry-run" in done.out
    last, older = planned.fabric("status", "--all").out.splitlines()[1:]
    assert last.endswith(f"rollback of {first}")
    assert older.strip().startswith(first)
    assert "rollback" not in older
    pushes = json.loads(planned.fabric("status", "--all", "--json").out)["pushes"]
    assert [push["rollback_of"] for push in pushes] == [first, ""]
    several = planned.fabric("status", "--push", "20")
    assert (several.code, "2 pushes of toy are called 20" in several.err) == (2, True)


def test_pushes_to_a_lab_are_elsewhere(planned: Bench) -> None:
    assert "`fabric status --lab LAB`" in planned.fabric("status").err
