"""A toy switch system: devices in memory, procedures of each timer class, faults by step."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import (
    Lines,
    PutFile,
)

if TYPE_CHECKING:
    from fabric.model.push import Action

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

    def _do_boots(self, _: str) -> str:
        return self.startup

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
        self.misused = False  # a dead session was used again
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
        self._net.misused |= not self._alive
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
