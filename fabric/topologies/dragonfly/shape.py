"""What a dragonfly states about its shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.topology import Shape
from fabric.topologies._parts.closed_forms import fill_of
from fabric.topologies._parts.group_forms import alike, full_mesh_bisection, halves_note
from fabric.topologies._parts.shape import labels, no_form_note, worst_ratio

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.topologies._parts.closed_forms import Load
    from fabric.topologies.dragonfly.params import Params

_NOTE = "closed form, nothing failed: every router is a group"


def shape_of(params: Params, groups: Sequence[Sequence[str]], speed_gbps: int, load: Load) -> Shape:
    """Title, closed forms and labels; ``groups``: names of the routers of each group.

    Oversubscription is that of a group: its endpoints over its global cables.
    """
    links = params.global_links
    bisection, note = _bisection(params, groups, speed_gbps, load)
    endpoints = [sum(map(load.gbps, group)) for group in groups]
    return Shape(
        title=_title(params),
        endpoints=load.endpoints,
        bisection_gbps=None if bisection is None else float(bisection),
        bisection_note=note,
        oversubscription=worst_ratio("router", endpoints, links.a_group * speed_gbps),
        symmetry=_symmetry(params, groups, load),
        up_down=False,
        ordered=params.a == 1,  # a full mesh: one hop
    )


def _title(params: Params) -> str:
    links = params.global_links
    parts = [
        f"dragonfly p={params.p} a={params.a} h={params.h} g={params.g}",
        links.arrangement,
        f"{links.links} cable{'s' if links.links > 1 else ''} a group pair",
    ]
    if params.local_links > 1:
        parts.append(f"{params.local_links} cables a router pair")
    return ", ".join(parts)


def _bisection(
    params: Params, groups: Sequence[Sequence[str]], speed_gbps: int, load: Load
) -> tuple[int | None, str]:
    if load.nic_gbps is None:
        return None, no_form_note(load)
    links = params.global_links
    if params.a > 1:
        return None, halves_note(links, groups, speed_gbps, load)
    fill = fill_of([load.ports(name) for group in groups for name in group])
    if fill is None:
        return None, no_form_note(load)
    return full_mesh_bisection(fill, links.links * speed_gbps, load.nic_gbps), _NOTE


def _symmetry(
    params: Params, groups: Sequence[Sequence[str]], load: Load
) -> tuple[tuple[str, str], ...]:
    """Router n of every group where the groups may change places; else every router is alone."""
    values = alike(params.global_links, groups, load, ordered=True)
    kinds = {
        name: (value, n)
        for group, value in zip(groups, values, strict=True)
        for n, name in enumerate(group)
    }
    return tuple(labels("router", kinds))
