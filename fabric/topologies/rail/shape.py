"""What a rail fabric states about its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.topology import Shape
from fabric.model.units import count_text
from fabric.topologies._parts.closed_forms import fill_of
from fabric.topologies._parts.shape import labels, no_form_note, worst_ratio
from fabric.topologies.rail.closed_forms import (
    Tower,
    plane_bisection,
    planes_bisection,
    tower_bisection,
)

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from fabric.model.topology import SwitchNode
    from fabric.topologies._parts.closed_forms import Fill, Load
    from fabric.topologies.rail.params import Fabric

_NOTE = "closed form, nothing failed"
_ONE_HOP = "inside a rail group each rail is one hop"
_NVLINK = "no cable joins {}: traffic between them goes over NVLink first (NCCL: PXN)"
_NO_FORM = "no closed form: an odd number of planes and a group partly filled"


def shape_of(fabric: Fabric, switches: Sequence[SwitchNode], speed_gbps: int, load: Load) -> Shape:
    """Title, closed forms and labels; ``speed_gbps``: of cables between switches."""
    fill = fill_of([load.ports(fabric.leaves(group)[0]) for group in range(fabric.groups)])
    bisection: int | None = None
    note = no_form_note(load)
    if load.nic_gbps is not None and fill is not None:
        bisection, note = _bisection(fabric, fill, speed_gbps, load.nic_gbps)
    leaves = [name for group in range(fabric.groups) for name in fabric.leaves(group)]
    ratios = worst_ratio("leaf", map(load.gbps, leaves), fabric.uplinks * speed_gbps)
    if fabric.cores:
        ratios += worst_ratio("spine", (fabric.rails,), fabric.cores)
    return Shape(
        title=_title(fabric),
        endpoints=load.endpoints,
        bisection_gbps=None if bisection is None else float(bisection),
        bisection_note=note,
        oversubscription=ratios,
        symmetry=_symmetry(fabric, switches, load),
        islands=fabric.islands,
    )


def _bisection(
    fabric: Fabric, fill: Fill, speed_gbps: int, nic_gbps: int
) -> tuple[int | None, str]:
    """Gb/s, and the form in words."""
    link = fabric.links * speed_gbps
    if fabric.cores:
        tower = Tower(fabric.rails, fabric.spines, fabric.cores)
        return tower_bisection(fill, tower, link, nic_gbps), f"{_NOTE}; {_ONE_HOP}"
    if not fabric.spines:
        alone = plane_bisection(fill, fabric.rails, 0, nic_gbps)
        return alone, f"{_NOTE}; {_NVLINK.format('rails')}; {_ONE_HOP}"
    uplink = fabric.uplinks * speed_gbps
    within = plane_bisection(fill, fabric.plane_rails, uplink, nic_gbps)
    if fabric.planes == 1:
        return within, f"{_NOTE}; {_ONE_HOP}"
    cut = planes_bisection(fill, fabric.planes, fabric.plane_rails, uplink, nic_gbps)
    parts = f"{fabric.planes} planes of {count_text(within)} Gb/s each"
    return cut, f"{_NO_FORM if cut is None else _NOTE}; {parts}; {_NVLINK.format('planes')}"


def _title(fabric: Fabric) -> str:
    groups = "1 group" if fabric.groups == 1 else f"{fabric.groups} groups"
    rails = "1 rail" if fabric.rails == 1 else f"{fabric.rails} rails"
    parts = [f"rail{'' if fabric.spines else '-only'}: {rails} × {groups}"]
    if fabric.planes > 1:
        parts.append(f"{fabric.planes} planes")
    if fabric.spines:
        where = " a group" if fabric.cores else " a plane" if fabric.planes > 1 else ""
        parts.append(f"{fabric.spines} spine{'' if fabric.spines == 1 else 's'}{where}")
    if fabric.cores:
        parts.append(f"{fabric.cores} cores a spine" if fabric.cores > 1 else "1 core a spine")
    if fabric.links > 1:
        parts.append(f"{fabric.links} cables a pair")
    return ", ".join(parts)


def _symmetry(
    fabric: Fabric, switches: Sequence[SwitchNode], load: Load
) -> tuple[tuple[str, str], ...]:
    """Groups with the same hosts are interchangeable, and so are all rails."""
    mixes = [load.mix(fabric.leaves(group)[0]) for group in range(fabric.groups)]
    kinds: dict[str, dict[str, Hashable]] = {}
    inside = ("leaf", "spine") if fabric.cores else ("leaf",)
    for switch in switches:
        group = switch.position.group
        kind = mixes[group] if switch.role in inside and group is not None else None
        kinds.setdefault(switch.role, {})[switch.name] = kind
    return tuple(label for role, named in kinds.items() for label in labels(role, named))
