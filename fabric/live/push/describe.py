"""A change in words: steps as they would be typed, who takes it back, what it does to traffic."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fabric.live.push.classes import classify
from fabric.live.push.masking import masked
from fabric.model.push import Command, Lines, PutFile
from fabric.model.push_change import DeviceTarget, StepText

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.push.terms import System
    from fabric.model.plan import DevicePlan
    from fabric.model.push import Action, Job, Step


def described(device: DevicePlan, system: System, job: Job, diff: tuple[str, ...]) -> DeviceTarget:
    """What would become of a device, with empty digests; steps only where something changes."""
    risk, risks = classify(diff, system.spec.risks)
    commit = system.commit
    steps = (*commit.apply(job), *commit.confirm(job), *commit.save(job)) if diff else ()
    return DeviceTarget(
        device=device.name,
        platform=device.platform,
        model=job.identity.model or device.model,
        os_version=job.identity.os_version,
        address=(device.management_address or "").partition("/")[0],
        before_sha256="",
        target_sha256="",
        risk=risk,
        risks=masked(f"{kind.value}: {why}" for kind, why in risks),
        diff=masked(diff),
        steps=tuple(step_text(step) for step in steps),
        way_back=commit.way_back(job) if diff else "",
    )


def step_text(step: Step) -> StepText:
    """A step as it is shown."""
    return StepText(step.name, masked(line for a in step.actions for line in _lines(a)))


def _lines(action: Action) -> Iterator[str]:
    if isinstance(action, Command):
        yield from action.text.splitlines()
    elif isinstance(action, Lines):
        yield from action.lines
    elif isinstance(action, PutFile):
        digest = hashlib.sha256(action.text.encode()).hexdigest()[:12]
        yield f"write {action.path} ({len(action.text.encode()):,} bytes, sha256 {digest}…)"
