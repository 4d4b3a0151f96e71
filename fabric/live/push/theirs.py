"""What somebody else put in force or saved on a device meanwhile: recognised, told, left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.changing.section_preview import STARTUP
from fabric.live.push.classes import changed_paths
from fabric.live.push.masking import masked
from fabric.live.push.standing import RESTORE
from fabric.live.push.unit import State
from fabric.model.push import Effect, TimerClass
from fabric.model.push_change import Outcome, StepResult

if TYPE_CHECKING:
    from fabric.live.push.unit import Found, Unit

_SHOWN = 20  # lines of a difference in a message


def somebody_elses(unit: Unit, found: Found, *, finished: bool, run_out: bool) -> bool:
    """Whether what is in force cannot be what we left half-way.

    ``finished``: it was changed, saved and read back before. ``run_out``: our timer surely has.
    """
    now = unit.standing
    if not now.restoring and nothing_in_force(unit):  # nor did we arm a timer
        return found.state is not State.BEFORE or found.pending is True
    if found.state is State.BEFORE:
        return False
    if found.state is State.OTHER and _since_we_left(unit, found):
        return True
    if now.restoring:
        return False
    if found.state is State.TARGET:  # ours, unless ours was surely taken back
        again = run_out or found.boots is State.TARGET  # we saved nothing: that is `confirming`
        return now.inherited and not now.confirming and not found.pending and again
    judged = now.inherited and now.confirming  # it was as the plan wants it when that began
    return finished or (not found.pending and (judged or run_out))


def _since_we_left(unit: Unit, found: Found) -> bool:
    """Whether lines changed that neither our change nor going back touches, by an earlier process.

    Only where no timer of ours bounds the time in which somebody may have done that.
    """
    bounded = unit.system.commit.timer is not TimerClass.NONE and not unit.standing.restoring
    if not unit.standing.inherited or found.pending or bounded:
        return False
    differences, before = unit.system.preview.differences, unit.job.before
    ours = set(changed_paths(differences(before, unit.expected)))
    return not ours.issuperset(changed_paths(differences(before, found.running)))


def nothing_in_force(unit: Unit) -> bool:
    """Whether no step began that puts anything in force or arms a timer."""
    began = unit.standing.began
    return began is None or began <= Effect.STAGES


def boots_something_else(unit: Unit, found: Found) -> bool:
    """Whether it runs as before, and somebody saved what cannot be known to be ours."""
    if found.state is not State.BEFORE or found.pending or found.boots is State.BEFORE:
        return False
    now = unit.standing
    earlier = now.inherited and not now.saving and not now.restoring
    return nothing_in_force(unit) or (earlier and found.boots is State.OTHER)


def boots_left_alone(unit: Unit, step: str, why: str, cause: str) -> StepResult:
    """How such a device ended: nothing is done to it."""
    text = (
        f"{why}; it runs what was in force before the push, but somebody saved something else "
        "meanwhile, which it would boot; that was left as it is. Save what is in force, if that "
        f"is meant; what it booted before is {unit.kept / STARTUP}"
    )
    return StepResult(unit.device, Outcome.NOT_RESTORED, step, text, cause)


def left_alone(unit: Unit, step: str, why: str, cause: str, found: Found) -> StepResult:
    """How a device ended that is left as somebody else has made it; with the lines."""
    lines = masked(unit.system.preview.differences(unit.job.before, found.running))
    more = f"\n    and {len(lines) - _SHOWN:,} more" if len(lines) > _SHOWN else ""
    shown = "".join(f"\n    {line}" for line in lines[:_SHOWN]) + more
    text = (
        f"{why}; {unit.device} was changed by somebody else {_when(unit, found)}. It differs from "
        f"what was in force before the push:{shown}"
    )
    return StepResult(unit.device, Outcome.NOT_RESTORED, step, text, cause)


def _when(unit: Unit, found: Found) -> str:
    """Since when; what was laid down and never put in force is taken away, if that can be done."""
    if not nothing_in_force(unit):
        return (
            f"after this push, so it was left as it is: `fabric rollback --device {unit.device}` "
            "shows what going back would change"
        )
    text = "before anything of this push was in force, so it was left as it is"
    if found.state is State.TARGET or found.pending:
        # Another push of this plan: its files and timer bear the same names, it may need them.
        return f"{text}, with what was laid down: another push of this plan is or was at work there"
    try:
        unit.carry(RESTORE, unit.system.preview.discard(unit.job))
    except Exception:  # noqa: BLE001 - whatever it was: it is told, nothing in force hangs on it
        unit.line.close()
        return f"{text} (what was laid down may lie there still)"
    return text
