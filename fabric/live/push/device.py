"""What is done on one device, phase by phase. A failure ends with the device brought back.

Each function returns ``None`` when the phase ended well, else how the device ended.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.collect.bgp import sessions_up
from fabric.live.collect.fact import NotAskedError
from fabric.live.push import gate, unchanged
from fabric.live.push.carry import StepError
from fabric.live.push.journal import JournalError, Record
from fabric.live.push.means import SoftStop
from fabric.live.push.restore import bring_back, left_s, timer_left
from fabric.live.push.standing import APPLY, CONFIRM, SAVE
from fabric.live.push.unit import State, failed
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Effect, TimerClass
from fabric.model.push_change import Event, Outcome, StepResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.push.unit import Unit
    from fabric.model.device import DeviceModel
    from fabric.model.push import Step
    from fabric.model.push_change import DeviceTarget

JOURNAL = "the journal cannot be written"
GATE = "gate not passed"
_TELL_S = 60.0  # how often somebody who only waits is told that it goes on


def apply(unit: Unit, approved: DeviceTarget) -> StepResult | None:
    """Put the target in force, unless an earlier process did."""
    return _guarded(unit, lambda: _apply(unit, approved))


def _apply(unit: Unit, approved: DeviceTarget) -> None:
    same = unchanged.same_texts(unit, approved) and unchanged.same_steps(unit, approved)
    if APPLY in unit.standing.done and same:
        found = unit.look()
        timed = unit.system.commit.timer is not TimerClass.NONE
        kept = found.pending is not False or not timed or unit.standing.confirming
        if found.state is State.TARGET and kept and not unit.stranger(found):
            return
    if unit.standing.touched:
        _start_again(unit)
    unchanged.texts_are_those(unit, approved)
    unchanged.since_approval(unit, approved)
    peers = _peers(unit)
    timer = unit.system.commit.timer
    if timer is not TimerClass.NONE:
        unit.log.write(Record("timer", timer.value, unit.device, unit.wave))
    steps = unit.system.commit.apply(unit.job)
    first = next((n for n, step in enumerate(steps) if step.effect >= Effect.RUNS), len(steps))
    unit.carry(APPLY, steps[:first])
    unchanged.text(unit, approved)  # again: laying down takes its time
    unit.carry(APPLY, steps[first : first + 1])
    for step in steps[first + 1 :]:
        if timer is TimerClass.SCHEDULED and step.effect >= Effect.RUNS:
            unchanged.by_nobody_else(unit)  # whole files are put in force, one after another
        unit.carry(APPLY, (step,))
    unit.phase(APPLY).done(peers=peers)


def _start_again(unit: Unit) -> None:
    """What was cut off half-way is taken back first."""
    result = bring_back(unit, unit.standing.step, f"{unit.device}: cut off earlier", "resumed")
    if result.outcome is not Outcome.RESTORED:
        raise _AlreadyEndedError(result)


class _AlreadyEndedError(Exception):
    """The device was brought to an end on the way."""

    def __init__(self, result: StepResult) -> None:
        super().__init__(result.message)
        self.result = result


def _peers(unit: Unit) -> tuple[str, ...] | None:
    """BGP sessions that are up before the change; ``None``: it cannot be known."""
    try:
        up, _ = sessions_up(unit.device, unit.system.spec.name, unit.line.perform)
    except NotAskedError:
        return None
    return tuple(sorted(up))


def judge(unit: Unit, model: Callable[[str], DeviceModel | None]) -> StepResult | None:
    """Read back and compare; the verdict is journalled."""

    def work() -> None:
        judgement = gate.judge(unit, model(unit.device))
        passed = not judgement.problems
        text = "; ".join((*judgement.problems, *judgement.notes))
        status = "passed" if passed else "failed"
        unit.log.write(Record("gate", status, unit.device, unit.wave, message=text))
        if not passed:
            raise failed(unit.device, Kind.REPLY, text, "gate")

    return _guarded(unit, work, cause=GATE)


def confirm(unit: Unit) -> StepResult | None:
    """Give up the device's timer."""

    def work() -> None:
        if CONFIRM in unit.standing.done:
            return
        # An earlier process may have been cut off before it noted what the device had done.
        if not unit.standing.confirming or unit.look().pending is not False:
            unit.carry(CONFIRM, _not_ended(unit, CONFIRM, unit.system.commit.confirm(unit.job)))
        unit.phase(CONFIRM).done()

    return _guarded(unit, work)


