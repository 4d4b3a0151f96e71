"""A restore that we schedule on the device: it runs unless it is taken away in time.

Of the three ways the first is taken that the device has. ``systemd-run`` may be installed where no
systemd runs (containers, namespaces), and ``at`` where no atd does: so both are asked for.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from shlex import quote

from fabric.changing.shell import ANY_STATUS, Folder, ask
from fabric.model.push import Ask, Command, Effect, PutFile, Step

_NO_SYSTEMD = frozenset({"", "offline", "unknown"})
_ARMED_S = GONE_S = 20.0
_MINUTE_S = 60
RESTORE = "restore.sh"  # what runs
_BEGUN = "restore.begun"  # laid down by it before it does anything
_TIMER, _JOB = "timer.sh", "timer.job"


class Way(Enum):
    """How the restore is scheduled; the value is how an identity states it."""

    SYSTEMD = "systemd-run"
    AT = "at"
    SLEEP = "setsid"

    @property
    def at_reboot(self) -> str:
        """What a reboot does to it."""
        if self is Way.AT:
            return "survives a reboot"
        return "does not survive a reboot"


PROBE = (
    ask("systemctl is-system-running"),
    ask("command -v systemd-run"),
    ask("command -v at"),
    ask("pgrep -x atd"),
)


def read_way(replies: tuple[str, ...]) -> Way:
    """Which way the device has, from the replies to ``PROBE``."""
    state, systemd_run, at, atd = (reply.strip() for reply in replies)
    if state not in _NO_SYSTEMD and systemd_run:
        return Way.SYSTEMD
    return Way.AT if at and atd else Way.SLEEP


@dataclass(frozen=True, slots=True)
class Timer:
    """The timer of one change. ``root``: what stands before a command that needs root, or nothing.

    Its folder has to hold ``restore.sh`` before it is armed.
    """

    way: Way
    name: str  # of the unit: the push id
    folder: Folder
    after_s: int
    root: str

    def describe(self) -> str:
        """A part of a sentence: how it is scheduled, and what a reboot does to it."""
        way = {
            Way.SYSTEMD: f"systemd-run (timer {self.name}.timer)",
            Way.AT: "at",
            Way.SLEEP: "a process of its own (setsid, sleep)",
        }[self.way]
        return f"{way}, which {self.way.at_reboot}"

    def arm(self) -> Step:
        """Schedule it; armed twice, it starts anew."""
        begun = Command(f"rm -f {self._quoted(_BEGUN)}")
        actions: tuple[Command | PutFile, ...] = (*self._take_away(), begun)
        if self.way is Way.SYSTEMD:
            words = f"--unit={self.name} --on-active={self.after_s}s --collect"
            precise = "--timer-property=AccuracySec=1s"
            text = f"{self.root}systemd-run {words} {precise} /bin/sh {self._quoted(RESTORE)}"
            actions += (Command(text),)
        elif self.way is Way.AT:
            minutes = -(-self.after_s // _MINUTE_S)
            line = quote(f"/bin/sh {self._quoted(RESTORE)}")
            told = f"{self.root}at -M now + {minutes} minutes 2>{self._quoted(_JOB)}"
            actions += (Command(f"echo {line} | {told}"),)
        else:
            script = self._sleeping()
            run = f"{self.root}setsid sh {self._quoted(_TIMER)}"
            start = Command(f"{run} >/dev/null 2>&1 </dev/null &")
            actions += (PutFile(self.folder.file(_TIMER), script), start)
        return Step(
            "arm the restore timer", Effect.RUNS, actions, until=self._armed(), until_s=_ARMED_S
        )

    def pending(self) -> Ask[bool]:
        """Whether it is waiting, or restoring right now."""
        texts = {
            Way.SYSTEMD: f"systemctl is-active {self.name}.timer {self.name}.service",
            Way.AT: f"{self.root}atq | grep -w {self._job()}",
            Way.SLEEP: f"pgrep -f -x {self._process(_TIMER, RESTORE)}",
        }
        return Ask((ask(texts[self.way]),), self._is_pending)

    def disarm(self) -> tuple[Command, ...]:
        """Take it away; fails where it is not waiting any more, or has begun to restore."""
        waits = {
            Way.SYSTEMD: f"systemctl is-active {self.name}.timer",
            Way.AT: f"{self.root}atq | grep -w {self._job()}",
            Way.SLEEP: f"pgrep -f -x {self._process(_TIMER)}",
        }[self.way]
        begun = Command(f"test ! -e {self._quoted(_BEGUN)}")
        return (begun, Command(waits), *self._take_away(), begun)

    def cancel(self) -> tuple[Command, ...]:
        """Take it away, if it is there."""
        return self._take_away()

    def gone(self) -> Ask[str | None]:
        """Waited for after taking it away: a killed process takes a moment to end."""
        ask_pending = self.pending()

        def read(replies: tuple[str, ...]) -> str | None:
            return "the timer still runs" if ask_pending.read(replies) else None

        return Ask(ask_pending.commands, read)

    def opening(self) -> str:
        """First lines of a ``restore.sh``: two of them never run at once, and begun is told."""
        log = self._quoted("restore.log")
        lock = self._quoted("restore.lock")
        return f"exec >>{log} 2>&1\nexec 9>{lock}\nflock 9\ntouch {self._quoted(_BEGUN)}\n"

    def _take_away(self) -> tuple[Command, ...]:
        if self.way is Way.SYSTEMD:
            text = f"{self.root}systemctl stop {self.name}.timer"
        elif self.way is Way.AT:
            text = f"{self.root}atrm {self._job()}"
        else:
            text = f"{self.root}pkill -f -x {self._process(_TIMER)}"
        return (Command(f"{text} 2>/dev/null || true", statuses=ANY_STATUS),)

    def _armed(self) -> Ask[str | None]:
        ask_pending = self.pending()

        def read(replies: tuple[str, ...]) -> str | None:
            return None if ask_pending.read(replies) else "the timer does not run yet"

        return Ask(ask_pending.commands, read)

    def _is_pending(self, replies: tuple[str, ...]) -> bool:
        if self.way is Way.SYSTEMD:
            return any(line in ("active", "activating") for line in replies[0].split())
        return bool(replies[0].strip())

    def _sleeping(self) -> str:
        """A script that can be told to end while it sleeps."""
        return (
            "trap 'kill $!; exit' TERM\n"
            f"sleep {self.after_s} &\nwait $!\n"
            f"exec sh {self._quoted(RESTORE)}\n"
        )

    def _quoted(self, name: str) -> str:
        return quote(self.folder.file(name))

    def _job(self) -> str:
        """The number that ``at`` gave: ``job 7 at Tue Dec …`` on its standard error."""
        return f"\"$(sed -n 's/^job \\([0-9]*\\) at .*/\\1/p' {self._quoted(_JOB)})\""

    def _process(self, *names: str) -> str:
        """Whole command lines of our scripts, as ``pgrep -f -x`` compares them."""
        lines = (f"sh {self.folder.file(name)}".replace(".", r"\.") for name in names)
        return quote("|".join(lines))
