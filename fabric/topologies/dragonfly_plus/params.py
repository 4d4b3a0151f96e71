"""Parameters of ``kind: dragonfly-plus`` and what is impossible about them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from fabric.topologies._parts.global_links import (
    CONSECUTIVE,
    LINKS,
    GlobalLinks,
    global_problems,
    links_of,
)
from fabric.topologies._parts.shape import at_least, too_large

if TYPE_CHECKING:
    from fabric.model.finding import Problem


@dataclass(frozen=True, slots=True)
class Params:
    """Parameters of ``kind: dragonfly-plus``."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    p: int = field(metadata={"description": "endpoints (NIC ports) a leaf takes"})
    leaves: int = field(metadata={"description": "leaves a group; hosts stand on these"})
    spines: int = field(metadata={"description": "spines a group, each cabled to all leaves of it"})
    h: int = field(metadata={"description": "ports of a spine for cables to other groups"})
    g: int = field(metadata={"description": "groups, 2 to spines·h + 1"})
    links_per_group_pair: int | None = field(
        default=None,
        metadata={
            "description": "cables between each two groups; default: as many as the ports allow, "
            "⌊spines·h / (g − 1)⌋"
        },
    )
    arrangement: str = field(
        default=CONSECUTIVE,
        metadata={
            "description": "which spine leads to which group: consecutive, palm-tree, circulant "
            "or round-robin"
        },
    )
    links: int = field(
        default=1,
        metadata={"description": "parallel cables between each leaf and each spine of its group"},
    )

    @property
    def global_links(self) -> GlobalLinks:
        """The cables between groups, defaults filled in."""
        links = links_of(self.links_per_group_pair, self.spines, self.h, self.g)
        return GlobalLinks(self.spines, self.h, self.g, links, self.arrangement)


def problems_of(params: Params) -> tuple[Problem, ...]:
    """RCE011 for parameters that make no dragonfly+."""
    lowest = (("p", 1), ("leaves", 1), ("spines", 1), ("h", 1), ("g", 2), ("links", 1), (LINKS, 1))
    counts = [(key, getattr(params, key), least) for key, least in lowest]
    problems = [
        fault
        for key, value, least in counts
        if value is not None
        for fault in at_least(key, value, least)
    ]
    if not problems:
        links, units = params.links_per_group_pair, ("spines", params.spines)
        problems = global_problems(links, params.arrangement, units, params.h, params.g)
    if problems:
        return tuple(problems)
    leaves = params.leaves * params.g
    inside = leaves * params.spines * params.links
    switches = leaves + params.spines * params.g
    return too_large(switches, inside + params.global_links.cables + leaves * params.p)
