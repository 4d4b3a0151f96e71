"""Findings about a group of hosts, and the QPs that it has."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import Found

if TYPE_CHECKING:
    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity
    from fabric.model.intent import HostGroup

QPS = "NCCL_IB_QPS_PER_CONNECTION"


def qps_of(group: HostGroup) -> int:
    """QPs of a connection as rendered: a value of the user's in env comes before ours."""
    own = dict(group.env).get(QPS, "").strip()
    return int(own) if own.isdecimal() and int(own) > 0 else group.qps_per_connection


def qps_elsewhere(group: HostGroup) -> str:
    """What else has to be changed for qps_per_connection to count."""
    return f", and take {QPS} out of env" if QPS in dict(group.env) else ""


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
