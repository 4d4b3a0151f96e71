"""``fabric`` as it is typed, from a user's folder with a user's files, in a process of its own."""

from __future__ import annotations

import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import paramiko  # noqa: F401 - this and the next: once, not in each process

from fabric.cli import _push_carry, _reach, _resuming, push, run  # noqa: F401
from fabric.live.push.journal import Journal
from fabric.live.push.means import RealClock
from fabric.live.transport import access  # noqa: F401
from tests.live.e2e.bench import LEAF, SSH_CONFIG, USER_KEY

if TYPE_CHECKING:
    from fabric.live.push.journal import Record
    from tests.live.e2e.bench import Bench

SECOND_S = 0.02  # how long a second lasts, on the fakes and for the process
_FORKED = multiprocessing.get_context("forkserver")
_FORKED.set_forkserver_preload([__name__])
_AGREED = ("--window", "--accept-no-timer", "--allow-experimental")
_PROGRAM = Path(__file__).parents[3] / "roce_fabric.py"


@dataclass(frozen=True)
class User:
    """A home with keys, ssh_config and known_hosts; the fakes' ports stand in ssh_config alone."""

    home: Path
    build: Path
    began: float  # their clock and that of the fakes go as fast, from here on

    @classmethod
    def of(cls, one: Bench) -> User:
        user = cls(one.folder / "home", one.planned.folder, time.time())
        ssh, known = user.home / ".ssh", user.home / ".local" / "state" / "fabric"
        for folder in (ssh, known, user.folder):
            folder.mkdir(parents=True)
        to = one.rehearsal.connections[LEAF]
        shutil.copy(to.key_file, user.file(USER_KEY))
        shutil.copy(to.known_hosts, ssh / "known_switches")
        shutil.copy(one.contacts, known / "contacts.jsonl")
        user.file(SSH_CONFIG).write_text(
            f"Host {LEAF}\n  Port {to.port}\n  UserKnownHostsFile ~/.ssh/known_switches\n"
        )
        return user

    def file(self, name: str) -> Path:
        return self.home / name.removeprefix("~/")

    @property
    def folder(self) -> Path:
        return self.home / "work"

    @property
    def journal(self) -> list[str]:
        """Its whole lines."""
        found = list(self.folder.glob(".fabric/*/pushes/*/journal.jsonl"))
        return [
            x for path in found for x in path.read_text().splitlines(keepends=True) if "\n" in x
        ]

    @property
    def environment(self) -> dict[str, str]:
        kept = {k: os.environ[k] for k in ("PATH", "LANG") if k in os.environ}
        return {**kept, "HOME": str(self.home), "PYTHONPATH": str(_PROGRAM.parent)}

    def push(self) -> list[str]:
        return ["push", str(self.build), "--yes", "--json", "--device", LEAF, *_AGREED]

    def resume(self) -> list[str]:
        return ["push", str(self.build), "--resume", "--yes", "--json", *_AGREED]

    def forked(self, arguments: list[str], *, line: int = 0) -> tuple[int, str]:
        """Exit code and output; killed right after so many lines of the journal, 0: never."""
        process = _FORKED.Process(target=_typed, args=(self, arguments, line))
        process.start()
        process.join(120)
        assert process.exitcode is not None
        return process.exitcode, (self.folder / "out").read_text()

    def started(self, arguments: list[str]) -> subprocess.Popen[str]:
        """The program from its first line on."""
        command = [sys.executable, str(_PROGRAM), *arguments]
        where = {"cwd": self.folder, "env": self.environment}
        return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, **where)  # type: ignore[call-overload, no-any-return]


def _typed(user: User, arguments: list[str], line: int) -> None:
    os.environ.clear()
    os.environ.update(user.environment)
    os.chdir(user.folder)
    for number in (1, 2):
        os.dup2(os.open("out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND), number)
    _hurry(user.began)
    _die_after(line)
    sys.exit(run(arguments))


def _hurry(began: float) -> None:
    """The machine's own time, but faster; a later process goes on with it."""
    RealClock.now = lambda _: began + (time.time() - began) / SECOND_S  # type: ignore[method-assign, assignment]
    RealClock.sleep = lambda _, seconds: time.sleep(seconds * SECOND_S)  # type: ignore[method-assign, assignment]


def _die_after(line: int) -> None:
    left, write = [line], Journal.write

    def killed(journal: Journal, record: Record) -> None:
        write(journal, record)
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    Journal.write = killed  # type: ignore[method-assign, assignment]
