"""Open room: one module per family of rules; what a rule is and what it may say.

A rule is a function under ``@rule(…)``. Its docstring says what it checks; it is given
:class:`fabric.checks.facts.Facts` and yields ``Found`` for each root cause and ``NotChecked`` where
it could not look. It registers nothing: the engine scans this folder. Ids that other rooms raise
are declared with ``entry``, so that every id the program prints can be explained.
"""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from fabric.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabric.checks.facts import Facts
    from fabric.model.finding import Location

_K = TypeVar("_K")
_V = TypeVar("_V")

INFO, WARNING, ERROR = Severity.INFO, Severity.WARNING, Severity.ERROR


@dataclass(frozen=True, slots=True)
class Found:
    """One root cause. Empty ``why`` and ``fix``, no ``severity``: those of the rule.

    ``message`` stands by itself (it names the place); ``keys`` tell two findings of one subject
    apart and never hold a measured value.
    """

    subject: str
    message: str
    evidence: tuple[str, ...] = ()
    severity: Severity | None = None
    why: str = ""
    fix: str = ""
    device: str | None = None
    port: str | None = None
    keys: tuple[str, ...] = ()
    location: Location | None = None


@dataclass(frozen=True, slots=True)
class NotChecked:
    """The rule could not look. ``reason`` completes "not checked, because …"."""

    subject: str
    reason: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule as a value. ``check`` None: other rooms raise this id, here it is only explained."""

    id: str
    title: str
    severity: Severity
    stage: str  # inventory, design, change, live or accept
    what: str
    why: str
    fix: str
    needs: tuple[str, ...] = ()
    example: str = ""
    check: Callable[[Facts], Iterable[Found | NotChecked]] | None = None


def rule(  # noqa: PLR0913 — the keywords of a declaration
    rule_id: str,
    *,
    title: str,
    severity: Severity,
    needs: tuple[str, ...],
    why: str,
    fix: str,
    stage: str = "design",
    example: str = "",
) -> Callable[[Callable[[Facts], Iterable[Found | NotChecked]]], Rule]:
    """Turn a function into a rule; its docstring is the page's "what it checks"."""

    def declare(check: Callable[[Facts], Iterable[Found | NotChecked]]) -> Rule:
        what = inspect.getdoc(check) or ""
        return Rule(rule_id, title, severity, stage, what, why, fix, needs, example, check)

    return declare


def entry(  # noqa: PLR0913 — the keywords of a declaration
    rule_id: str,
    *,
    title: str,
    what: str,
    why: str,
    fix: str,
    severity: Severity = ERROR,
    stage: str = "inventory",
    example: str = "",
) -> Rule:
    """Declare an id that another room raises."""
    return Rule(rule_id, title, severity, stage, what, why, fix, (), example)


def grouped(pairs: Iterable[tuple[_K, _V]]) -> dict[_K, list[_V]]:
    """Values under their cause, causes in the order they were met: one finding per root cause."""
    groups: dict[_K, list[_V]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups


def some(items: Iterable[str], most: int = 8) -> tuple[str, ...]:
    """Evidence: the first few, then how many more."""
    listed = list(items)
    rest = len(listed) - most
    return (*listed[:most], f"and {rest:,} more") if rest > 0 else tuple(listed)
