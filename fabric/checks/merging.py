"""One finding for one cause: what rendering says of each device alike is said once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.checks.rules import grouped, some

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.checks.facts import Facts
    from fabric.model.finding import Finding

_DEVICE = "DEVICE"


def merged(findings: Iterable[Finding], facts: Facts) -> tuple[Finding, ...]:
    """The findings, those that differ in the switch alone put together.

    Such a finding names its switch as subject and device, and begins its message with it. The
    merged one has all switches as evidence; what was accepted stays apart from what was not.
    """
    groups = grouped((_alike(finding, facts), finding) for finding in findings)
    return tuple(_one(found, facts) for found in groups.values())


def _alike(finding: Finding, facts: Facts) -> object:
    device = finding.device
    single = finding.subject != device or device not in facts.hardware
    if device is None or single or not finding.message.startswith(f"{device}: "):
        return finding
    return replace(
        finding,
        subject=_DEVICE,
        device=_DEVICE,
        message=finding.message.removeprefix(device),
        fix=finding.fix.replace(device, _DEVICE),
    )


def _one(found: list[Finding], facts: Facts) -> Finding:
    first = found[0]
    if len(found) == 1 or first.device is None:
        return first
    devices = [finding.subject for finding in found]
    return replace(
        first,
        subject=facts.subject(devices),
        device=None,
        message=facts.who(devices) + first.message.removeprefix(first.device),
        fix=first.fix.replace(first.device, _DEVICE),
        evidence=(*first.evidence, *some(devices)),
    )
