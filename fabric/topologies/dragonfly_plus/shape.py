"""What a dragonfly+ states about its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.topology import Shape
from fabric.topologies._parts.group_forms import alike, halves_note
from fabric.topologies._parts.shape import labels, no_form_note, worst_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.topology import SwitchNode
    from fabric.topologies._parts.closed_forms import Load
    from fabric.topologies.dragonfly_plus.params import Params


def shape_of(
    params: Params,
    leaves: Sequence[SwitchNode],
    spines: Sequence[SwitchNode],
    speed_gbps: int,
    load: Load,
) -> Shape:
    """Title, closed forms and labels.

    Oversubscription of the spines is that of a group's spines together: their cables to the
    leaves over their global cables.
    """
    links = params.global_links
    groups = [[x.name for x in leaves if x.position.group == n] for n in range(params.g)]
    note = no_form_note(load)
    if load.nic_gbps is not None:
        note = halves_note(links, groups, speed_gbps, load)
    uplink = params.spines * params.links * speed_gbps
    inside = params.leaves * params.spines * params.links
    return Shape(
        title=_title(params),
        endpoints=load.endpoints,
        bisection_gbps=None,
        bisection_note=note,
        oversubscription=(
            *worst_ratio("leaf", (load.gbps(leaf.name) for leaf in leaves), uplink),
            *worst_ratio("spine", (inside,), links.a_group),
        ),
        symmetry=_symmetry(params, groups, spines, load),
        up_down=False,
        ordered=True,
    )


def _title(params: Params) -> str:
    links = params.global_links
    parts = [
        f"dragonfly+ p={params.p} {params.leaves}×{params.spines} h={params.h} g={params.g}",
        links.arrangement,
        f"{links.links} cable{'s' if links.links > 1 else ''} a group pair",
    ]
    if params.links > 1:
        parts.append(f"{params.links} cables a leaf-spine pair")
    return ", ".join(parts)


def _symmetry(
    params: Params, groups: Sequence[Sequence[str]], spines: Sequence[SwitchNode], load: Load
) -> tuple[tuple[str, str], ...]:
    """Leaves of a group with the same hosts are interchangeable; groups where they turn."""
    values = alike(params.global_links, groups, load, ordered=False)
    leaves = {
        name: (value, load.mix(name))
        for group, value in zip(groups, values, strict=True)
        for name in group
    }
    tops = {x.name: (values[x.position.group or 0], x.position.index) for x in spines}
    return (*labels("leaf", leaves), *labels("spine", tops))
