"""What a fake switch keeps beside its running configuration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.forms import Config
    from fabric.live.rehearsal.cli.terminal import Terminal


@dataclass(slots=True)
class Candidate:
    """Configuration that is not in force yet. ``name`` is empty where a system has only one."""

    name: str
    user: str
    config: Config
    base: Config
    holder: Terminal | None
    kind: str = ""  # the word it was opened with: private, exclusive, ...
    state: str = "pending"  # or "timed", "completed"
    typed: list[str] = field(default_factory=list)

    @property
    def dirty(self) -> bool:
        """Whether it holds changes."""
        return bool(self.config != self.base)


@dataclass(slots=True)
class Timer:
    """A change that is undone unless it is confirmed."""

    ends: float
    seconds: int
    before: Config
    name: str  # of the candidate
    holder: Terminal | None
    persist: str = ""

    def left(self, now: float) -> int:
        """Seconds until it fires."""
        return int(self.ends - now)


@dataclass(frozen=True, slots=True)
class Kept:
    """A configuration that was in force once."""

    number: int
    user: str
    at: float
    config: Config
    label: str = ""
