"""The Change without a single question to a device: from the plan and what was read before."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.live.push.classes import classify
from fabric.live.push.describe import described
from fabric.live.push.folder import BEFORE
from fabric.live.push.masking import masked
from fabric.live.push.saved import folders
from fabric.model.push import Identity, Job, ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from fabric.live.push.looking import Request
    from fabric.live.push.planned import PlannedFabric
    from fabric.model.plan import DevicePlan
    from fabric.model.push import Files
    from fabric.model.push_change import DeviceTarget

RECORDED = "the running configuration that an earlier push or dry run read"
EMPTY = "an empty running configuration: none was ever read"
_USER = "USER"  # in commands that name it, where nobody has said as whom we log in


def imagine(
    planned: PlannedFabric,
    devices: Iterable[DevicePlan],
    request: Request,
    *,
    pushes: Path,
    users: Mapping[str, str],
) -> list[DeviceTarget]:
    """What would become of these devices, all that can be pushed to; digests are empty."""
    todo = [device for device in devices if device.platform in planned.systems]
    return [
        _one(planned, device, request, pushes, users.get(device.name, _USER)) for device in todo
    ]


def _one(
    planned: PlannedFabric, device: DevicePlan, request: Request, pushes: Path, user: str
) -> DeviceTarget:
    system = planned.systems[device.platform]
    rendered = planned.rendered(device.name)
    before = _recorded(pushes, device.name)
    basis = EMPTY if before is None else RECORDED
    if before is None:
        before = _nothing(planned, device, rendered)
    try:
        target = system.preview.target(before, rendered)
        diff = system.preview.differences(before, target)
    except ReplyError:  # nothing cannot be merged with: all of the plan is new
        target = rendered
        diff = tuple(f"+{line}" for text in rendered.values() for line in text.splitlines())
    versions = planned.expected(device).os_versions
    version = versions[-1] if versions else ""
    identity = Identity(device.name, device.model, version, system.preview.assumed)
    job = Job(planned.push_id, device.name, user, before, target, request.timer_s, identity)
    try:
        told = described(device, system, job, diff)
        how = " (assumed: the device was not asked)" if told.way_back and identity.facts else ""
        return replace(told, basis=basis, way_back=f"{told.way_back}{how}")
    except ValueError as error:  # its commands follow from what only the device can say
        told = replace(described(device, system, job, ()), basis=basis, diff=masked(diff))
        risk, risks = classify(diff, system.spec.risks)
        why = f"its commands are not known before the device is asked ({error})"
        texts = masked(f"{kind.value}: {text}" for kind, text in risks)
        return replace(told, risk=risk, risks=texts, way_back=why)


def _nothing(planned: PlannedFabric, device: DevicePlan, rendered: Files) -> Files:
    """A configuration that says nothing, in the form of the system's files."""
    platform = planned.design.intent.hardware.of(device.name, device.role).platform
    forms = {file.name: file.form for file in platform.files}
    return {name: "{}\n" if forms.get(name) == "json" else "" for name in rendered}


def _recorded(pushes: Path, device: str) -> Files | None:
    """What was in force when the device was last read."""
    found = (folder.files(device, BEFORE) for folder in folders(pushes))
    return next((files for files in found if files is not None), None)
