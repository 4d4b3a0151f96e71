"""NVUE's revisions: pending, applied, waiting for a confirmation, and what is saved.

CumulusNetworks/docs cumulus-linux-514 System-Configuration/NVIDIA-User-Experience-NVUE.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.rehearsal.nvue.tree import Settings

_KEPT = 100  # NVUE_MAX_REVISIONS


@dataclass(slots=True)
class Revision:
    """One revision. ``state``: pending, applied, confirm, inactive, invalid or detached."""

    number: int
    settings: Settings
    state: str
    user: str


@dataclass(slots=True)
class Revisions:
    """All of a switch. ``due``: when an unconfirmed apply is taken back."""

    all: dict[int, Revision] = field(default_factory=dict)
    applied: int = 0
    before: int = 0  # what was applied before the one that waits for its confirmation
    due: float | None = None
    history: list[int] = field(default_factory=list)

    def new(self, settings: Settings, state: str, user: str) -> Revision:
        """A further revision; the oldest that nobody needs is dropped."""
        number = max(self.all, default=0) + 1
        self.all[number] = Revision(number, settings, state, user)
        idle = [each for each in sorted(self.all) if self.all[each].state == "inactive"]
        while len(self.all) > _KEPT and idle:
            del self.all[idle.pop(0)]
        return self.all[number]

    def pending(self, user: str) -> Revision | None:
        """What a user has set and not applied."""
        mine = [
            each
            for each in self.all.values()
            if each.user == user and each.state in {"pending", "invalid"}
        ]
        return mine[-1] if mine else None

    def in_force(self) -> Settings:
        """The settings that are applied."""
        return self.all[self.applied].settings

    def apply(self, revision: Revision, *, due: float | None) -> None:
        """Put a revision in force, for good or until ``due``."""
        if due is not None:
            self.before = self.applied
        self.all[self.applied].state = "inactive"
        revision.state = "applied" if due is None else "confirm"
        self.applied, self.due = revision.number, due
        self.history.append(revision.number)

    def confirm(self) -> None:
        """The one that waits stays."""
        self.all[self.applied].state, self.due = "applied", None

    def take_back(self) -> None:
        """The one that waits goes; the one before is in force again."""
        self.all[self.applied].state, self.due = "inactive", None
        self.applied = self.before
        self.all[self.applied].state = "applied"
        self.history.append(self.applied)

    def tick(self, now: float) -> bool:
        """Take back what was not confirmed in time; whether that happened."""
        if self.due is None or now < self.due:
            return False
        self.take_back()
        return True
