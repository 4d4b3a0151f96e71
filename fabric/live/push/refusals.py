"""Why a plan is not pushed, before any device is spoken to. Values in, ``Refused`` out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import some
from fabric.design.devices import DeviceModels
from fabric.files.version import program_version
from fabric.model.finding import Severity, Verdict
from fabric.model.push import TimerClass
from fabric.model.push_change import Refused
from fabric.plan.digest import ModelDigests
from fabric.plan.own_templates import template_faults
from fabric.plan.store import damaged_files

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.live.push.planned import PlannedFabric
    from fabric.model.finding import Finding
    from fabric.model.plan import DevicePlan, Plan

_AGAIN = "run `fabric plan INVENTORY` again"
_STAYS = "what is to stay goes into the inventory"


def of_plan(folder: Path, plan: Plan) -> tuple[Refused, ...]:
    """An error that nobody suppressed, and files that are not as they were written."""
    refused = []
    errors = [finding for finding in plan.findings if _is_error(finding)]
    if errors or not plan.pushable:
        told = "; ".join(some((f"{f.rule} {f.message}" for f in errors), 3))
        message = f"the plan holds {len(errors):,} error(s)" + (f": {told}" if told else "")
        fix = "mend them, or suppress each beside its object with a reason, and plan again"
        refused.append(Refused(None, "RCE910", message, fix))
    damaged = [*damaged_files(folder, plan), *_strays(folder, plan)]
    if damaged:
        names = ", ".join(some(damaged, 5))
        message = f"{len(damaged):,} file(s) of the plan are not as they were written: {names}"
        refused.append(Refused(None, "RCE911", message, f"{_AGAIN}; {_STAYS}"))
    return tuple(refused)


def _strays(folder: Path, plan: Plan) -> list[str]:
    """What lies among the texts of a device and was not written there by the plan."""
    written = {name for name, _ in plan.files}
    found = (path for device in plan.devices for path in _beside(folder / "configs" / device.name))
    names = (path.relative_to(folder).as_posix() for path in found)
    return sorted(name for name in names if name not in written)


def _beside(texts: Path) -> Iterable[Path]:
    return texts.iterdir() if texts.is_dir() else ()


def _is_error(finding: Finding) -> bool:
    counts = finding.verdict is Verdict.VIOLATED and finding.suppressed_by is None
    return counts and finding.severity >= Severity.ERROR


def of_design(planned: PlannedFabric) -> tuple[Refused, ...]:
    """The plan is not what this version derives from the plan's own inputs."""
    models, digests = DeviceModels(planned.design), ModelDigests()
    known = {switch.name for switch in planned.design.topology.switches}
    names = [device.name for device in planned.plan.devices]
    other = [
        d.name for d in planned.plan.devices if d.name not in known or not _same(d, models, digests)
    ] + sorted(known.difference(names))
    if planned.plan.fabric == planned.design.intent.name and not other:
        return ()
    message = (
        f"planned by another version ({planned.plan.program}): from the plan's inputs this version "
        f"makes other models of {', '.join(some(other, 5)) or 'another fabric'}"
    )
    return (Refused(None, "RCE912", message, _AGAIN),)


def of_texts(planned: PlannedFabric) -> tuple[Refused, ...]:
    """A text that is not what this version renders of the plan's own inputs.

    Raises:
        InputError: a template of the plan's inputs is wrong.
    """
    from fabric.text import Renderer  # noqa: PLC0415 - heavy

    renderer = Renderer(planned.roots)
    other = []
    with template_faults(planned.roots):
        for device in planned.wanted:
            model = planned.model(device.name)
            made = renderer.device(model).files if model is not None else ()
            if {file.name: file.text for file in made} != planned.rendered(device.name):
                other.append(device.name)
    if not other:
        return ()
    names, program = ", ".join(some(other, 5)), f"roce-fabric {program_version()}"
    if planned.plan.program != program:
        message = f"planned by another version ({planned.plan.program}): {program} writes {names}"
        return (Refused(None, "RCE912", f"{message} in other words", _AGAIN),)
    message = f"the texts of {names} are not what the plan's own inputs give"
    why = "they were edited together with their digests, or templates of fabric were"
    return (Refused(None, "RCE911", f"{message}: {why}", f"{_AGAIN}; {_STAYS}"),)


def _same(device: DevicePlan, models: DeviceModels, digests: ModelDigests) -> bool:
    model = models.of(device.name)
    of_model = (model.platform.name, model.model_name, model.management_address)
    of_plan = (device.platform, device.model, device.management_address)
    return of_model == of_plan and digests.of(model) == device.model_sha256


def of_systems(planned: PlannedFabric) -> tuple[Refused, ...]:
    """Systems that nobody has written a way to push to for."""
    return tuple(
        Refused(
            None,
            "RCE914",
            f"{name}: there is no way to push to this system yet ({_count(devices)})",
            f"bring `{planned.folder}/configs` there by hand, or leave them out with --device",
        )
        for name, devices in _by_platform(planned.wanted).items()
        if name not in planned.systems
    )


def of_flags(
    planned: PlannedFabric, *, allow_experimental: bool, accept_no_timer: bool
) -> tuple[Refused, ...]:
    """What somebody has to accept in so many words."""
    refused = []
    for name, devices in _by_platform(planned.wanted).items():
        if any(d.experimental for d in devices) and not allow_experimental:
            message = f"{name} is experimental: no source confirms all of it ({_count(devices)})"
            fix = "--allow-experimental, after a look at the configurations"
            refused.append(Refused(None, "RCE913", message, fix))
        system = planned.systems.get(name)
        if system and system.commit.timer is TimerClass.NONE and not accept_no_timer:
            message = (
                f"{name} has no device-side timer: nobody undoes a change when we are cut off from "
                f"the device ({_count(devices)}, one at a time)"
            )
            fix = "--accept-no-timer, with another way to the devices at hand"
            refused.append(Refused(None, "RCE916", message, fix))
    return tuple(refused)


def _by_platform(devices: Iterable[DevicePlan]) -> dict[str, list[DevicePlan]]:
    found: dict[str, list[DevicePlan]] = {}
    for device in devices:
        found.setdefault(device.platform, []).append(device)
    return found


def _count(devices: list[DevicePlan]) -> str:
    one = len(devices) == 1
    return devices[0].name if one else f"{len(devices):,} devices, {devices[0].name} first"
