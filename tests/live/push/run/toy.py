"""A toy switch system: devices in memory, procedures of each timer class, faults by step."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import (
    Ask,
    Command,
    Effect,
    Identity,
    Lines,
    PutFile,
    ReplyError,
    Step,
    TimerClass,
)

if TYPE_CHECKING:
    from fabric.model.push import Action, Files, Job

BEFORE = "host leaf\nmtu 1500\nntp 10.0.0.1\n"
TARGET = "host leaf\nmtu 9216\nntp 10.0.0.1\npfc 3\n"
TIMER_S = 600


class FakeClock:
    """Time that only sleeping moves; safe for threads."""

    def __init__(self) -> None:
        self._now = 1_000_000.0
        self._lock = threading.Lock()

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        with self._lock:
            self._now += seconds


@dataclass
class ToyBox:
    """What is on one device. ``away_until``: it answers nobody before that time."""

    clock: FakeClock
    running: str = BEFORE
    startup: str = BEFORE
    files: dict[str, str] = field(default_factory=dict)
    timer: float | None = None
    away_until: float = 0.0
    peers: dict[str, str] = field(default_factory=lambda: {"10.0.0.2": "Established"})
    holder: str = ""
    version: str = "1.0"
    commands: list[str] = field(default_factory=list)
    refused: set[str] = field(default_factory=set)
    deaf: set[str] = field(default_factory=set)  # words that do nothing, though answered well

    def tick(self) -> None:
        if self.timer is not None and self.clock.now() >= self.timer:
            self.running, self.timer = self.files.get("checkpoint", self.running), None

    @property
    def clean(self) -> bool:
        """Neither a timer nor a file of ours is left."""
        return self.timer is None and not self.files

    def do(self, action: Action) -> str:
        self.tick()
        if isinstance(action, PutFile):
            self.commands.append(f"put {action.path}")
            self.files[action.path] = action.text
            return ""
        if isinstance(action, Lines):
            for line in action.lines:
                self._line(line)
            return ""
        self.commands.append(action.text)
        if action.text in self.refused:
            raise DeviceError(Kind.REFUSED, "toy", f"toy: {action.text}: not allowed")
        word, _, rest = action.text.partition(" ")
        if word in self.deaf:
            return ""
        return str(getattr(self, f"_do_{word.partition('-')[0]}")(rest) or "")

    def _line(self, line: str) -> None:
        self.commands.append(line)
        lines = self.running.splitlines()
        lines = lines[:-1] if line == "pop" else [*lines, line.removeprefix("add ")]
        self.running = "".join(f"{one}\n" for one in lines)

    def _do_identify(self, _: str) -> str:
        return f"toy {self.version}"

    def _do_holder(self, _: str) -> str:
        return self.holder

    def _do_show(self, _: str) -> str:
        return self.running

    def _do_pending(self, _: str) -> str:
        return "no" if self.timer is None else "yes"

    def _do_checkpoint(self, _: str) -> None:
        self.files["checkpoint"] = self.running

    def _do_arm(self, seconds: str) -> None:
        self.timer = self.clock.now() + float(seconds)

    def _do_load(self, path: str) -> None:
        self.running = self.files[path]

    def _do_commit(self, seconds: str) -> None:
        self.running = self.files["candidate"]
        self._do_arm(seconds)

    def _do_confirm(self, _: str) -> None:
        if self.timer is None:
            raise DeviceError(Kind.REFUSED, "toy", "toy: confirm: nothing to confirm")
        self.timer = None

    def _do_cancel(self, _: str) -> None:
        self.timer = None

    def _do_save(self, _: str) -> None:
        self.startup = self.running

    def _do_clean(self, _: str) -> None:
        self.files.clear()

    def _do_restart(self, _: str) -> None:
        self.away_until = self.clock.now() + 30

    def _do_vtysh(self, _: str) -> str:
        rows = ", ".join(
            f'"{p}": {{"state": "{s}", "remoteAs": 65001}}' for p, s in self.peers.items()
        )
        return f'{{"ipv4Unicast": {{"routerId": "1.1.1.1", "as": 65000, "peers": {{{rows}}}}}}}'


@dataclass
class Fault:
    """``before``: the action is not carried out any more; ``times``: how often."""

    kind: Kind
    before: bool = True
    times: int = 1
    away_s: float = 0.0


class ToyNet:
    """All boxes; faults are armed for the next action on a device."""

    def __init__(self, names: list[str], clock: FakeClock) -> None:
        self.clock = clock
        self.boxes = {name: ToyBox(clock) for name in names}
        self.faults: dict[str, Fault] = {}
        self.open = 0
        self.most_open = 0
        self._lock = threading.Lock()

    def dial(self, device: str) -> ToySession:
        box = self.boxes[device]
        if self.clock.now() < box.away_until:
            raise DeviceError(Kind.SILENT, device, f"{device}: no answer")
        with self._lock:
            self.open += 1
            self.most_open = max(self.most_open, self.open)
        return ToySession(self, device)

    def closed(self) -> None:
        with self._lock:
            self.open -= 1


class ToySession:
    def __init__(self, net: ToyNet, device: str) -> None:
        self.device, self._net, self._alive = device, net, True

    def perform(self, action: Action) -> str:
        box, fault = self._net.boxes[self.device], self._net.faults.get(self.device)
        assert self._alive, "a dead session is used again"
        if self._net.clock.now() < box.away_until:
            self._alive = False
            raise DeviceError(Kind.LOST, self.device, f"{self.device}: session lost")
        if fault is None:
            return box.do(action)
        fault.times -= 1
        if fault.times <= 0:
            del self._net.faults[self.device]
        if not fault.before:
            box.do(action)
        box.away_until = max(box.away_until, self._net.clock.now() + fault.away_s)
        self._alive = fault.kind.outcome_known
        raise DeviceError(fault.kind, self.device, f"{self.device}: {fault.kind.value}")

    def close(self) -> None:
        self._net.closed()


class ToyPreview:
    def identify(self) -> Ask[Identity]:
        def read(replies: tuple[str, ...]) -> Identity:
            return Identity("leaf", "toy", replies[0].removeprefix("toy "))

        return Ask((Command("identify"),), read)

    def holder(self) -> Ask[str | None]:
        return Ask((Command("holder"),), lambda replies: replies[0] or None)

    def running(self) -> Ask[Files]:
        return Ask((Command("show"),), lambda replies: {"config": replies[0]})

    def canonical(self, files: Files) -> str:
        text = files["config"]
        if "host" not in text:
            msg = "no hostname in the running configuration"
            raise ReplyError(msg)
        return text

    def target(self, running: Files, rendered: Files) -> Files:
        del running
        return rendered

    def differences(self, before: Files, after: Files) -> tuple[str, ...]:
        old, new = before["config"].splitlines(), after["config"].splitlines()
        return (
            *(f"- {line}" for line in old if line not in new),
            *(f"+ {line}" for line in new if line not in old),
        )

    def stage(self, job: Job) -> tuple[Step, ...]:
        put = PutFile("candidate", job.target["config"])
        return (Step("lay the candidate down", Effect.STAGES, (put,)),)

    def difference(self, job: Job) -> Ask[tuple[str, ...]]:
        found = self.differences(job.before, job.target)
        return Ask((), lambda _: found)

    def discard(self, job: Job) -> tuple[Step, ...]:
        del job
        return (Step("take the candidate away", Effect.STAGES, (Command("clean"),)),)


def _step(name: str, effect: Effect, *commands: str) -> Step:
    return Step(name, effect, tuple(Command(c) for c in commands))


class ToyCommit:
    """A: candidate and timer; B: live lines under a timer; C: a restart in between; none."""

    def __init__(self, timer: TimerClass) -> None:
        self.timer = timer

    def way_back(self, job: Job) -> str:
        return f"{self.timer.value}: {job.timer_s} s"

    def apply(self, job: Job) -> tuple[Step, ...]:
        checkpoint = _step("make a checkpoint", Effect.STAGES, "checkpoint")
        put = ToyPreview().stage(job)
        arm = _step("arm the timer", Effect.RUNS, f"arm {job.timer_s}")
        lines = Step("type the lines", Effect.RUNS, (Lines(("pop", "pop")), Lines(ADDED)))
        load = _step("load the candidate", Effect.RUNS, "load candidate")
        if self.timer is TimerClass.CANDIDATE:
            commit = _step("commit for a time", Effect.RUNS, f"commit {job.timer_s}")
            return (_step("look", Effect.READS, "show"), checkpoint, *put, commit)
        if self.timer is TimerClass.LIVE:
            return (checkpoint, arm, lines)
        if self.timer is TimerClass.SCHEDULED:
            there = Ask((Command("pending"),), lambda r: None if r[0] == "yes" else "no timer yet")
            restart = Step(
                "restart", Effect.RUNS, (Command("restart"),), there, until_s=120, may_drop=True
            )
            return (checkpoint, *put, arm, load, restart)
        return (checkpoint, *put, load)

    def confirm(self, job: Job) -> tuple[Step, ...]:
        if self.timer is TimerClass.NONE:
            return ()
        return (_step("confirm", Effect.CONFIRMS, f"confirm {job.push_id}"),)

    def save(self, job: Job) -> tuple[Step, ...]:
        del job
        return (
            _step("save", Effect.SAVES, "save"),
            _step("clean up", Effect.SAVES, "clean"),
        )

    def restore(self, job: Job, *, pending: bool) -> tuple[Step, ...]:
        put = PutFile("old", job.before["config"])
        cancel = (_step("stop the timer", Effect.CONFIRMS, "cancel"),) if pending else ()
        return (
            Step("lay the old configuration down", Effect.STAGES, (put,)),
            _step("load the old configuration", Effect.RUNS, "load old"),
            *cancel,
            _step("save the old configuration", Effect.SAVES, "save"),
            _step("clean up", Effect.SAVES, "clean"),
        )

    def pending(self, job: Job) -> Ask[bool]:
        if self.timer is TimerClass.NONE:
            return Ask((), lambda _: False)
        return Ask((Command(f"pending-{job.push_id}"),), lambda replies: replies[0] == "yes")


ADDED = ("add mtu 9216", "add ntp 10.0.0.1", "add pfc 3")


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


Observer = "Callable[[object], None]"
