"""The course of a push: first contacts, then wave by wave; on a failure everything goes back."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from fabric.live.push import device as at_device
from fabric.live.push import unchanged
from fabric.live.push.carry import Line
from fabric.live.push.crew import each
from fabric.live.push.folder import BEFORE
from fabric.live.push.log import PhaseLog
from fabric.live.push.means import SoftStop
from fabric.live.push.restore import bring_back, may_be
from fabric.live.push.standing import APPLY, LOST
from fabric.live.push.unit import Unit
from fabric.live.transport.errors import DeviceError
from fabric.model.push import Identity, Job, TimerClass
from fabric.model.push_change import Event, Outcome, StepResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from fabric.live.push.log import Log
    from fabric.live.push.means import Means
    from fabric.live.push.terms import Options, Prepared
    from fabric.live.transport.session import Dial
    from fabric.model.push_change import DeviceTarget


class AbortError(Exception):
    """A device failed, so everything goes back; the text says which, and why."""


class CheckpointError(Exception):
    """The kept configuration of before was edited or damaged: it is never put in force."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(
            f"its checkpoint {unit.kept} is not what was in force when the change was approved: it "
            "was edited or damaged, or another version of fabric made it (RCE945)"
        )
        self.way_out = (
            f"; so nothing was done to {unit.device}, which may be {may_be(unit)}. Put the file "
            "back as it was, then `fabric push --resume`"
        )


