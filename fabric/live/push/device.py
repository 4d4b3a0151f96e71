"""What is done on one device, phase by phase. A failure ends with the device brought back.

Each function returns ``None`` when the phase ended well, else how the device ended.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fabric.live.collect.bgp import sessions_up
from fabric.live.collect.fact import NotAskedError
from fabric.live.push import gate
from fabric.live.push.carry import StepError
from fabric.live.push.describe import step_text
from fabric.live.push.journal import JournalError, Record
from fabric.live.push.means import SoftStop
from fabric.live.push.restore import bring_back, timer_left
from fabric.live.push.standing import APPLY, CONFIRM, SAVE
from fabric.live.push.unit import State, failed
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Effect, TimerClass
from fabric.model.push_change import Event, Outcome, StepResult

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.push.unit import Unit
    from fabric.model.device import DeviceModel
    from fabric.model.push import Files, Step
    from fabric.model.push_change import DeviceTarget

JOURNAL = "the journal cannot be written"
STALE = "changed since the Change was made"
HELD = "locked by somebody else"
GATE = "gate not passed"


def apply(unit: Unit, approved: DeviceTarget) -> StepResult | None:
    """Put the target in force, unless an earlier process did."""
    return _guarded(unit, lambda: _apply(unit, approved))


def _apply(unit: Unit, approved: DeviceTarget) -> None:
    if APPLY in unit.standing.done and _same_steps(unit, approved):
        found = unit.look()
        timed = unit.system.commit.timer is not TimerClass.NONE
        kept = found.pending is not False or not timed or unit.standing.confirming
        if found.state is State.TARGET and kept and not unit.stranger(found):
            return
    if unit.standing.touched:
        _start_again(unit)
    _texts_are_those(unit, approved)
    _unchanged_since(unit, approved)
    peers = _peers(unit)
    timer = unit.system.commit.timer
    if timer is not TimerClass.NONE:
        unit.log.write(Record("timer", timer.value, unit.device, unit.wave))
    steps = unit.system.commit.apply(unit.job)
    first = next((n for n, step in enumerate(steps) if step.effect >= Effect.RUNS), len(steps))
    unit.carry(APPLY, steps[:first])
    _text_unchanged(unit, approved)  # again: laying down takes its time
    unit.carry(APPLY, steps[first:])
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


def _texts_are_those(unit: Unit, approved: DeviceTarget) -> None:
    """What lies on our disk is what was approved."""
    job = unit.job
    pairs = ((job.before, approved.before_sha256), (job.target, approved.target_sha256))
    if any(_digest(unit, files) != sha256 for files, sha256 in pairs):
        msg = "its texts below .fabric/ are not those that were approved (RCE945)"
        raise failed(unit.device, Kind.REFUSED, msg)
    if not _same_steps(unit, approved):
        msg = "the commands for it are not those that were approved: fabric was replaced (RCE945)"
        raise failed(unit.device, Kind.REFUSED, msg)


def _same_steps(unit: Unit, approved: DeviceTarget) -> bool:
    commit, job = unit.system.commit, unit.job
    steps = (*commit.apply(job), *commit.confirm(job), *commit.save(job))
    return tuple(map(step_text, steps)) == approved.steps


def _digest(unit: Unit, files: Files) -> str:
    return hashlib.sha256(unit.system.preview.canonical(files).encode()).hexdigest()


def _unchanged_since(unit: Unit, approved: DeviceTarget) -> None:
    preview, line = unit.system.preview, unit.line
    version = line.ask(preview.identify()).os_version
    if version != approved.os_version:
        msg = f"it runs {version}, approved was a change of {approved.os_version} (RCE945)"
        raise failed(unit.device, Kind.REFUSED, msg)
    holder = line.ask(preview.holder())
    if holder:
        raise failed(unit.device, Kind.REFUSED, f"{HELD}: {holder}")
    _text_unchanged(unit, approved)


def _text_unchanged(unit: Unit, approved: DeviceTarget) -> None:
    if _digest(unit, unit.line.ask(unit.system.preview.running())) != approved.before_sha256:
        msg = f"its configuration was {STALE} (RCE945); `fabric push --refresh` makes a new one"
        raise failed(unit.device, Kind.REFUSED, msg)


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
        if found.state is not State.TARGET or found.pending:
            state = "its timer still runs" if found.pending else f"it is {found.state.value}"
            raise failed(unit.device, Kind.REPLY, f"after saving, {state}")
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
        left = max(timer_left(unit), 0.0)
        text = f"{unit.device}: its own timer is let run out, in {left:,.0f} s"
        unit.log.tell(Event("contact", unit.device, unit.wave, status="waits", message=text))
        clock, waits = unit.means.clock, unit.means.waits
        while timer_left(unit) > 0:
            if unit.means.stop.soft:
                raise SoftStop
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
        return bring_back(unit, step, why, cause)
    unreachable = error is not None and error.kind.unreachable
    outcome = Outcome.UNREACHABLE if unreachable else Outcome.SKIPPED
    result = StepResult(unit.device, outcome, step, f"{why}; nothing was changed", cause)
    return unit.phase(APPLY).result(result)
