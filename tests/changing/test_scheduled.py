"""The restore that is scheduled on the device: what is typed, and the ways run for real."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from fabric.changing.login import FACTS, facts_of, read_open
from fabric.changing.scheduled import PROBE, RESTORE, Timer, Way, read_way
from fabric.changing.shell import Folder
from fabric.model.push import Command, Effect, PutFile, Step
from tests.changing.doing import CommandError, Machine, commands_of, syntax_errors, wait_for

HOUR_S = 3600


@pytest.mark.parametrize(
    ("replies", "way"),
    [
        (("running", "/usr/bin/systemd-run", "", ""), Way.SYSTEMD),
        (("degraded", "/usr/bin/systemd-run", "/usr/bin/at", "71"), Way.SYSTEMD),
        (("starting", "/usr/bin/systemd-run", "", ""), Way.SYSTEMD),
        (("offline", "/usr/bin/systemd-run", "", ""), Way.SLEEP),  # a container
        (("", "/usr/bin/systemd-run", "/usr/bin/at", ""), Way.SLEEP),  # at without atd
        (("offline", "/usr/bin/systemd-run", "/usr/bin/at", "71"), Way.AT),
        (("running", "", "/usr/bin/at", "71"), Way.AT),
        (("", "", "", ""), Way.SLEEP),
    ],
)
def test_the_first_way_that_works_is_taken(replies: tuple[str, ...], way: Way) -> None:
    assert read_way(tuple(f"{reply}\n" for reply in replies)) is way


def test_the_probe_runs_on_this_machine() -> None:
    machine = Machine()
    replies = tuple(machine.reply(command) for command in PROBE)
    if not Path("/run/systemd/system").exists():
        assert read_way(replies) is not Way.SYSTEMD


def test_without_root_no_timer_of_systemd() -> None:
    systemd = ("running\n", "/usr/bin/systemd-run\n", "", "")
    name, facts = facts_of(("leaf-0\n", "/home/admin\n", "1000\n", "", *systemd))
    assert (name, dict(facts)) == (
        "leaf-0",
        {"home": "/home/admin", "root": "none", "timer": "setsid"},
    )
    _, facts = facts_of(("leaf-0\n", "/home/admin\n", "1000\n", "0\n", *systemd))
    assert (dict(facts)["root"], dict(facts)["timer"]) == ("sudo", "systemd-run")
    assert len(FACTS) == 4 + len(PROBE)


def test_an_open_change_is_seen_by_its_folder() -> None:
    assert read_open(("bin\nfabric-notes\n",)) is None
    assert read_open(("bin\nfabric-push-p1\n",)) == (
        "the change p1 is open on the device (folder ~/fabric-push-p1)"
    )


def _timer(way: Way, root: str = "sudo -n ") -> Timer:
    return Timer(way, "fabric-p1", Folder("/home/admin/fabric-p1"), 601, root)


def test_what_is_typed_for_systemd() -> None:
    timer = _timer(Way.SYSTEMD)
    assert commands_of((timer.arm(),)) == [
        "sudo -n systemctl stop fabric-p1.timer 2>/dev/null || true",
        "rm -f /home/admin/fabric-p1/restore.begun",
        (
            "sudo -n systemd-run --unit=fabric-p1 --on-active=601s --collect "
            "--timer-property=AccuracySec=1s /bin/sh /home/admin/fabric-p1/restore.sh"
        ),
        "systemctl is-active fabric-p1.timer fabric-p1.service 2>/dev/null",
    ]
    assert timer.arm().effect is Effect.RUNS
    assert [command.text for command in timer.disarm()] == [
        "test ! -e /home/admin/fabric-p1/restore.begun",
        "systemctl is-active fabric-p1.timer",
        "sudo -n systemctl stop fabric-p1.timer 2>/dev/null || true",
        "test ! -e /home/admin/fabric-p1/restore.begun",
    ]
    assert [timer.pending().read((reply,)) for reply in ("active\ninactive\n", "inactive\n")] == [
        True,
        False,
    ]
    assert timer.pending().read(("inactive\nactivating\n",)), "it restores right now"
    assert "fabric-p1.timer" in timer.describe()
    assert "does not survive a reboot" in timer.describe()


def test_at_counts_minutes_and_rounds_up() -> None:
    timer = _timer(Way.AT)
    assert any("at -M now + 11 minutes" in text for text in commands_of((timer.arm(),)))
    assert timer.describe() == "at, which survives a reboot"


@pytest.mark.parametrize("way", list(Way))
@pytest.mark.parametrize("root", ["", "sudo -n "])
def test_every_line_is_a_shell_line(way: Way, root: str, tmp_path: Path) -> None:
    timer = _timer(way, root)
    texts = [*commands_of((timer.arm(),)), *(c.text for c in timer.disarm()), timer.opening()]
    texts += [a.text for a in timer.arm().actions if isinstance(a, PutFile)]
    for text in texts:
        assert not syntax_errors(text, tmp_path), text


@pytest.fixture(params=["setsid", "at", "systemd-run"])
def armed(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Machine, Timer, Path]:
    """A timer in a folder of its own whose restore leaves a mark; at and systemd are played."""
    folder, marks = tmp_path / "fabric-p1", tmp_path / "marks"
    folder.mkdir()
    tools = tmp_path / "bin"
    tools.mkdir()
    way = Way(request.param)
    if way is not Way.SLEEP:
        _play(tools, way, tmp_path)
    timer = Timer(way, f"fabric-p{os.getpid()}", Folder(str(folder)), HOUR_S, "")
    (folder / RESTORE).write_text(f"{timer.opening()}echo restored >>{marks}\n")
    return Machine(path=str(tools)), timer, marks


def _play(tools: Path, way: Way, tmp_path: Path) -> None:
    """Programs that keep the job in a file, as atd and systemd do in their own way."""
    job = tmp_path / "job"
    texts = {
        Way.AT: {
            "at": f'test "$1 $2 $3 $4" = "-M now + 60" && cat >{job} && '
            'echo "job 7 at Tue Dec  1 10:00:00 2026" >&2',
            "atq": f'test -e {job} && echo "7\tTue Dec  1 10:00:00 2026 a root"',
            "atrm": f'test "$1" = 7 && rm -f {job}',
        },
        Way.SYSTEMD: {
            "systemd-run": f'test ! -e {job} && shift 4 && echo "$*" >{job}',
            "systemctl": f'if [ "$1" = stop ]; then rm -f {job}; '
            f"elif [ -e {job} ]; then echo active; else echo inactive; exit 3; fi",
        },
    }[way]
    for name, text in texts.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)


def test_armed_pending_and_taken_away(armed: tuple[Machine, Timer, Path]) -> None:
    machine, timer, marks = armed
    assert machine.ask(timer.pending()) is False
    machine.do((timer.arm(),))
    assert machine.ask(timer.pending()) is True
    machine.do((Step("away", Effect.CONFIRMS, timer.disarm(), until=timer.gone(), until_s=20.0),))
    assert machine.ask(timer.pending()) is False
    assert not marks.exists()
    with pytest.raises(CommandError):
        _all(machine, timer.disarm())  # there is nothing to give up any more
    _all(machine, timer.cancel())  # but taking nothing away is right


def _all(machine: Machine, commands: tuple[Command, ...]) -> None:
    for command in commands:
        machine.reply(command)


def test_armed_twice_is_armed_once(armed: tuple[Machine, Timer, Path]) -> None:
    machine, timer, _ = armed
    machine.do((timer.arm(), timer.arm()))
    if timer.way is Way.SLEEP:
        assert len(_pids(timer)) == 1
    _all(machine, timer.disarm())
    assert machine.ask(timer.pending()) is False


def test_once_it_has_begun_it_cannot_be_confirmed(armed: tuple[Machine, Timer, Path]) -> None:
    machine, timer, marks = armed
    machine.do((timer.arm(),))
    machine.reply(Command(f"sh {timer.folder.file(RESTORE)}"))
    assert marks.read_text() == "restored\n"
    with pytest.raises(CommandError, match=r"restore\.begun"):
        _all(machine, timer.disarm())
    _all(machine, timer.cancel())


def _pids(timer: Timer) -> list[int]:
    words = ("pgrep", "-f", "-x", f"sh {timer.folder.file('timer.sh')}")
    found = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    return [int(pid) for pid in found.stdout.split()]


def _sleeping(tmp_path: Path, after_s: int) -> tuple[Timer, Path]:
    folder, marks = tmp_path / "fabric-p2", tmp_path / "marks"
    folder.mkdir()
    timer = Timer(Way.SLEEP, "fabric-p2", Folder(str(folder)), after_s, "")
    (folder / RESTORE).write_text(f"{timer.opening()}echo restored >>{marks}\n")
    return timer, marks


def test_it_fires_by_itself(tmp_path: Path) -> None:
    timer, marks = _sleeping(tmp_path, 1)
    machine = Machine()
    for action in timer.arm().actions:
        machine.perform(action)
    wait_for(marks.exists, "the restore has run")
    wait_for(lambda: not _pids(timer), "the timer is gone")
    assert machine.ask(timer.pending()) is False
    assert (tmp_path / "fabric-p2/restore.begun").exists()


def test_the_timer_s_restore_and_ours_never_run_at_once(tmp_path: Path) -> None:
    timer, marks = _sleeping(tmp_path, HOUR_S)
    script, busy = timer.folder.file(RESTORE), tmp_path / "busy"
    body = f"mkdir {busy} || echo clash >>{marks}\nsleep 0.2\nrmdir {busy}\necho ended >>{marks}\n"
    Path(script).write_text(timer.opening() + body)
    both = [subprocess.Popen(("/bin/sh", script)) for _ in range(2)]
    assert [one.wait(timeout=30) for one in both] == [0, 0]
    assert marks.read_text() == "ended\nended\n"


def test_it_outlives_the_session_that_armed_it(tmp_path: Path) -> None:
    timer, marks = _sleeping(tmp_path, HOUR_S)
    Machine().put(next(a for a in timer.arm().actions if isinstance(a, PutFile)))
    start = commands_of((timer.arm(),))[-2]
    words = ("/bin/sh", "-c", f"{start}\necho armed; sleep {HOUR_S}")
    session = subprocess.Popen(words, stdout=subprocess.PIPE, text=True, start_new_session=True)
    assert session.stdout is not None
    assert session.stdout.readline() == "armed\n"
    wait_for(lambda: len(_pids(timer)) == 1, "it is armed")  # so does the step itself
    os.killpg(session.pid, signal.SIGHUP)
    os.killpg(session.pid, signal.SIGKILL)
    session.wait(timeout=30)
    session.stdout.close()
    wait_for(lambda: len(_pids(timer)) == 1, "the timer still waits")
    _all(Machine(), timer.disarm())
    wait_for(lambda: not _pids(timer), "the timer is gone")
    assert not marks.exists()