@dataclass(slots=True)
class Course:
    """One push while it runs. Holds texts of devices in work alone, should their folder go."""

    prepared: Prepared
    dial: Dial
    log: Log
    options: Options
    means: Means
    targets: dict[str, DeviceTarget] = field(init=False)
    numbers: dict[str, int] = field(init=False)  # wave by device
    _in_work: dict[str, Unit] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.targets = {d.device: d for d in self.prepared.change.devices}
        waves = self.prepared.change.waves
        self.numbers = {name: wave.number for wave in waves for name in wave.devices}

    def waves(self) -> None:
        """All waves that are not over.

        Raises:
            AbortError: a device failed.
            SoftStop: the user asked to stop.
        """
        for wave in self.prepared.change.waves:
            todo = [d for d in wave.devices if not self.log.standings[d].over]
            if not todo:
                continue
            self.log.tell(Event("wave", wave=wave.number, status="begins", message=wave.name))
            for part in self._parts(todo):
                try:
                    self.wave(part)
                except AbortError as error:
                    self.log.tell(
                        Event("wave", wave=wave.number, status="failed", message=str(error))
                    )
                    msg = f"wave {wave.number} ({wave.name}): {error}"
                    raise AbortError(msg) from None
            self.log.tell(Event("wave", wave=wave.number, status="done", message=wave.name))

    def _parts(self, todo: list[str]) -> Iterator[list[str]]:
        """Those that nobody would take back go one by one, whatever the wave says."""
        alone = [d for d in todo if self._alone(d)]
        together = [d for d in todo if d not in set(alone)]
        if together:
            yield together
        yield from ([d] for d in alone)

    def _alone(self, name: str) -> bool:
        return self.prepared.system(name).commit.timer is TimerClass.NONE

    def wave(self, devices: list[str]) -> None:
        """All applied before any is judged; all judged before any is confirmed.

        Raises:
            AbortError: a device failed.
            SoftStop: the user asked to stop, and it was not too late for that.
        """
        self.applied_and_judged(devices)
        # From here on a wave is finished also when somebody asks to stop.
        for phase in (at_device.confirm, at_device.save):
            _all_well(self.on_all(phase, devices, begin_all=True))

    def applied_and_judged(self, devices: list[str]) -> None:
        """The part of a wave that every device can still be taken back from by its own timer.

        Raises:
            AbortError: a device failed.
            SoftStop: the user asked to stop.
        """
        for phase in (self._apply, self._judge):
            _all_well(self.on_all(phase, devices, begin_all=False))
            if self.means.stop.soft:
                raise SoftStop

    def _apply(self, unit: Unit) -> StepResult | None:
        return at_device.apply(unit, self.targets[unit.device])

    def _judge(self, unit: Unit) -> StepResult | None:
        return at_device.judge(unit, self.prepared.model)

    def take_back(self, devices: Iterable[str], why: str, cause: str) -> None:
        """Bring back every device of those that is not as before; the last one first."""
        standings = self.log.standings
        touched = [d for d in devices if standings[d].touched and not _tried(standings[d].result)]
        work = partial(self._back, why, cause)
        self.on_all(work, list(reversed(touched)), begin_all=True)

    def _back(self, why: str, cause: str, unit: Unit) -> StepResult:
        result = unit.standing.result
        finished = result is not None and result.outcome is Outcome.CHANGED
        step = unit.standing.step
        return bring_back(unit, step, f"{unit.device}: {why}", cause, finished=finished)

    def on_all(
        self, work: Callable[[Unit], StepResult | None], devices: list[str], *, begin_all: bool
    ) -> list[StepResult]:
        """A phase on many devices; how those ended that it was the end for."""

        def one(name: str) -> StepResult | None:
            line = Line(name, self.dial, self.means.stop)
            try:
                kept = self._in_work.get(name)
                unit = replace(kept, line=line) if kept else self.unit(name, line)
            except Exception as error:  # noqa: BLE001 - the other devices of the phase go on
                line.close()
                return self._not_begun(name, error)
            self._in_work[name] = unit
            result = work(unit)
            if result is not None or not unit.standing.touched:
                del self._in_work[name]
            return result

        pairs = each(
            one,
            devices,
            workers=self.options.workers,
            stop=self.means.stop,
            begin_all=begin_all,
        )
        return [result for _, result in pairs if result is not None]

    def unit(self, name: str, line: Line) -> Unit:
        """A device with its texts, read from the disk.

        Raises:
            DeviceError: it had to be asked what it is, and did not say.
            CheckpointError: what it would go back to is not what was in force.
        """
        prepared, target = self.prepared, self.targets[name]
        system = prepared.systems[target.platform]
        identity = prepared.folder.identity(name)
        if identity is None:
            identity = line.ask(system.preview.identify())
            prepared.folder.keep_identity(name, identity)
        job = Job(
            push_id=prepared.push_id,
            device=name,
            user=prepared.users[name],
            before=prepared.before(name),
            target=prepared.target(name),
            timer_s=prepared.change.timer_s,
            identity=identity,
        )
        found = Unit(
            wave=self.numbers[name],
            job=job,
            expected=prepared.expected(name),
            system=system,
            line=line,
            log=self.log,
            means=self.means,
            factor=self.options.time_factor,
            kept=prepared.folder.place(name, BEFORE),
        )
        if not unchanged.is_that(system.preview, job.before, target.before_sha256):
            raise CheckpointError(found)
        return found

    def _not_begun(self, name: str, error: Exception) -> StepResult:
        """It did not say what it is, or its texts on our disk cannot be read."""
        kind = error.kind if isinstance(error, DeviceError) else None
        cause = kind.value if kind else "texts not read"
        text = str(error) if kind else f"{name}: its texts cannot be read: {error}"
        if isinstance(error, CheckpointError):
            cause, text = "checkpoint damaged", f"{name}: {error}"
        if self.log.standings[name].touched:
            if isinstance(error, CheckpointError):
                text += error.way_out
            else:
                state = self._may_be(name)
                text += f"; it may be {state}" + ("" if kind else f". {_FROM_A_COPY}")
            result = StepResult(name, Outcome.UNKNOWN, "", text, cause)
        else:
            gone = Outcome.UNREACHABLE if kind and kind.unreachable else Outcome.SKIPPED
            result = StepResult(name, gone, "", f"{text}; nothing was changed", cause)
        return PhaseLog(self.log, name, self.numbers[name], APPLY).result(result)

    def _may_be(self, name: str) -> str:
        """In which state it is, as far as that is known without its texts."""
        result = self.log.standings[name].result
        if result is not None and result.outcome is Outcome.CHANGED:
            return "as the plan wants it, saved, for it was changed before that"
        system, timer_s = self.prepared.system(name), self.prepared.change.timer_s
        job = Job(self.prepared.push_id, name, "", {}, {}, timer_s, Identity("", "", ""))
        place, factor = self.prepared.folder.place(name, BEFORE), self.options.time_factor
        line = Line(name, self.dial, self.means.stop)
        wave = self.numbers[name]
        return may_be(Unit(wave, job, {}, system, line, self.log, self.means, factor, place))


_FROM_A_COPY = (
    "Put the folder of this push back from a copy, then `fabric push --resume`; without one only "
    "a backup of the device leads back"
)


def _tried(result: StepResult | None) -> bool:
    """Going back was tried and failed in this run already; a resumed push tries again."""
    return result is not None and result.outcome in LOST


def _all_well(results: list[StepResult]) -> None:
    bad = [r for r in results if r.outcome is not Outcome.CHANGED]
    if bad:
        raise AbortError(brief(bad))


def brief(bad: Sequence[StepResult]) -> str:
    """Which devices failed, and in a few words why; the whole sentence is told of each."""
    first, others = bad[0], len(bad) - 1
    more = f" and {others:,} more device{'s' if others > 1 else ''}" if others else ""
    return f"{first.device} ({first.cause or 'failed'}){more}"