def save(unit: Unit) -> StepResult | None:
    """Save, and read back once more: only then is a device called changed."""
    ended: list[StepResult] = []

    def work() -> None:
        if SAVE not in unit.standing.done:
            unit.carry(SAVE, _not_ended(unit, SAVE, unit.system.commit.save(unit.job)))
            unit.phase(SAVE).done()
        found = unit.look()
        if found.state is not State.TARGET:
            wrong = gate.otherwise(unit, found.running, found.state)
            raise failed(unit.device, Kind.REPLY, f"after saving, {wrong}")
        if found.pending:
            raise failed(unit.device, Kind.REPLY, "after saving, its timer still runs")
        text = f"{unit.device}: changed, read back, confirmed and saved"
        result = StepResult(unit.device, Outcome.CHANGED, "", text)
        ended.append(unit.phase(SAVE).result(result))

    return _guarded(unit, work) or ended[0]


def _not_ended(unit: Unit, phase: str, steps: tuple[Step, ...]) -> tuple[Step, ...]:
    """Those that no earlier process saw end; the last may have removed what the first needs."""
    names, now = [step.name for step in steps], unit.standing
    if now.phase != phase or now.step not in names:
        return steps
    return steps[names.index(now.step) + now.step_done :]


def wait_out(unit: Unit) -> StepResult | None:
    """Let the device's own timer take the change back, and see that it did."""

    def work() -> None:
        unit.line.close()
        clock, waits = unit.means.clock, unit.means.waits
        told_s = _waits(unit, "its own timer is let run out, to see that it takes the change back")
        while timer_left(unit) > 0:
            if unit.means.stop.soft:
                raise SoftStop
            if told_s - left_s(unit) >= _TELL_S:
                told_s = _waits(unit, "its own timer runs")
            clock.sleep(waits.poll_s)
        deadline = clock.now() + waits.grace_s + waits.reach_s
        while True:
            try:
                found = unit.look()
                if found.state is State.BEFORE and not found.pending:
                    return
                state = f"its timer did not take the change back: it is {found.state.value}"
            except DeviceError as error:
                unit.line.close()
                state = str(error)
            if unit.means.stop.soft:
                raise SoftStop
            if clock.now() >= deadline:
                raise failed(unit.device, Kind.REPLY, state, "timer runs out")
            clock.sleep(waits.poll_s)

    return _guarded(unit, work, cause="timer not proven")


def _waits(unit: Unit, what: str) -> float:
    """Say what is waited for, and for how many seconds more."""
    left = left_s(unit)
    text = f"{unit.device}: {what}: {left:,.0f} s left"
    unit.log.tell(Event("contact", unit.device, unit.wave, status="waits", message=text))
    return left


def _guarded(  # noqa: PLR0911 - one a way of failing
    unit: Unit, work: Callable[[], None], cause: str = ""
) -> StepResult | None:
    try:
        work()
    except _AlreadyEndedError as error:
        return error.result
    except SoftStop:
        return None  # what becomes of the device is decided for the whole wave
    except StepError as error:
        return _ended(unit, error.step, str(error), cause or error.error.kind.value, error.error)
    except DeviceError as error:
        return _ended(unit, unit.standing.step, str(error), cause or error.kind.value, error)
    except JournalError as error:
        return _ended(unit, unit.standing.step, str(error), JOURNAL, None)
    except Exception as error:  # noqa: BLE001 - whatever it was, a device is not left half-way
        text = f"{unit.device}: internal error: {type(error).__name__}: {error}"
        return _ended(unit, unit.standing.step, text, "internal error", None)
    finally:
        unit.line.close()
    return None


def _ended(unit: Unit, step: str, why: str, cause: str, error: DeviceError | None) -> StepResult:
    if unit.standing.touched:
        if not unit.standing.failed:  # no step, no gate: should we be cut off, it goes back as well
            phase = unit.standing.phase
            text = Record("phase", "failed", unit.device, unit.wave, phase, step, cause=cause)
            unit.log.write(text, must=False)
        return bring_back(unit, step, why, cause)
    unreachable = error is not None and error.kind.unreachable
    outcome = Outcome.UNREACHABLE if unreachable else Outcome.SKIPPED
    result = StepResult(unit.device, outcome, step, f"{why}; nothing was changed", cause)
    return unit.phase(APPLY).result(result)
