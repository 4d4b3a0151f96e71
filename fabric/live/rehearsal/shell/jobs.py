"""What goes on by itself on a fake Linux system: background jobs, systemd timers, at."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.rehearsal.box import Clock
    from fabric.live.rehearsal.shell.interpreter import Result, Run


@dataclass(slots=True)
class Job:
    """A run that sleeps until ``due``."""

    run: Run
    due: float
    number: int
    unit: str = ""  # of systemd, empty for others


@dataclass(slots=True)
class Timer:
    """A transient timer of systemd, or a job of ``at``, not yet started."""

    unit: str
    due: float
    command: tuple[str, ...]
    run: Run
    made: float


@dataclass(slots=True)
class Jobs:
    """All of one system. ``failed``: units that ended badly, until they are reset."""

    clock: Clock
    running: list[Job] = field(default_factory=list)
    timers: dict[str, Timer] = field(default_factory=dict)
    at: dict[int, Timer] = field(default_factory=dict)
    failed: dict[str, int] = field(default_factory=dict)
    journal: list[str] = field(default_factory=list)  # what background work printed
    started: int = 1000
    queued: int = 0

    def start(self, run: Run, unit: str = "", at: float | None = None) -> int:
        """Begin a run in the background; its process number."""
        self.started += 1
        due = self.clock() if at is None else at
        self.running.append(Job(run, due, self.started, unit))
        return self.started

    def tick(self) -> None:
        """Carry on with all that is due, in the order of time."""
        now = self.clock()
        while True:
            timer = min(
                (each for each in self._waiting() if each.due <= now),
                default=None,
                key=lambda each: each.due,
            )
            job = min(
                (each for each in self.running if each.due <= now),
                default=None,
                key=lambda each: (each.due, each.number),
            )
            if timer is not None and (job is None or timer.due <= job.due):
                self._fire(timer)
            elif job is not None:
                self._step(job)
            else:
                return

    def _waiting(self) -> list[Timer]:
        return [*self.timers.values(), *self.at.values()]

    def _fire(self, timer: Timer) -> None:
        self.timers.pop(timer.unit, None)
        self.at = {number: each for number, each in self.at.items() if each is not timer}
        self.start(timer.run, timer.unit, timer.due)

    def _step(self, job: Job) -> None:
        try:
            job.due += next(job.run)
        except StopIteration as end:
            if job in self.running:  # unless it rebooted the system
                self.running.remove(job)
            self._ended(job, end.value)

    def _ended(self, job: Job, result: Result) -> None:
        self.journal.append(result.out + result.err)
        if job.unit and result.status:
            self.failed[job.unit] = result.status

    def kill(self, number: int) -> bool:
        """End a background process; whether there was one."""
        before = len(self.running)
        self.running = [job for job in self.running if job.number != number]
        return len(self.running) < before

    def forget(self) -> None:
        """A reboot: none of them survives but jobs of ``at``, which lie on disk."""
        self.running, self.timers, self.failed = [], {}, {}

    def pending(self) -> list[str]:
        """What would still happen by itself, a line each."""
        now = self.clock()
        lines = [
            f"{each.unit}.timer in {each.due - now:.0f}s: {' '.join(each.command)}"
            for each in self.timers.values()
        ]
        lines += [
            f"at {number} in {each.due - now:.0f}s: {each.command[0]}"
            for number, each in self.at.items()
        ]
        return lines + [f"job {job.number} in {job.due - now:.0f}s" for job in self.running]
