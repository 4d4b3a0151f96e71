"""What was found: rule, severity, subject, reason, evidence and remedy."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import IntEnum, StrEnum


class Severity(IntEnum):
    """How bad it is; ordered."""

    INFO = 0
    WARNING = 1
    ERROR = 2
    CRITICAL = 3

    @property
    def word(self) -> str:
        """The word printed and written to JSON."""
        return self.name.lower()


class Verdict(StrEnum):
    """What a rule says. ``OK`` never becomes a finding."""

    VIOLATED = "violated"
    NOT_CHECKED = "not-checked"


@dataclass(frozen=True, slots=True)
class Location:
    """A place in a file: line and column from 1; ``path`` like ``links[12].a``."""

    file: str
    line: int
    column: int
    path: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class Suppression:
    """A finding that somebody accepted, and why; ``expires`` is ``YYYY-MM-DD``."""

    rule: str
    subject: str  # glob over the finding's subject, "*" for all
    reason: str
    expires: str | None = None
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding. ``keys`` name it apart from measured values, for the fingerprint."""

    rule: str
    severity: Severity
    subject: str
    message: str
    why: str = ""
    fix: str = ""
    evidence: tuple[str, ...] = ()
    location: Location | None = None
    device: str | None = None
    port: str | None = None
    verdict: Verdict = Verdict.VIOLATED
    keys: tuple[str, ...] = ()
    suppressed_by: Suppression | None = None

    @property
    def fingerprint(self) -> str:
        """Stable over runs: rule, subject and keys, never measured values."""
        text = "\0".join((self.rule, self.subject, *self.keys))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Problem:
    """Something the user wrote that cannot be honoured, by its place in the inventory.

    ``path``: keys and list indexes from the top, e.g. ``("links", 12, "a")``; the reader turns
    it into file, line and column (of the nearest ancestor where the key itself is a default).
    """

    rule: str
    path: tuple[str | int, ...]
    message: str
    fix: str = ""
    severity: Severity = Severity.ERROR
    subject: str = ""
    evidence: tuple[str, ...] = ()


class ProblemError(Exception):
    """Raised by a stage that cannot go on; carries every problem that it found."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = problems


class InputError(Exception):
    """What the user wrote cannot be honoured: all problems at once, exit 2, nothing written."""

    def __init__(self, findings: tuple[Finding, ...]) -> None:
        super().__init__(f"{len(findings)} problem(s) in the input")
        self.findings = findings
