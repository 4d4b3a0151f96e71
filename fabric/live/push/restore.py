"""After a failure: find out what state the device is in, bring it back, look whether it is back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.push.carry import StepError
from fabric.live.push.describe import step_text
from fabric.live.push.standing import RESTORE
from fabric.live.push.theirs import (
    boots_left_alone,
    boots_something_else,
    left_alone,
    nothing_in_force,
    somebody_elses,
)
from fabric.live.push.unit import State
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Effect, TimerClass
from fabric.model.push_change import Outcome, StepResult

if TYPE_CHECKING:
    from fabric.live.push.unit import Found, Unit

_POINTLESS = {Kind.HOST_KEY_CHANGED, Kind.HOST_KEY_UNKNOWN, Kind.NO_CREDENTIAL}


def bring_back(
    unit: Unit, step: str, why: str, cause: str, *, finished: bool = False
) -> StepResult:
    """Restore a device and verify it; the result is journalled.

    ``finished``: it was changed, saved and read back before. What is found neither as before nor as
    it was left, and not by us, was changed by somebody else since, and is left alone.
    """
    result = brought_back(unit, step, why, cause, finished=finished)
    return unit.phase(RESTORE).result(result)


def brought_back(
    unit: Unit, step: str, why: str, cause: str, *, finished: bool = False
) -> StepResult:
    """The same without a result in the journal, where going back is part of the plan."""
    trouble = ""
    unit.line.close()
    try:
        for _ in range(unit.means.waits.attempts):
            try:
                found = _settled(unit, wait_for(unit))
                ended = _ended(unit, found, (step, why, cause), finished=finished)
                if ended is not None:
                    return ended
                pending = found.pending is not False  # cannot be asked: its restore is the same
                theirs = found.boots is not State.BEFORE and not unit.standing.saving
                saving = unit.standing.saving or theirs
                steps = unit.system.commit.restore(unit.job, pending=pending, saving=saving)
                unit.carry(RESTORE, steps)
                after = unit.look()
            except StepError as error:
                trouble = f"step {error.step!r} of the restore: {error}"
            except Exception as error:  # noqa: BLE001 - whatever it was: again, then tell
                unit.line.close()
                trouble = str(error)
            else:
                trouble = _not_as_before(after)
                if not trouble:
                    unit.phase(RESTORE).done()
                    text = f"{why}; restored and verified: it is as before the push"
                    if theirs:
                        text += "; somebody had saved meanwhile, so what it boots was put back too"
                    return StepResult(unit.device, Outcome.RESTORED, step, text, cause)
        return _not_back(unit, step, why, cause, trouble)
    finally:
        unit.line.close()


def _ended(
    unit: Unit, found: Found, told: tuple[str, str, str], *, finished: bool
) -> StepResult | None:
    """How a device ended on which there is nothing to restore, or nothing that may be."""
    step, why, cause = told
    stranger = unit.stranger(found)
    if stranger:
        return _another_device(unit, step, why, stranger)
    if somebody_elses(unit, found, finished=finished, run_out=_run_out(unit)):
        return left_alone(unit, step, why, cause, found)
    if boots_something_else(unit, found):
        return boots_left_alone(unit, step, why, cause)
    return _cleaned(unit, step, why, cause) if _untouched(unit, found) else None


def _not_as_before(found: Found) -> str:
    """What is missing; empty: nothing."""
    if found.pending:
        return "its timer still runs"
    if found.state is not State.BEFORE:
        return f"it is {found.state.value}"
    boots = found.boots
    return "" if boots is State.BEFORE else f"what it boots from is {boots.value}"


def _untouched(unit: Unit, found: Found) -> bool:
    """Nothing was put in force and no timer was armed: there is nothing to take back."""
    return nothing_in_force(unit) and found.state is State.BEFORE and found.pending is not True


def _cleaned(unit: Unit, step: str, why: str, cause: str) -> StepResult:
    """What was laid down goes; a switch that runs as before is not restored a second time."""
    text = f"{why}; nothing was in force: it is as before the push"
    try:
        unit.carry(RESTORE, unit.system.preview.discard(unit.job))
        unit.phase(RESTORE).done()
    except StepError as error:
        text += f"; what was laid down may lie there still ({error})"
    return StepResult(unit.device, Outcome.RESTORED, step, text, cause)


def wait_for(unit: Unit) -> Found:
    """Look at a device; where it cannot be reached, wait for it, and for its own timer.

    Raises:
        DeviceError: the last reason, after all the waiting.
    """
    clock, waits = unit.means.clock, unit.means.waits
    deadline = clock.now() + min(max(waits.reach_s, timer_left(unit) + waits.grace_s), waits.cap_s)
    while True:
        try:
            return unit.look()
        except DeviceError as error:
            unit.line.close()
            if error.kind in _POINTLESS or clock.now() >= deadline:
                raise
        unit.means.stop.check()
        clock.sleep(waits.poll_s)


def _settled(unit: Unit, found: Found) -> Found:
    """A look after the device's own timer has had the time to take back what it takes back."""
    clock, waits = unit.means.clock, unit.means.waits
    while found.state is State.OTHER and timer_left(unit) <= 0 and not _run_out(unit):
        if unit.system.commit.timer is TimerClass.NONE or unit.standing.armed_at is None:
            break
        unit.means.stop.check()
        clock.sleep(waits.poll_s)
        found = wait_for(unit)
    return found


