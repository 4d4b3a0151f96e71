"""A fake Linux system: disk, users, programs, time. Each switch system adds its own programs."""

# ruff: noqa: S108 - folders of the fake
from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from fabric.live.rehearsal.box import ShellReply
from fabric.live.rehearsal.disk import Disk
from fabric.live.rehearsal.shell import (
    compare,
    files,
    finding,
    mounts,
    queue,
    sed,
    system,
    systemd,
    text,
)
from fabric.live.rehearsal.shell.interpreter import Interpreter
from fabric.live.rehearsal.shell.jobs import Jobs

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.box import Peering, Setup, World
    from fabric.live.rehearsal.shell.interpreter import Program, Result, Run

_FOLDERS = (
    "/tmp",
    "/etc",
    "/home",
    "/root",
    "/run",
    "/var/tmp",
    "/var/lib",
    "/var/log",
    "/dev/shm",
)
_SCRATCH = ("/tmp", "/var/tmp", "/dev/shm")
_VOLATILE = ("/run/", "/dev/shm/", "/tmp/")  # gone after a reboot


class Linux:
    """What the fake switches with a shell have in common.

    A system sets ``programs`` (by path) and ``units`` (its systemd services and what restarting
    or reloading one does), and overrides ``boot``, ``peerings`` and ``configuration``.
    """

    files: Disk

    def __init__(self, setup: Setup, world: World, folders: tuple[str, ...] = ()) -> None:
        self.setup, self.world = setup, world
        home = self.home(setup.user)
        self.files = Disk((*_FOLDERS, home, *folders), (*_SCRATCH, home))
        self.disk: dict[str, bytes] = self.files
        self.jobs = Jobs(world.clock)
        self.unsourced: list[str] = []
        self.hostname = setup.device
        self.booted = world.clock()
        self.programs: dict[str, Program] = {
            **text.PROGRAMS,
            **files.PROGRAMS,
            **finding.PROGRAMS,
            **mounts.PROGRAMS,
            **sed.PROGRAMS,
            **compare.PROGRAMS,
            **system.PROGRAMS,
            **systemd.PROGRAMS,
            **queue.PROGRAMS,
        }
        for optional in ("systemd-run", "at"):
            if optional not in setup.programs:
                gone = ("at", "atq", "atrm") if optional == "at" else (optional,)
                for name in gone:
                    self.programs.pop(f"/usr/bin/{name}")
        self.units: dict[str, Mapping[str, Program]] = {}
        self.busy_until = 0.0  # services are starting until then

    def home(self, user: str) -> str:
        """A user's home folder."""
        return "/root" if user == "root" else f"/home/{user}"

    def program(self, name: str, user: str) -> Program | None:
        """A program by name, as a user's PATH finds it, or by path."""
        if "/" in name:
            return self.programs.get(posixpath.normpath(name))
        path = self.find(name, user)
        return self.programs[path] if path else None

    def find(self, name: str, user: str) -> str:
        """Where a program lies; empty: not in this user's PATH."""
        folders = ["/usr/local/bin", "/usr/bin", "/bin"]
        if user == "root":
            folders = ["/usr/local/sbin", "/usr/sbin", "/sbin", *folders]
        paths = (f"{folder}/{name}" for folder in folders)
        return next((path for path in paths if path in self.programs), "")

    def write(self, path: str, data: bytes, *, append: bool = False) -> bool:
        """Write a file; on a full disk what was there is cut to nothing, and false comes back."""
        if self.world.faults.on("disk-full"):
            self.world.faults.take("disk-full")
            self.disk[path] = self.disk.get(path, b"") if append else b""
            return False
        self.disk[path] = (self.disk.get(path, b"") if append else b"") + data
        return True

    def run(self, user: str, command: str) -> ShellReply:
        """A command in an exec channel."""
        result, seconds = finish(Interpreter(self, user).run_text(command))
        self.jobs.tick()
        return ShellReply(result.status, result.out, result.err, seconds)

    def login(self, user: str) -> ShellDialog:
        """An interactive login."""
        return ShellDialog(self, user)

    def tick(self) -> None:
        """Let background work that is due happen."""
        self.jobs.tick()

    def reboot(self) -> None:
        """Start again from disk."""
        self.jobs.forget()
        self.files.unmount_all()
        for path in [each for each in self.disk if each.startswith(_VOLATILE)]:
            del self.disk[path]
        self.booted = self.world.clock() + self.setup.boot_s
        self.boot()

    def boot(self) -> None:
        """Load what is saved; systems override it."""

    def peerings(self) -> tuple[Peering, ...]:
        """None, unless a system says so."""
        return ()

    def state(self) -> Mapping[str, str]:
        """Texts for tests: pending timers and jobs here, configuration by the system."""
        return {
            "running": "",
            "startup": "",
            "pending": "\n".join(self.jobs.pending()),
            "journal": "".join(self.jobs.journal),
            "files": "\n".join(sorted(self.disk)),
        }


class ShellDialog:
    """An interactive shell: each line is run by itself in one interpreter."""

    def __init__(self, box: Linux, user: str) -> None:
        self.closed = False
        self._box, self._user = box, user
        self._shell = Interpreter(box, user)

    def banner(self) -> str:
        """The kernel's line and Debian's notice."""
        return f"Linux {self._box.hostname} 6.1.0 #1 SMP x86_64\n"

    def prompt(self) -> str:
        """User, host and folder, as Debian's bash has them."""
        sign = "#" if self._user == "root" else "$"
        return f"{self._user}@{self._box.hostname}:~{sign} "

    def type(self, line: str) -> str:
        """Run a line; its outputs come together, as on any terminal."""
        if line.strip() in {"exit", "logout"}:
            self.closed = True
            return ""
        if not line.strip():
            return ""
        result, _ = finish(self._shell.run_text(line))
        self._box.tick()
        return result.out + result.err

    def page_length(self) -> int:
        """A shell does not page."""
        return 0

    def pager(self) -> str:
        """As ``more`` has it."""
        return "--More--"


def finish(run: Run) -> tuple[Result, float]:
    """Run to the end at once: the result, and how many seconds it would have taken."""
    seconds = 0.0
    while True:
        try:
            seconds += next(run)
        except StopIteration as end:
            result: Result = end.value
            return result, seconds
