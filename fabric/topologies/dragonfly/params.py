"""Parameters of ``kind: dragonfly`` and what is impossible about them."""

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
    """Parameters of ``kind: dragonfly``, named as in Kim, Dally, Scott, Abts (ISCA 2008)."""

    __pydantic_config__: ClassVar = {"extra": "forbid"}

    p: int = field(metadata={"description": "endpoints (NIC ports) a router takes"})
    a: int = field(metadata={"description": "routers a group, each cabled to all others of it"})
    h: int = field(metadata={"description": "ports of a router for cables to other groups"})
    g: int = field(metadata={"description": "groups, 2 to a·h + 1"})
    links_per_group_pair: int | None = field(
        default=None,
        metadata={
            "description": "cables between each two groups; default: as many as the ports allow, "
            "⌊a·h / (g − 1)⌋"
        },
    )
    arrangement: str = field(
        default=CONSECUTIVE,
        metadata={
            "description": "which router leads to which group: consecutive, palm-tree, circulant "
            "or round-robin"
        },
    )
    local_links: int = field(
        default=1,
        metadata={"description": "parallel cables between each two routers of a group"},
    )

    @property
    def global_links(self) -> GlobalLinks:
        """The cables between groups, defaults filled in."""
        links = links_of(self.links_per_group_pair, self.a, self.h, self.g)
        return GlobalLinks(self.a, self.h, self.g, links, self.arrangement)


def problems_of(params: Params) -> tuple[Problem, ...]:
    """RCE011 for parameters that make no dragonfly."""
    lowest = (("p", 1), ("a", 1), ("h", 1), ("g", 2), ("local_links", 1), (LINKS, 1))
    counts = [(key, getattr(params, key), least) for key, least in lowest]
    problems = [
        fault
        for key, value, least in counts
        if value is not None
        for fault in at_least(key, value, least)
    ]
    if not problems:
        links = params.links_per_group_pair
        problems = global_problems(links, params.arrangement, ("a", params.a), params.h, params.g)
    if problems:
        return tuple(problems)
    routers = params.a * params.g
    local = routers * (params.a - 1) // 2 * params.local_links
    return too_large(routers, local + params.global_links.cables + routers * params.p)
