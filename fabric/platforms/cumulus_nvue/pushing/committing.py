"""Applying a revision of NVUE for a time, keeping it, going back."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.shell import folder_of
from fabric.model.push import Ask, Command, Effect, Step, TimerClass
from fabric.platforms.cumulus_nvue.pushing.previewing import (
    DETACH,
    LOAD_S,
    NV_S,
    REVISIONS,
    NvuePreview,
    in_trial,
)

if TYPE_CHECKING:
    from fabric.model.push import Job

_APPLY_S = 600.0
_CONFIRMED_S = 90.0


class NvueCommit:
    """See ``changing/procedure.py``."""

    timer: TimerClass = TimerClass.CANDIDATE

    def way_back(self, job: Job) -> str:
        """NVUE's own timer."""
        return (
            f"after {job.timer_s} s without confirmation NVUE applies the old revision again "
            f"(nv config apply --confirm); whether a reboot before that boots the old or the new "
            "one is not documented"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Stage, then apply for a time."""
        words = f"nv config apply -y --confirm {job.timer_s}s"
        return (
            *NvuePreview().stage(job),
            Step(
                "apply the revision for a time",
                Effect.RUNS,
                (Command(words, _APPLY_S, check=_applied),),
            ),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:  # noqa: ARG002
        """Fails when no revision waits any more: the timer has run out."""
        waits = Command("nv config revision -o json", NV_S, check=_waits)
        keep = Command("nv config apply --confirm-yes", _APPLY_S)
        return (
            Step(
                "confirm the revision",
                Effect.CONFIRMS,
                (waits, keep),
                until=Ask((REVISIONS,), _still_in_trial),
                until_s=_CONFIRMED_S,
            ),
        )

    def save(self, job: Job) -> tuple[Step, ...]:
        """Also where NVUE saves by itself; the two must not differ then."""
        return (
            Step("save the applied configuration", Effect.SAVES, _saved()),
            Step("remove the folder of the change", Effect.SAVES, (folder_of(job).remove(""),)),
        )

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        """End the trial, and apply the revision that was in force where something differs."""
        revision = quote(job.identity.fact("revision"))
        differs = f'test -z "$(nv config diff applied {revision})"'
        back = Command(f"{differs} || nv config apply {revision} -y", _APPLY_S)
        end = (Command("nv config apply --confirm-no", _APPLY_S),) if pending else ()
        return (
            Step(
                "go back to the old revision",
                Effect.RUNS,
                (*end, DETACH, back),
                until=Ask((REVISIONS,), _still_in_trial),
                until_s=_CONFIRMED_S,
            ),
            Step("save the old configuration", Effect.SAVES, _saved()),
            Step("remove the folder of the change", Effect.RUNS, (folder_of(job).remove(""),)),
        )

    def pending(self, job: Job) -> Ask[bool]:  # noqa: ARG002
        """NVUE runs one trial at a time, and none ran before ours."""
        return Ask((REVISIONS,), lambda replies: in_trial(replies[0]))


def _saved() -> tuple[Command, ...]:
    return (
        Command("nv config save", LOAD_S),
        Command("nv config diff applied startup", LOAD_S, check=_nothing),
    )


def _nothing(reply: str) -> str | None:
    return f"the saved configuration differs: {reply[:80]!r}" if reply.strip() else None


def _applied(reply: str) -> str | None:
    return f"NVUE applied nothing: {reply[-200:]!r}" if "failed" in reply.lower() else None


def _waits(reply: str) -> str | None:
    return None if in_trial(reply) else "no revision waits to be confirmed: the timer has run out"


def _still_in_trial(replies: tuple[str, ...]) -> str | None:
    return "the revision still waits to be confirmed" if in_trial(replies[0]) else None
