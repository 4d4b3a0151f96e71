"""Everything that happens in a push goes through here: to the journal, then to who watches."""

from __future__ import annotations

import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.live.push.journal import JournalError, Record
from fabric.live.push.standing import RESTORE
from fabric.model.push_change import Event

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.push.journal import Journal
    from fabric.live.push.means import Clock
    from fabric.live.push.standing import Standings
    from fabric.model.push import Step
    from fabric.model.push_change import StepResult

_SILENT = {"phase", "timer"}  # for the journal alone


class Log:
    """Safe for threads. An observer that fails is not asked again; the push goes on."""

    def __init__(
        self,
        journal: Journal,
        standings: Standings,
        observer: Callable[[Event], None],
        clock: Clock,
    ) -> None:
        self._journal, self._observer, self._clock = journal, observer, clock
        self.standings = standings
        self.trouble = ""  # why the journal or the observer was given up
        self._lock = threading.Lock()
        self._muted = False

    def write(self, record: Record, *, must: bool = True) -> None:
        """Keep a line and tell it.

        ``must`` false: a switch is brought back also when the disk of this machine is full.

        Raises:
            JournalError: it could not be written and must be.
        """
        record = replace(record, at=self._clock.now())
        try:
            self._journal.write(record)
        except JournalError as error:
            self.trouble = self.trouble or str(error)
            if must:
                raise
        with self._lock:
            self.standings.note(record)
        if record.event not in _SILENT:
            self.tell(
                Event(
                    record.event,
                    record.device,
                    record.wave,
                    record.step,
                    record.status,
                    _told(record),
                )
            )

    def tell(self, event: Event) -> None:
        """Tell what is not worth a line in the journal."""
        if self._muted:
            return
        try:
            self._observer(event)
        except Exception as error:  # noqa: BLE001 - a closed pipe must not stop a push half-way
            self._muted = True
            self.trouble = self.trouble or f"progress is not shown any more: {error}"


def _told(record: Record) -> str:
    """The message of a record; of a step of the way back it says that it is one."""
    if (record.event, record.phase, record.status) != ("step", RESTORE, "failed"):
        return record.message
    text = record.message.removeprefix(f"{record.device}: ")
    return f"{record.device}: going back: {text}"


@dataclass(frozen=True, slots=True)
class PhaseLog:
    """The part of the log that is about one phase of one device."""

    log: Log
    device: str
    wave: int
    phase: str

    @property
    def _must(self) -> bool:
        return self.phase != RESTORE

    def step(self, step: Step, status: str, message: str = "") -> None:
        """A step begins, is done or failed.

        Raises:
            JournalError: it cannot be kept, so the step must not begin.
        """
        self.log.write(
            Record(
                "step",
                status,
                self.device,
                self.wave,
                self.phase,
                step.name,
                step.effect,
                message,
            ),
            must=self._must and status == "begins",
        )

    def done(self, *, peers: tuple[str, ...] | None = None) -> None:
        """The whole phase has ended well.

        Raises:
            JournalError: it cannot be kept.
        """
        record = Record("phase", "done", self.device, self.wave, self.phase, peers=peers)
        self.log.write(record, must=self._must)

    def result(self, result: StepResult) -> StepResult:
        """How the device ended."""
        self.log.write(
            Record(
                "device",
                result.outcome.value,
                self.device,
                self.wave,
                step=result.step,
                message=result.message,
                cause=result.cause,
            ),
            must=False,
        )
        return result
