"""One device during one phase of a push: its job, its session, where it stands."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from fabric.changing.section_preview import STARTUP
from fabric.live.push.carry import StepError, carry
from fabric.live.push.log import PhaseLog
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.live.push.carry import Line
    from fabric.live.push.log import Log
    from fabric.live.push.means import Means
    from fabric.live.push.standing import Standing
    from fabric.live.push.terms import System
    from fabric.model.push import Files, Job, Step


class State(Enum):
    """What is in force on a device."""

    BEFORE = "as before the push"
    TARGET = "as the plan wants it"
    OTHER = "neither as before nor as the plan wants it"


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at a device showed.

    ``pending``: the timer of this change runs on it; ``None``: it cannot be asked for that.
    ``boots``: what it would boot; as before also where that is not read, and where what was in
    force before was saved.
    """

    state: State
    pending: bool | None
    running: Files
    boots: State = State.BEFORE


@dataclass(frozen=True, slots=True)
class Unit:
    """All that working on one device needs.

    ``expected``: the target as the device words it. ``factor``: by which every time is multiplied.
    ``kept``: where on our disk the configuration of before lies.
    """

    wave: int
    job: Job
    expected: Files
    system: System
    line: Line
    log: Log
    means: Means
    factor: float
    kept: Path

    @property
    def device(self) -> str:
        """Its name."""
        return self.job.device

    @property
    def standing(self) -> Standing:
        """Where it stands by the journal."""
        return self.log.standings[self.device]

    def phase(self, name: str) -> PhaseLog:
        """The log of one phase."""
        return PhaseLog(self.log, self.device, self.wave, name)

    def carry(self, phase: str, steps: Iterable[Step]) -> None:
        """Carry out the steps of a phase.

        Raises:
            StepError: see :func:`carry`.
            JournalError: see :func:`carry`.
        """
        carry(steps, self.line, self.phase(phase), self.means.clock, self.factor)

    def look(self) -> Found:
        """What is in force, and whether the timer runs.

        Raises:
            DeviceError: the device cannot be asked, or its answer is not understood.
        """
        running = self.line.ask(self.system.preview.running())
        pending = self.line.ask(self.system.commit.pending(self.job))
        return Found(self._state(running), pending, running, self._boots(running))

    def stranger(self, found: Found) -> str:
        """Why what answers is not the device that an earlier process touched; empty: it is.

        A device on trial may not say all that it is (NVUE: which revision is in force); one that
        runs our text or our timer is ours all the same.

        Raises:
            DeviceError: it cannot be asked, or its answer is not understood.
        """
        if not self.standing.inherited:
            return ""
        was = self.job.identity
        try:
            now = self.line.ask(self.system.preview.identify())
        except DeviceError as error:
            if error.kind is Kind.REPLY and (found.pending or found.state is not State.OTHER):
                return ""
            raise
        pairs = (
            ("calls itself", now.hostname, (was.hostname, self.device)),
            ("is a", now.model, (was.model,)),
            ("runs", now.os_version, (was.os_version,)),
        )
        return "; ".join(
            f"it {verb} {found}, the push began on one that {verb} {known[0]}"
            for verb, found, known in pairs
            if found not in known
        )

    def _state(self, running: Files) -> State:
        preview = self.system.preview
        try:
            if preview.canonical(running) == preview.canonical(self.job.before):
                return State.BEFORE
            same = not preview.differences(running, self.expected)
        except ReplyError as error:
            msg = f"{self.device}: its configuration is not understood: {error}"
            raise DeviceError(Kind.REPLY, self.device, msg) from None
        return State.TARGET if same else State.OTHER

    def _boots(self, running: Files) -> State:
        """What stands beside the one file of a system whose configuration has sections."""
        was, now = self.job.before.get(STARTUP), running.get(STARTUP)
        if was is None or now is None or was == now:
            return State.BEFORE
        preview = self.system.preview
        name = next(name for name in running if name != STARTUP)
        try:
            saved = preview.canonical({name: now})
            if saved in {preview.canonical({name: was}), preview.canonical(self.job.before)}:
                return State.BEFORE
            same = not preview.differences({name: now}, self.expected)
        except ReplyError:  # it boots something that cannot be read, and did not before
            return State.OTHER
        return State.TARGET if same else State.OTHER


def failed(device: str, kind: Kind, message: str, step: str = "") -> StepError:
    """A failure that no command reported."""
    return StepError(step, DeviceError(kind, device, f"{device}: {message}"))
