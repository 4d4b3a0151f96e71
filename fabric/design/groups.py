"""How switches are grouped where numbers are handed out."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.topology import Switch


def group_of(switch: Switch) -> str | None:
    """Its pod or group as the user wrote it, else its number; ``None``: in none."""
    if switch.group_name is not None:
        return switch.group_name
    return None if switch.position.group is None else str(switch.position.group)


def block_of(switch: Switch) -> str:
    """Owner of the blocks that it shares with its like: ``spine``, or ``edge 3`` in pod 3."""
    group = group_of(switch)
    return switch.role if group is None else f"{switch.role} {group}"
