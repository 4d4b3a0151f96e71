"""Findings about the lossless policy itself: one subject, at its place in the inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import Found

if TYPE_CHECKING:
    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity

SUBJECT = "class map"


def about_policy(  # noqa: PLR0913 — one finding has this many parts
    facts: Facts,
    message: str,
    *,
    keys: tuple[str, ...] = (),
    evidence: tuple[str, ...] = (),
    severity: Severity | None = None,
    fix: str = "",
    why: str = "",
) -> Found:
    """One finding; what is left out is the rule's own."""
    location = facts.roce.location
    return Found(SUBJECT, message, evidence, severity, why, fix, keys=keys, location=location)
