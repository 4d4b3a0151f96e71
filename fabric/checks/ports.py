"""Findings about kinds of port: one for a cause, however many profiles show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.checks.rules import Found, grouped, some
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity
    from fabric.model.qos import LosslessProfile


class PortFault(NamedTuple):
    """What is wrong with the ports of one profile; ``key`` names the cause."""

    profile: LosslessProfile
    text: str
    key: str = ""
    severity: Severity | None = None


def port_text(profile: LosslessProfile) -> str:
    """``leaf ports of 100G with 5 m``."""
    return f"{profile.role} ports of {speed_text(profile.speed_gbps)} with {profile.cable_m:g} m"


def by_cause(
    facts: Facts,
    subject: str,
    faults: Iterable[PortFault],
    detail: Callable[[LosslessProfile], str] | None = None,
) -> Iterator[Found]:
    """One finding for each cause; ``detail``: more about a profile, as evidence."""
    for (key, severity), alike in grouped(((f.key, f.severity), f) for f in faults).items():
        first = alike[0]
        more = len(alike) - 1
        rest = f" (and {more} more kind{'s' if more > 1 else ''} of port)" if more else ""
        lines = []
        for fault in alike:
            users = facts.who(facts.users(fault.profile))
            text = f": {fault.text}" if len(alike) > 1 else ""
            lines.append(f"{port_text(fault.profile)} on {users}{text}")
            if detail is not None:
                lines.append(detail(fault.profile))
        yield Found(
            subject,
            f"{port_text(first.profile)}: {first.text}{rest}",
            evidence=some(lines),
            severity=severity,
            keys=(key,) if key else (),
            location=facts.roce.location,
        )
