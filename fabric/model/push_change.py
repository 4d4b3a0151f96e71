"""The Change: what one push would do to these switches now; and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class RiskClass(Enum):
    """What a change does to traffic. The last two are refused without ``--window``."""

    SAFE = "safe"
    TRAFFIC = "traffic"
    WINDOW = "needs window"
    UNCLASSIFIED = "unclassified"


@dataclass(frozen=True, slots=True)
class StepText:
    """One step as it is shown: its name and what is typed, a line each."""

    name: str
    commands: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DeviceTarget:
    """What would become of one device.

    ``before_sha256``, ``target_sha256``: of the canonical texts; empty where nothing was read from
    the device. ``diff``: lines with ``+``, ``-`` or a space in front. ``risks``: why the class is
    what it is. ``way_back``: who undoes an unconfirmed change. ``basis``: in words, what
    the difference is to, where it is not to the running configuration read just now.
    """

    device: str
    platform: str
    model: str
    os_version: str
    address: str
    before_sha256: str
    target_sha256: str
    risk: RiskClass
    risks: tuple[str, ...]
    diff: tuple[str, ...]
    steps: tuple[StepText, ...]
    way_back: str
    basis: str = ""

    @property
    def unchanged(self) -> bool:
        """Whether the device is as the plan wants it already."""
        return bool(self.before_sha256) and not self.diff


@dataclass(frozen=True, slots=True)
class Refused:
    """Why a device, or everything (``device`` ``None``), is not pushed to. ``rule``: RCE9xx."""

    device: str | None
    rule: str
    message: str
    fix: str


@dataclass(frozen=True, slots=True)
class Wave:
    """Devices that are changed together; all are applied before any is judged.

    ``why``: of a canary, why it was chosen.
    """

    number: int  # from 1
    name: str  # "canary", "leaf, 2 of 3"
    devices: tuple[str, ...]
    why: str = ""


@dataclass(frozen=True, slots=True)
class Change:
    """What is approved. ``offline``: nothing was read from devices.

    ``sha256`` is of the canonical JSON of all other fields; it is what a person or a pipeline
    approves, and it holds no time and no secret.
    """

    schema: int
    fabric: str
    plan_sha256: str
    offline: bool
    timer_s: int
    waves: tuple[Wave, ...]
    devices: tuple[DeviceTarget, ...]  # also unchanged ones; in the order of the waves
    refused: tuple[Refused, ...]
    sha256: str


class Outcome(Enum):
    """How a device ended."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    SKIPPED = "skipped"
    UNREACHABLE = "unreachable"
    RESTORED = "failed-restored"
    NOT_RESTORED = "failed-not-restored"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class StepResult:
    """How a device ended, and in one sentence why and what state it is in."""

    device: str
    outcome: Outcome
    step: str = ""
    message: str = ""
    cause: str = ""  # a few words that failures are grouped by


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened during a push, as told on the screen and in the ndjson stream."""

    event: str  # push, wave, step, gate, device, end
    device: str = ""
    wave: int = 0
    step: str = ""
    status: str = ""  # begins, done, failed, …; of a device: its outcome
    message: str = ""
