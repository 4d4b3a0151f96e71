"""Carrying out what a procedure says: steps in order, each journalled before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import NotTakenError, ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.live.push.log import PhaseLog
    from fabric.live.push.means import Clock, Stop
    from fabric.live.transport.session import Dial, Session
    from fabric.model.push import Action, Ask, Step

T = TypeVar("T")
_POINTLESS = {Kind.HOST_KEY_CHANGED, Kind.HOST_KEY_UNKNOWN, Kind.NO_CREDENTIAL, Kind.NAME}


class StepError(Exception):
    """A step failed; the text is a sentence. ``step`` is empty where none was begun."""

    def __init__(self, step: str, error: DeviceError) -> None:
        super().__init__(str(error))
        self.step, self.error = step, error


class Line:
    """The way to one device: a session, opened when it is needed, and anew after a loss."""

    def __init__(self, device: str, dial: Dial, stop: Stop) -> None:
        self.device = device
        self._dial, self._stop = dial, stop
        self._session: Session | None = None

    def perform(self, action: Action) -> str:
        """Carry out one action; the reply was checked.

        Raises:
            DeviceError: it failed, or the device cannot be reached.
            HardStop: the user asked twice to stop.
        """
        self._stop.check()
        if self._session is None:
            self._session = self._dial(self.device)
        return self._session.perform(action)

    def ask(self, ask: Ask[T]) -> T:
        """An answer from the device.

        Raises:
            DeviceError: see :meth:`perform`; also for a reply that is not understood.
        """
        replies = tuple(self.perform(command) for command in ask.commands)
        try:
            return ask.read(replies)
        except NotTakenError as error:
            raise DeviceError(Kind.REFUSED, self.device, f"{self.device}: {error}") from error
        except ReplyError as error:
            commands = ", ".join(command.text for command in ask.commands)
            msg = f"{self.device}: the reply to {commands} is not understood: {error}"
            raise DeviceError(Kind.REPLY, self.device, msg, command=commands) from error

    def close(self) -> None:
        """End the session; the next action opens another."""
        session, self._session = self._session, None
        if session is not None:
            session.close()


def carry(steps: Iterable[Step], line: Line, log: PhaseLog, clock: Clock, factor: float) -> None:
    """All steps, in order; the session is closed after a failure.

    Raises:
        StepError: one failed; those after it were not begun.
        JournalError: a step could not be journalled and was not begun.
    """
    for step in steps:
        log.step(step, "begins")
        try:
            _one(step, line, clock, factor)
        except DeviceError as error:
            line.close()
            log.step(step, "failed", str(error))
            raise StepError(step.name, error) from None
        log.step(step, "done")


def _one(step: Step, line: Line, clock: Clock, factor: float) -> None:
    dropped: set[Kind] = set()
    try:
        for action in step.actions:
            line.perform(action)
    except DeviceError as error:
        if not step.may_drop or error.kind.outcome_known:
            raise
        dropped.add(error.kind)
    if step.may_drop:
        line.close()
    if step.until is not None:
        _poll(step, step.until, line, clock, factor, dropped)


def _poll(  # noqa: PLR0913, PLR0917 - a step, a way and a time
    step: Step,
    until: Ask[str | None],
    line: Line,
    clock: Clock,
    factor: float,
    failed: set[Kind],
) -> None:
    """Ask until nothing is missing; a lost session is no failure before the time is over.

    A ``ReplyError`` of the question says that waiting does not help. ``failed``: how the step's
    own actions were cut off.
    """
    within_s = step.until_s * factor
    deadline = clock.now() + within_s
    pause = max(within_s / 50, 0.01)
    while True:
        try:
            missing = line.ask(until)
        except DeviceError as error:
            line.close()
            if error.kind in _POINTLESS or isinstance(error.__cause__, ReplyError):
                raise
            missing = str(error)
            failed.add(error.kind)
        if missing is None:
            return
        if clock.now() >= deadline:
            raise _overdue(step, line.device, missing, failed)
        clock.sleep(pause)


def _overdue(step: Step, device: str, missing: str, failed: set[Kind]) -> DeviceError:
    """Times are the step's own, also where all goes faster; that it restarted is not known."""
    what = {
        "its session was lost": Kind.LOST in failed,
        "it could not be reached": any(kind.unreachable for kind in failed),
    }
    told = " and ".join(words for words, found in what.items() if found)
    msg = f"{device}: {step.name}: not done after {step.until_s:g} s: {missing}"
    if told:
        msg += f"; meanwhile {told}, as when a switch restarts"
    return DeviceError(Kind.LOST if told else Kind.TIMEOUT, device, msg)
