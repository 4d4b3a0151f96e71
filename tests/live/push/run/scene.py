"""A push of toy devices, ready to run, to be cut off and to be resumed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.changing.section_preview import STARTUP
from fabric.live.push.describe import step_text
from fabric.live.push.folder import BEFORE as BEFORE_TEXTS
from fabric.live.push.folder import TARGET as TARGET_TEXTS
from fabric.live.push.folder import PushFolder, private_folder
from fabric.live.push.journal import read
from fabric.live.push.means import Means, Stop
from fabric.live.push.run import push, resume
from fabric.live.push.terms import Options, Prepared, System
from fabric.model.push import Identity, Job, TimerClass
from fabric.model.push_change import (
    Change,
    DeviceTarget,
    Event,
    Outcome,
    RiskClass,
    StepText,
    Wave,
)
from fabric.model.push_spec import PushSpec
from tests.live.push.run.toy import (
    BEFORE,
    TARGET,
    TIMER_S,
    FakeClock,
    Fault,
    ToyNet,
)
from tests.live.push.run.toy_procedures import ToyCommit, ToyPreview, digest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fabric.live.push.terms import Report
    from fabric.model.device import DeviceModel
    from fabric.model.push import Step

SPEC = PushSpec("frr", "shell", "", (), (), (), (), ())
BACK = {Outcome.RESTORED, Outcome.SKIPPED, Outcome.UNCHANGED, Outcome.UNREACHABLE}


@dataclass
class Scene:
    """``waves``: names by wave. ``faults``: (device, phase-less step name) → what happens then."""

    root: Path
    waves: list[list[str]]
    timer: TimerClass = TimerClass.CANDIDATE
    known: bool = True
    workers: int = 1
    prove_timer: bool = True
    go_on: Callable[[str], bool] = lambda _: True
    faults: dict[tuple[str, str], Fault] = field(default_factory=dict)
    model: Callable[[str], DeviceModel | None] = lambda _: None
    before: str = BEFORE
    boots: bool = False  # what a device boots from is read, too

    def __post_init__(self) -> None:
        self.clock = FakeClock()
        self.names = [name for wave in self.waves for name in wave]
        self.net = ToyNet(self.names, self.clock)
        self.events: list[Event] = []
        self.stop = Stop()
        self.on_event: Callable[[Event], None] = lambda _: None
        self.contacts = self.root / "contacts.jsonl"
        self.root.mkdir(exist_ok=True, parents=True)
        if self.known:
            self.contacts.write_text('{"platform": "frr", "os_version": "1.0"}\n')
        path = self.root / ".fabric" / "toy" / "pushes" / "20261201-120000-abc"
        self.folder = PushFolder(private_folder(path))
        for name in self.names:
            startup = {STARTUP: BEFORE} if self.boots else {}
            self.folder.keep(name, BEFORE_TEXTS, {"config": self.before, **startup})
            self.folder.keep(name, TARGET_TEXTS, {"config": TARGET})
        self.prepared = Prepared(
            change=self._change(),
            push_id="toy-1",
            folder=self.folder,
            systems={"frr": System(SPEC, ToyPreview(boots=self.boots), ToyCommit(self.timer))},
            users=dict.fromkeys(self.names, "admin"),
            model=self.model,
        )

    def _change(self) -> Change:
        waves = tuple(Wave(n, f"wave {n}", tuple(w)) for n, w in enumerate(self.waves, 1))
        diff = ToyPreview().differences({"config": self.before}, {"config": TARGET})
        devices = tuple(
            DeviceTarget(
                device=name,
                platform="frr",
                model="toy",
                os_version="1.0",
                address="192.0.2.1",
                before_sha256=digest(self.before),
                target_sha256=digest(TARGET),
                risk=RiskClass.SAFE,
                risks=(),
                diff=diff,
                steps=self.texts(),
                way_back="",
            )
            for name in self.names
        )
        return Change(
            schema=1,
            fabric="toy",
            plan_sha256="plan",
            offline=False,
            timer_s=TIMER_S,
            waves=waves,
            devices=devices,
            refused=(),
            sha256="change",
        )

    def observe(self, event: Event) -> None:
        self.events.append(event)
        if event.event == "step" and event.status == "begins":
            fault = self.faults.pop((event.device, event.step), None)
            if fault is not None:
                self.net.faults[event.device] = fault
        self.on_event(event)

    def run(self, *, again: bool = False) -> Report:
        return (resume if again else push)(
            self.prepared,
            dial=self.net.dial,
            observer=self.observe,
            options=Options(self.go_on, self.workers),
            means=Means(self.clock, self.stop, prove_timer=self.prove_timer),
            contacts=self.contacts,
        )

    def texts(self) -> tuple[StepText, ...]:
        return tuple(step_text(step) for step in _steps(self.timer, self.before))

    def steps(self) -> list[str]:
        """Names of all steps of the procedure, in order; from its own lists."""
        return [step.name for step in _steps(self.timer, self.before)]

    def check(self, report: Report) -> None:
        """The invariant: a device is as its outcome says, or the outcome says that nobody knows."""
        assert not self.net.misused
        self.clock.sleep(TIMER_S + 1)  # a timer that was left running fires now
        for result in report.results:
            box = self.net.boxes[result.device]
            box.tick()
            if result.outcome is Outcome.CHANGED:
                assert (box.running, box.startup, box.clean) == (TARGET, TARGET, True), result
                self.was_proven(result.device)
            elif result.outcome in BACK:
                assert (box.running, box.startup, box.clean) == (self.before, self.before, True)

    def was_proven(self, device: str) -> None:
        """Read back before it was confirmed, confirmed before it was saved, read back after."""
        said = self.net.boxes[device].commands
        last = {word: len(said) - said[::-1].index(word) for word in ("show", "save")}
        assert last["show"] > last["save"]
        gates = [r for r in read(self.folder.journal).records if r.event == "gate"]
        assert any((r.device, r.status) == (device, "passed") for r in gates)


def _steps(timer: TimerClass, before: str) -> tuple[Step, ...]:
    files = {"config": before}, {"config": TARGET}
    job = Job("toy-1", "x", "admin", *files, TIMER_S, Identity("leaf", "toy", "1.0"))
    commit = ToyCommit(timer)
    return (*commit.apply(job), *commit.confirm(job), *commit.save(job))


def outcomes(report: Report) -> dict[str, str]:
    return {r.device: r.outcome.value for r in report.results}
