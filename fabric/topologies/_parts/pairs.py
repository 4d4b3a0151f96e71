"""Which leaves belong together, for bonds that end on two."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.topology import SwitchNode
    from fabric.topologies._parts.placement import Room

    Place = tuple[Room, ...]  # where a host stands: a room, or the two rooms of a pair

PAIR = 2


def pairs(
    chosen: Sequence[Room], rooms: Sequence[Room], switches: Sequence[SwitchNode]
) -> list[Place]:
    """The first and second leaf, the third and fourth, …: of a pod, or of all rail groups.

    Counted over all leaves, so that neither ``on`` nor another group changes who belongs together,
    and more leaves at the end part nobody. A leaf that is left over takes no such hosts.
    """
    pod_of = {switch.name: switch.position.group for switch in switches}
    pods: dict[int | None, list[Room]] = {}
    for room in rooms:
        pods.setdefault(None if room.leaves else pod_of[room.leaf], []).append(room)
    usable = set(chosen)
    return [
        (one, two)
        for pod in pods.values()
        for one, two in zip(pod[::PAIR], pod[1::PAIR], strict=False)
        if one in usable and two in usable
    ]
