"""What was found becomes the Change: in waves, with all that is refused, sealed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.push.change import SCHEMA, sealed
from fabric.live.push.waves import Stop, in_waves
from fabric.model.push import TimerClass
from fabric.model.push_change import Change, DeviceTarget, Refused, RiskClass

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.live.push.looking import Request
    from fabric.live.push.planned import PlannedFabric

NEEDS_WINDOW = "RCE917"
_CLASSES_OF_WINDOW = {RiskClass.WINDOW, RiskClass.UNCLASSIFIED}


def change_of(
    planned: PlannedFabric,
    found: Iterable[DeviceTarget],
    refused: Iterable[Refused],
    request: Request,
    *,
    offline: bool,
) -> Change:
    """The Change: devices in the order of their waves, unchanged ones after them."""
    by_name = {device.device: device for device in found}
    stops = [_stop(planned, device) for device in by_name.values() if device.diff]
    waves = in_waves(stops, request.wave_size)
    order = [name for wave in waves for name in wave.devices]
    rest = [d.name for d in planned.wanted if d.name in by_name and d.name not in set(order)]
    window = () if request.window else _needing_window(by_name[name] for name in order)
    place = {device.name: at for at, device in enumerate(planned.wanted)}
    told = sorted((*refused, *window), key=lambda r: (place.get(r.device or "", -1), r.rule))
    return sealed(
        Change(
            schema=SCHEMA,
            fabric=planned.plan.fabric,
            plan_sha256=planned.sha256,
            offline=offline,
            timer_s=request.timer_s,
            waves=waves,
            devices=tuple(by_name[name] for name in (*order, *rest)),
            refused=tuple(told),
            sha256="",
        )
    )


def _stop(planned: PlannedFabric, device: DeviceTarget) -> Stop:
    system = planned.systems[device.platform]
    role = next(d.role for d in planned.wanted if d.name == device.device)
    alone = system.commit.timer is TimerClass.NONE
    return Stop(device.device, role, planned.tier(device.device), alone, device.diff)


def _needing_window(devices: Iterable[DeviceTarget]) -> tuple[Refused, ...]:
    return tuple(
        Refused(
            device.device,
            NEEDS_WINDOW,
            f"{device.device}: {device.risk.value}: {device.risks[0].partition(': ')[2]}",
            "--window, while the jobs below it stand still; or leave it out with --device",
        )
        for device in devices
        if device.risk in _CLASSES_OF_WINDOW
    )
