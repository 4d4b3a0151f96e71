"""Procedures of the toy system, one of each timer class."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fabric.changing.section_preview import STARTUP
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    Lines,
    PutFile,
    ReplyError,
    Step,
    TimerClass,
)

if TYPE_CHECKING:
    from fabric.model.push import Files, Job


class ToyPreview:
    """``boots``: what the device boots from is read, too."""

    assumed = ()

    def __init__(self, *, boots: bool = False) -> None:
        self.boots = boots

    def identify(self) -> Ask[Identity]:
        def read(replies: tuple[str, ...]) -> Identity:
            return Identity("leaf", "toy", replies[0].removeprefix("toy "))

        return Ask((Command("identify"),), read)

    def holder(self) -> Ask[str | None]:
        return Ask((Command("holder"),), lambda replies: replies[0] or None)

    def running(self) -> Ask[Files]:
        if self.boots:
            both = Command("show"), Command("boots")
            return Ask(both, lambda replies: {"config": replies[0], STARTUP: replies[1]})
        return Ask((Command("show"),), lambda replies: {"config": replies[0]})

    def canonical(self, files: Files) -> str:
        text = files["config"]
        if "host" not in text:
            msg = "no hostname in the running configuration"
            raise ReplyError(msg)
        return text

    def target(self, running: Files, rendered: Files) -> Files:
        del running
        return rendered

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        old, new = before["config"].splitlines(), after["config"].splitlines()
        return (
            *(f"- {line}" for line in old if line not in new),
            *(f"+ {line}" for line in new if line not in old),
        )

    def stage(self, job: Job) -> tuple[Step, ...]:
        put = PutFile("candidate", job.target["config"])
        return (Step("lay the candidate down", Effect.STAGES, (put,)),)

    def difference(self, job: Job) -> Ask[Difference]:
        found = self.differences(job.before, job.target)
        return Ask((), lambda _: Difference(found))

    def discard(self, job: Job) -> tuple[Step, ...]:
        del job
        return (Step("take the candidate away", Effect.STAGES, (Command("clean"),)),)


def _step(name: str, effect: Effect, *commands: str) -> Step:
    return Step(name, effect, tuple(Command(c) for c in commands))


class ToyCommit:
    """A: candidate and timer; B: live lines under a timer; C: a restart in between; none."""

    def __init__(self, timer: TimerClass) -> None:
        self.timer = timer

    def way_back(self, job: Job) -> str:
        return f"{self.timer.value}: {job.timer_s} s"

    def apply(self, job: Job) -> tuple[Step, ...]:
        checkpoint = _step("make a checkpoint", Effect.STAGES, "checkpoint")
        put = ToyPreview().stage(job)
        arm = _step("arm the timer", Effect.RUNS, f"arm {job.timer_s}")
        lines = Step("type the lines", Effect.RUNS, (Lines(("pop", "pop")), Lines(ADDED)))
        load = _step("load the candidate", Effect.RUNS, "load candidate")
        if self.timer is TimerClass.CANDIDATE:
            commit = _step("commit for a time", Effect.RUNS, f"commit {job.timer_s}")
            return (_step("look", Effect.READS, "show"), checkpoint, *put, commit)
        if self.timer is TimerClass.LIVE:
            return (checkpoint, arm, lines)
        if self.timer is TimerClass.SCHEDULED:
            there = Ask((Command("pending"),), lambda r: None if r[0] == "yes" else "no timer yet")
            restart = Step(
                "restart", Effect.RUNS, (Command("restart"),), there, until_s=120, may_drop=True
            )
            return (checkpoint, *put, arm, load, restart)
        return (checkpoint, *put, load)

    def confirm(self, job: Job) -> tuple[Step, ...]:
        if self.timer is TimerClass.NONE:
            return ()
        return (_step("confirm", Effect.CONFIRMS, f"confirm {job.push_id}"),)

    def save(self, job: Job) -> tuple[Step, ...]:
        del job
        return (
            _step("save", Effect.SAVES, "save"),
            _step("clean up", Effect.SAVES, "clean"),
        )

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,
    ) -> tuple[Step, ...]:
        put = PutFile("old", job.before["config"])
        cancel = (_step("stop the timer", Effect.CONFIRMS, "cancel"),) if pending else ()
        return (
            Step("lay the old configuration down", Effect.STAGES, (put,)),
            _step("load the old configuration", Effect.RUNS, "load old"),
            *cancel,
            *((_step("save the old configuration", Effect.SAVES, "save"),) if saving else ()),
            _step("clean up", Effect.SAVES, "clean"),
        )

    def pending(self, job: Job) -> Ask[bool | None]:
        if self.timer is TimerClass.NONE:
            return Ask((), lambda _: False)
        return Ask((Command(f"pending-{job.push_id}"),), lambda replies: replies[0] == "yes")


ADDED = ("add mtu 9216", "add ntp 10.0.0.1", "add pfc 3")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
