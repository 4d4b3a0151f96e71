"""Any graph: switches and cables as written, such as a ring, a torus or what stands there already.

Ends may come in any order: of a cable between tiers the lower end becomes ``a``, of one inside
a tier the first in natural order. Blueprint cables are one for one those of the parameters.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.model.names import natural_key
from fabric.model.topology import Blueprint, CableNode, Position, Shape, SwitchNode
from fabric.topologies import DefaultHosts
from fabric.topologies._parts.closed_forms import Load, load_of
from fabric.topologies._parts.placement import Room, place_hosts
from fabric.topologies.explicit.check import problems_of
from fabric.topologies.explicit.params import CableEntry, Params, SwitchEntry
from fabric.topologies.explicit.tiers import up_down

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.finding import Problem
    from fabric.topologies import BuildRequest

__all__ = ["TITLE", "CableEntry", "Params", "SwitchEntry", "build", "check", "default_hosts"]

TITLE = "explicit: switches and cables as written, any graph"

_NOTE = "no closed form for an arbitrary graph"


def check(params: Params) -> tuple[Problem, ...]:
    """Dangling, duplicate and impossible switches and cables."""
    return problems_of(params)


def default_hosts(params: Params) -> tuple[DefaultHosts, ...]:
    """``endpoints`` hosts on each switch, called ``<switch>-h<n>``."""
    return tuple(
        DefaultHosts(f"{switch.name}-h{{n}}", switch.endpoints, (switch.name,))
        for switch in params.switches
        if switch.endpoints
    )


def build(params: Params, request: BuildRequest) -> Blueprint:
    """Switches, cables and hosts.

    Raises:
        ProblemError: hosts that do not fit, clashing names.
    """
    switches = _switches(params)
    cables = tuple(_cable(entry, switches, request) for entry in params.cables)
    hosts = place_hosts(request.host_groups, _rooms(params, switches), tuple(switches.values()))
    load = load_of(hosts, request.host_groups)
    tiers = {name: switch.position.tier for name, switch in switches.items()}
    shape = Shape(
        title=f"explicit: {len(switches)} switches, {sum(c.count for c in cables)} cables",
        endpoints=load.endpoints,
        bisection_gbps=None,
        bisection_note=_NOTE,
        oversubscription=_oversubscription(switches, cables, load),
        up_down=up_down(tiers, [(cable.a, cable.b) for cable in cables]),
    )
    return Blueprint("explicit", tuple(switches.values()), cables, hosts, shape)


def _switches(params: Params) -> dict[str, SwitchNode]:
    top = max(entry.tier for entry in params.switches)
    numbers = _group_numbers(params)
    seen: Counter[tuple[int, int | None]] = Counter()
    nodes: dict[str, SwitchNode] = {}
    for entry in params.switches:
        group = None if entry.group is None else numbers[entry.group]
        position = Position(entry.tier, group, seen[entry.tier, group])
        seen[entry.tier, group] += 1
        nodes[entry.name] = SwitchNode(
            name=entry.name,
            role=entry.role or _role(entry.tier, top),
            position=position,
            asn=entry.asn,
            group_name=None if entry.group is None else str(entry.group),
        )
    return nodes


def _role(tier: int, top: int) -> str:
    if tier == 0:
        return "leaf"
    return "spine" if tier == top else "agg"


def _group_numbers(params: Params) -> dict[int | str, int]:
    """Groups written as numbers keep them; names are numbered behind those, as they come."""
    written = dict.fromkeys(e.group for e in params.switches if e.group is not None)
    numbers: dict[int | str, int] = {group: group for group in written if isinstance(group, int)}
    behind = max(numbers.values(), default=-1) + 1
    names = [group for group in written if isinstance(group, str)]
    return numbers | {name: behind + n for n, name in enumerate(names)}


def _cable(entry: CableEntry, switches: dict[str, SwitchNode], request: BuildRequest) -> CableNode:
    ends = [(entry.a, entry.a_port), (entry.b, entry.b_port)]
    ends.sort(key=lambda end: (switches[end[0]].position.tier, natural_key(end[0])))
    (a, a_port), (b, b_port) = ends
    level = switches[a].position.tier == switches[b].position.tier
    return CableNode(
        a=a,
        b=b,
        count=entry.count,
        speed_gbps=request.fabric_speed_gbps if entry.speed is None else entry.speed,
        length_m=request.cables.of("cable") if entry.length is None else entry.length,
        kind="same-tier" if level else "cable",
        a_port=a_port,
        b_port=b_port,
        label=entry.label or "",
        cable_type=entry.type or "",
    )


def _rooms(params: Params, switches: dict[str, SwitchNode]) -> list[Room]:
    """Where hosts may stand: switches with endpoints; if none has any, all of tier 0."""
    if any(entry.endpoints for entry in params.switches):
        return [
            Room(entry.name, switches[entry.name].role, nic_ports=entry.endpoints, firm=True)
            for entry in params.switches
            if entry.endpoints
        ]
    return [Room(name, node.role) for name, node in switches.items() if node.position.tier == 0]


def _oversubscription(
    switches: dict[str, SwitchNode], cables: Sequence[CableNode], load: Load
) -> tuple[tuple[str, float], ...]:
    """The worst switch of each tier that has cables up; same-tier cables count nowhere."""
    up: Counter[str] = Counter()
    down = Counter({name: load.gbps(name) for name in switches})
    for cable in cables:
        if cable.kind != "same-tier":
            up[cable.a] += cable.count * cable.speed_gbps
            down[cable.b] += cable.count * cable.speed_gbps
    worst: dict[int, float] = {}
    roles: dict[int, set[str]] = {}
    for name, node in switches.items():
        tier = node.position.tier
        roles.setdefault(tier, set()).add(node.role)
        if up[name]:
            worst[tier] = max(worst.get(tier, 0.0), down[name] / up[name])
    return tuple(
        (next(iter(roles[tier])) if len(roles[tier]) == 1 else f"tier {tier}", worst[tier])
        for tier in sorted(worst)
    )
