"""Where each device stands, folded from the journal: the same in a push that runs and after one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.model.push import Effect
from fabric.model.push_change import Outcome, StepResult

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.live.push.journal import Record

APPLY, CONFIRM, SAVE, RESTORE = "apply", "confirm", "save", "restore"
LOST = frozenset({Outcome.NOT_RESTORED, Outcome.UNKNOWN})  # not as before, or nobody knows
INTERRUPTED = "interrupted"  # cause of what was taken back only because the user stopped


@dataclass(frozen=True, slots=True)
class Standing:
    """One device.

    ``began``: the furthest effect that began since the device was last known to be as before;
    ``armed_at``: when its first step that changes something in force began (its own timer is armed
    in that step or soon after, and runs out so much later than reckoned from here); ``step``: the
    last that began, ``step_done``: whether it ended well; ``done``: phases that did.
    """

    began: Effect | None = None
    armed_at: float | None = None
    phase: str = ""
    step: str = ""
    step_done: bool = False
    done: frozenset[str] = frozenset()
    confirming: bool = False  # giving up the timer began, whether or not it ended
    peers: tuple[str, ...] | None = None
    result: StepResult | None = None
    timed: bool = False  # whether its own timer takes an unconfirmed change back
    restored: bool = False  # by the last thing that was done to it
    restoring: bool = False  # a step of going back that changes something in force began
    failed: str = ""  # why, in a few words; its end is not told yet
    inherited: bool = False  # what was done to it was done by an earlier process

    @property
    def touched(self) -> bool:
        """Whether anything was laid down or changed on the device that was not taken back."""
        return self.began is not None and self.began >= Effect.STAGES

    @property
    def saving(self) -> bool:
        """Whether what it boots from may have been changed and not been put back."""
        return self.began is not None and self.began >= Effect.SAVES

    @property
    def over(self) -> bool:
        """Whether nothing is left to do for it but to go back."""
        return self.result is not None and self.result.cause != INTERRUPTED

    def after(self, record: Record) -> Standing:
        """Where it stands after one more line of the journal."""
        if record.event == "step":
            begins = record.status == "begins"
            return self._stepped(record) if begins else self._step_ended(record)
        if record.event in {"gate", "phase"}:
            return self._phase_ended(record)
        if record.event == "timer":
            return replace(self, timed=True)
        if record.event == "device":
            outcome = Outcome(record.status)
            result = StepResult(record.device, outcome, record.step, record.message, record.cause)
            return replace(self, result=result, failed="")
        return self

    def _phase_ended(self, record: Record) -> Standing:
        if record.status == "failed":
            return replace(self, failed=self.failed or record.cause or f"{record.event} failed")
        if record.event == "gate":
            return self
        if record.phase == RESTORE:
            return Standing(restored=True, failed=self.failed)
        peers = self.peers if record.peers is None else record.peers
        return replace(self, done=self.done | {record.phase}, peers=peers)

    def _step_ended(self, record: Record) -> Standing:
        here = replace(self, step_done=_done(record))
        if record.phase == RESTORE or here.step_done:
            return here
        return replace(here, failed=f"step {record.step!r} failed")

    def _stepped(self, record: Record) -> Standing:
        here = replace(
            self,
            phase=record.phase,
            step=record.step,
            step_done=False,
            result=None,
        )
        effect = record.effect or Effect.READS
        if record.phase == RESTORE:
            return replace(here, restoring=self.restoring or effect >= Effect.RUNS)
        here = replace(here, restored=False)
        first = self.armed_at is None and effect >= Effect.RUNS
        return replace(
            here,
            began=max(self.began or Effect.READS, effect),
            armed_at=record.at if first else self.armed_at,
            confirming=self.confirming or record.phase in {CONFIRM, SAVE},
        )


def _done(record: Record) -> bool:
    return record.status == "done"


@dataclass(frozen=True, slots=True)
class PushStanding:
    """The push as a whole: the last thing it said of itself, and why.

    ``unfinished``: at its end, but a device is not as it should be; a resumed push tries again, and
    another push may begin.
    """

    status: str = ""  # of the last `push` record; empty: it was not begun
    message: str = ""
    aborting: str = ""  # why everything goes back

    @property
    def open(self) -> bool:
        """Whether it was begun and not brought to an end."""
        return self.status not in {"", "closed", "unfinished"}

    @property
    def unended(self) -> bool:
        """Whether anything is left to do for it."""
        return self.status not in {"", "closed"}

    def after(self, record: Record) -> PushStanding:
        """Where it stands after one more line."""
        if record.event != "push":
            return self
        why = record.message if record.status == "aborting" else self.aborting
        return PushStanding(record.status, record.message, why)


@dataclass(slots=True)
class Standings:
    """All devices of a push and the push itself; grows by records."""

    push: PushStanding
    devices: dict[str, Standing]

    @classmethod
    def of(cls, records: Iterable[Record]) -> Standings:
        """What a journal says."""
        whole = cls(PushStanding(), {})
        for record in records:
            whole.note(record)
        return whole

    def note(self, record: Record) -> None:
        """Take in one more line."""
        self.push = self.push.after(record)
        if record.event == "push" and record.status == "resumed":
            self._forget_vain_attempts()
            self._inherit()
        if record.device:
            self.devices[record.device] = self[record.device].after(record)

    def failed(self, devices: Iterable[str]) -> list[StepResult]:
        """How those ended that did not end well; of one whose end is not told, why it failed."""
        found = []
        for device in devices:
            now = self[device]
            if now.failed:
                found.append(StepResult(device, Outcome.UNKNOWN, cause=now.failed))
            elif now.over and now.result and now.result.outcome is not Outcome.CHANGED:
                found.append(now.result)
        return found

    def _forget_vain_attempts(self) -> None:
        """A resumed push tries again to bring back what could not be."""
        for name, standing in self.devices.items():
            if standing.result and standing.result.outcome in LOST:
                self.devices[name] = replace(standing, result=None)

    def _inherit(self) -> None:
        for name, standing in self.devices.items():
            self.devices[name] = replace(standing, inherited=standing.touched)

    def __getitem__(self, device: str) -> Standing:
        return self.devices.get(device, Standing())
