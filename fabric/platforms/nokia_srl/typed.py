"""What a push types at SR Linux more than once: candidates, checkpoints, questions of its state."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.changing.replies import Says
from fabric.model.push import Ask, Command, Effect, Step
from fabric.platforms.nokia_srl.told import commits_of

if TYPE_CHECKING:
    from fabric.model.push import Job

LONG_S = 180.0
REVERT_S = 180.0
ANY = (".",)
TOOLS = "/tools system configuration"
RUNNING = Command("info from running | as json", timeout_s=LONG_S)
CANDIDATE = Command("info | as json", timeout_s=LONG_S)
COMMITS = Command("info from state system configuration commit * | as json")
SESSIONS = Command("info from state system configuration session * | as json")


def ended(job: Job) -> Ask[str | None]:
    """Whether the commit of our candidate is over: confirmed and done, or taken back and done."""

    def read(replies: tuple[str, ...]) -> str | None:
        commits = [one for one in commits_of(replies[0]) if one.is_of(job.push_id)]
        return "the commit is not over" if any(one.in_progress for one in commits) else None

    return Ask((COMMITS,), read)


def enter(job: Job) -> Command:
    """Into the candidate of our name, which is made where there is none."""
    return Command(f"enter candidate private name {job.push_id}")


def fresh(job: Job) -> tuple[Command, ...]:
    """A fresh candidate of our name, at its root."""
    entered = enter(job)
    return (entered, Command("discard now", tolerates=ANY), entered, Command("/"))


def dropped(job: Job) -> Step:
    """The candidate of our name is no more."""
    drop = (replace(enter(job), tolerates=ANY), Command("discard now", tolerates=ANY))
    return Step("drop the candidate", Effect.STAGES, drop)


def saved() -> Command:
    """What is in force is what boots."""
    return Command(
        "save startup", timeout_s=LONG_S, check=Says("Saved current running configuration")
    )


def cleared(job: Job) -> Command:
    """Clearing a checkpoint that is not there is refused, which is as good."""
    return Command(f"{TOOLS} checkpoint {job.push_id} clear", tolerates=ANY)


def leftovers(job: Job) -> Step:
    """The checkpoint is no more."""
    return Step("remove our checkpoint", Effect.STAGES, (cleared(job),))
