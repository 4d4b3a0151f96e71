"""What further lossless priorities cost on the switches of a design, and how many they carry.

Headroom is Σ ports that are up · lossless priorities · xoff (validation 4.3), so that of n + 1
priorities is (n + 1) / n of that of n; the pools stay as they are.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.analysis.priorities import LOSSLESS
from fabric.model.deadlock import HeadroomCost
from fabric.model.units import bytes_text

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.qos import BufferFit

ON_ETHERNET = len(LOSSLESS)


@dataclass(frozen=True, slots=True)
class PortLimit:
    """Headroom of the fullest kind of port of a chip that has a limit for one port."""

    asic: str
    xoff_bytes: int
    limit_bytes: int


@dataclass(frozen=True, slots=True)
class Budget:
    """Lossless priorities and their room.

    ``classes``: lossless ones now, of which RoCE rises through ``levels``. ``limit``: what every
    switch carries; ``limit_by``: who sets that.
    """

    classes: int = 1
    levels: int = 1
    limit: int = ON_ETHERNET
    limit_by: str = "802.1p"
    fits: tuple[BufferFit, ...] = ()
    ports: tuple[PortLimit, ...] = ()

    def total(self, levels: int) -> int:
        """Lossless priorities when RoCE rises through so many levels."""
        return self.classes + max(0, levels - self.levels)

    def headroom(self, levels: int) -> HeadroomCost | None:
        """Of the switch that is filled most; ``None``: nothing changes, or no switch has any."""
        total = self.total(levels)
        if total == self.classes or not self.classes:
            return None
        costs = [_cost(fit, self.classes, total) for fit in self.fits if fit.need_bytes]
        return max(costs, key=_fullness, default=None)

    def port_headroom(self, levels: int) -> str:
        """Why a port cannot hold it; empty: it can, or its chip states no limit."""
        total = self.total(levels)
        for port in self.ports if total > self.classes else ():
            need = total * port.xoff_bytes
            if need > port.limit_bytes:
                gives = f"{port.asic} gives a port {bytes_text(port.limit_bytes)}"
                return f"{bytes_text(need)} of headroom on one port, {gives}"
        return ""


def _cost(fit: BufferFit, before: int, after: int) -> HeadroomCost:
    grown = replace(
        fit,
        need_bytes=fit.need_bytes * after // before,
        reserved_bytes=fit.reserved_bytes * after // before,
    )
    return HeadroomCost(
        fit.device, fit.need_bytes, grown.need_bytes, fit.used_fraction, grown.used_fraction
    )


def _fullness(cost: HeadroomCost) -> tuple[bool, float]:
    share = cost.after_share
    return (share is not None, cost.after_bytes if share is None else share)


def budget_of(design: Design) -> Budget:
    """Of the switches with PFC; a design without any has the limit of 802.1p."""
    limits: dict[int, str] = {}
    for switch in design.topology.switches:
        hardware = design.intent.hardware.of(switch.name, switch.role)
        able = hardware.platform.capabilities
        if able.lossless:
            chip = hardware.model.asic.max_lossless_priorities
            text = f"{hardware.model.name} under {hardware.platform.name}"
            limits.setdefault(min(chip, able.max_lossless_priorities, ON_ETHERNET), text)
    limit = min(limits, default=ON_ETHERNET)
    rise = design.intent.roce.rise
    return Budget(
        classes=len(design.lossless.class_map.lossless),
        levels=len(rise.steps) if rise else 1,
        limit=limit,
        limit_by=limits.get(limit, "802.1p"),
        fits=design.lossless.fits,
        ports=_port_limits(design),
    )


def _port_limits(design: Design) -> tuple[PortLimit, ...]:
    used = {profile.name: profile for profile in design.lossless.profiles if profile.in_use}
    found: dict[str, PortLimit] = {}
    for port in design.lossless.ports:
        if port.profile not in used:
            continue
        switch = design.topology.switch(port.device)
        asic = design.intent.hardware.of(switch.name, switch.role).model.asic
        xoff = used[port.profile].xoff_bytes.value
        if asic.max_port_headroom_bytes is None:
            continue
        if asic.name not in found or found[asic.name].xoff_bytes < xoff:
            found[asic.name] = PortLimit(asic.name, xoff, asic.max_port_headroom_bytes)
    return tuple(found.values())
