"""Findings about a group of hosts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import Found

if TYPE_CHECKING:
    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity
    from fabric.model.intent import HostGroup


def about_hosts(  # noqa: PLR0913 — one finding has this many parts
    facts: Facts,
    group: HostGroup,
    message: str,
    key: str = "",
    *,
    fix: str = "",
    why: str = "",
    severity: Severity | None = None,
    evidence: tuple[str, ...] = (),
) -> Found:
    """One finding at the group's place; what is left out is the rule's own."""
    return Found(
        group.name,
        f"{facts.hosts_text(group.name)}: {message}",
        evidence,
        severity,
        why,
        fix,
        keys=(key,) if key else (),
        location=group.location,
    )
