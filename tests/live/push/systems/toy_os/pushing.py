"""How the toy is changed: a candidate in a file, committed for a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.changing.sections import Grammar, differences, merged
from fabric.model.push import (
    Ask,
    Command,
    Difference,
    Effect,
    Identity,
    PutFile,
    ReplyError,
    Step,
    TimerClass,
)

if TYPE_CHECKING:
    from fabric.model.platform import PlatformSpec
    from fabric.model.push import Files, Job
    from fabric.model.push_spec import PushSpec

GRAMMAR = Grammar(comments=("#",), last="end")
FILE = "toy.conf"


def preview(_platform: PlatformSpec, push: PushSpec) -> Preview:
    return Preview(push.owned)


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    return Commit()


def _identity(replies: tuple[str, ...]) -> Identity:
    words = replies[0].split()
    if len(words) != 3:
        msg = "name, model and version were expected"
        raise ReplyError(msg)
    return Identity(words[0], None if words[1] == "-" else words[1], words[2])


@dataclass(frozen=True, slots=True)
class Preview:
    owned: tuple[str, ...]
    assumed = ()

    def identify(self) -> Ask[Identity]:
        return Ask((Command("show version"),), _identity)

    def holder(self) -> Ask[str | None]:
        return Ask((Command("show lock"),), lambda replies: replies[0].strip() or None)

    def running(self) -> Ask[Files]:
        return Ask((Command("show running"),), lambda replies: {FILE: replies[0]})

    def canonical(self, files: Files) -> str:
        return files[FILE]

    def target(self, running: Files, rendered: Files) -> Files:
        return {FILE: merged(running[FILE], rendered[FILE], self.owned, GRAMMAR)}

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        return differences(before[FILE], after[FILE], GRAMMAR)

    def stage(self, job: Job) -> tuple[Step, ...]:
        file = PutFile(f"/tmp/{job.push_id}", job.target[FILE])  # noqa: S108
        return (
            Step("copy the candidate over", Effect.STAGES, (file,)),
            Step("load it", Effect.STAGES, (Command(f"load {job.push_id}"),)),
        )

    def difference(self, job: Job) -> Ask[Difference]:
        command = Command(f"compare {job.push_id}")
        return Ask((command,), lambda replies: Difference(tuple(replies[0].splitlines())))

    def discard(self, job: Job) -> tuple[Step, ...]:
        return (Step("remove it", Effect.STAGES, (Command(f"remove {job.push_id}"),)),)


class Commit:
    timer = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        return f"Toy OS takes the change back itself after {job.timer_s} s"

    def apply(self, job: Job) -> tuple[Step, ...]:
        put = PutFile(f"/tmp/{job.push_id}", job.target[FILE])  # noqa: S108
        go = Command(f"commit {job.push_id} confirm-within {job.timer_s} as {job.user}")
        return (
            Step("copy the candidate over", Effect.STAGES, (put,)),
            Step("commit for a time", Effect.RUNS, (go,)),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        return (Step("confirm", Effect.CONFIRMS, (Command(f"confirm {job.push_id}"),)),)

    def save(self, job: Job) -> tuple[Step, ...]:
        return (Step("save", Effect.SAVES, (Command("save"), Command(f"remove {job.push_id}"))),)

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        text = "abort" if pending else "rollback"
        return (Step(text, Effect.RUNS, (Command(f"{text} {job.push_id}"),)),)

    def pending(self, job: Job) -> Ask[bool]:
        return Ask((Command("show timer"),), lambda replies: replies[0].strip() == job.push_id)