def _run_out(unit: Unit) -> bool:
    """Whether the device's own timer has surely run out, and what it does is done."""
    if unit.standing.armed_at is None or unit.system.commit.timer is TimerClass.NONE:
        return False
    waits = unit.means.waits
    return timer_left(unit) + waits.grace_s + waits.reach_s <= 0


def timer_left(unit: Unit) -> float:
    """Seconds until the device's own timer runs out, by our clock; below 0: none of ours runs.

    Counted from when the step began that arms it; who has to be sure adds ``Waits.grace_s``.
    """
    armed = unit.standing.armed_at
    if armed is None or unit.system.commit.timer is TimerClass.NONE:
        return -1.0
    whole_s = unit.job.timer_s * unit.factor
    return min(armed - unit.means.clock.now(), 0.0) + whole_s  # a clock set back adds nothing


def left_s(unit: Unit) -> float:
    """The same in the device's own seconds, which in a rehearsal are shorter than ours."""
    return max(timer_left(unit), 0.0) / unit.factor


def by_hand(unit: Unit, *, pending: bool, saving: bool) -> tuple[str, ...]:
    """What a person would type to go back, a line each; secrets are masked."""
    try:
        steps = unit.system.commit.restore(unit.job, pending=pending, saving=saving)
    except ValueError as error:
        return (f"(the commands cannot be made: {error})",)
    return tuple(line for step in steps for line in step_text(step).commands)


def _another_device(unit: Unit, step: str, why: str, stranger: str) -> StepResult:
    text = (
        f"{why}; what answers for {unit.device} is another device ({stranger}), so nothing was "
        f"done to it; {unit.device} itself may be {may_be(unit)}"
    )
    return StepResult(unit.device, Outcome.UNKNOWN, step, text, "another device")


def _not_back(unit: Unit, step: str, why: str, cause: str, trouble: str) -> StepResult:
    try:
        found: Found | None = unit.look()
    except DeviceError:
        found = None
    as_before = found is not None and found.pending is False and not _not_as_before(found)
    if as_before and not unit.standing.saving:  # what it boots from was not touched either
        unit.phase(RESTORE).done()
        text = (
            f"{why}; it is as before the push, by its read-back; what was laid down may lie there "
            f"still, since going back did not end well ({trouble})"
        )
        return StepResult(unit.device, Outcome.RESTORED, step, text, cause)
    if found is None:
        outcome = Outcome.UNKNOWN
        state = f"it cannot be reached ({trouble}); it may be {may_be(unit)}"
    elif found.state is State.BEFORE:
        outcome = Outcome.NOT_RESTORED
        state = f"its configuration is as before, but going back did not end well ({trouble})"
    else:
        outcome = Outcome.NOT_RESTORED
        state = f"it is {found.state.value} and could not be restored ({trouble})"
    saving = unit.standing.saving or bool(found and found.boots is not State.BEFORE)
    lines = by_hand(unit, pending=bool(found and found.pending), saving=saving)
    typed = "\n".join(f"    {line}" for line in lines)
    text = (
        f"{why}; {unit.device}: {state}. What was in force before lies in {unit.kept}; secrets and "
        f"the contents of files are left out here. To go back by hand:\n{typed}"
    )
    return StepResult(unit.device, outcome, step, text, cause)


def may_be(unit: Unit) -> str:
    """In which state a device may be that cannot be asked."""
    began, timer = unit.standing.began, unit.system.commit.timer
    if began is None or began <= Effect.STAGES:
        return "as before, with something laid down that is not in force"
    if began >= Effect.CONFIRMS:
        return "changed and not saved, changed and saved, or as before"
    if timer is TimerClass.NONE:
        return "changed, half changed, or as before; nothing on the device takes the change back"
    if timer_left(unit) > 0:
        return f"changed until its own timer takes that back, in about {left_s(unit):,.0f} s"
    return "as before, by its own timer, which has run out"
