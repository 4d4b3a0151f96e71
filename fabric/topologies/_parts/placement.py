"""Where hosts stand: leaf after leaf in the order of the leaves, group after group."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.finding import Problem, ProblemError
from fabric.model.topology import HostNode
from fabric.model.units import count_text
from fabric.topologies._parts.pairs import PAIR, pairs
from fabric.topologies._parts.shape import MAX_CABLES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.model.intent import HostGroup
    from fabric.model.topology import SwitchNode
    from fabric.topologies._parts.pairs import Place


@dataclass(frozen=True, slots=True)
class Room:
    """What a leaf takes, over all host groups; ``None``: no limit of its own.

    ``firm``: not even a group's ``per_leaf`` goes beyond it. ``leaves``: all leaves of a rail
    group by rail, of which ``leaf`` is the first; every host has NICs on each of them.
    """

    leaf: str
    role: str
    hosts: int | None = None
    nic_ports: int | None = None
    firm: bool = False
    leaves: tuple[str, ...] = ()

    @property
    def all_leaves(self) -> tuple[str, ...]:
        """The leaves that a host is cabled to."""
        return self.leaves or (self.leaf,)

    def leaf_of(self, rail: int | None) -> str:
        """The leaf of a NIC; ``rail`` ``None``: the kind has no rails."""
        return self.leaf if rail is None else self.leaves[rail]


def nearest(name: str, known: Sequence[str]) -> str:
    """``did you mean leaf-3?`` or an empty text."""
    import difflib  # noqa: PLC0415 — only on the way to an error

    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]}?" if close else ""


def place_hosts(
    groups: Sequence[HostGroup],
    rooms: Sequence[Room],
    switches: Sequence[SwitchNode],
    rails: Mapping[str, tuple[int, ...]] | None = None,
) -> tuple[HostNode, ...]:
    """Hosts on leaves, slots counted up in order of placement.

    All NICs of a host are on one leaf, or with ``rails`` (by host group the rail of each NIC) on
    the leaf of their rail. Bonds that end on two leaves have these from two rooms (``Pair``).

    A leaf takes ``per_leaf`` hosts of a group, else what its room allows, else an equal share
    of the group. More hosts at the end of the last group move nobody.

    Raises:
        ProblemError: hosts that do not fit (RCE016), an unknown switch in ``on`` or a name that
            two devices bear (RCE012).
    """
    _refuse_too_many_nics(groups)
    problems = _name_problems(groups, switches)
    plan = _Plan(rooms, rails or {})
    nodes: list[HostNode] = []
    for number, group in enumerate(groups):
        path = ("hosts", number)
        chosen, wrong = _chosen(group, rooms, switches, path)
        problems += wrong
        places = pairs(chosen, rooms, switches) if group.dual_tor else [(room,) for room in chosen]
        takes = [(place, plan.takes(group, place, len(places))) for place in places]
        if sum(take for _, take in takes) < len(group.names):
            if not wrong:
                problems.append(_too_many(group, takes, path))
            continue
        nodes += plan.place(group, takes)
    if problems:
        raise ProblemError(tuple(problems))
    return tuple(nodes)


class _Plan:
    """Hosts and NIC ports that stand on each leaf so far."""

    def __init__(self, rooms: Sequence[Room], rails: Mapping[str, tuple[int, ...]]) -> None:
        self._rails = rails
        self._hosts = Counter({room.leaf: 0 for room in rooms})
        self._ports = Counter({leaf: 0 for room in rooms for leaf in room.all_leaves})

    def takes(self, group: HostGroup, place: Place, places: int) -> int:
        """How many hosts of the group the leaf takes, or each leaf of a pair."""
        limits: list[int] = []
        if group.per_leaf is not None:
            limits.append(group.per_leaf)
        for room in place:
            if group.per_leaf is None or room.firm:
                if room.hosts is not None:
                    limits.append(room.hosts - self._hosts[room.leaf])
                if room.nic_ports is not None:
                    cables = group.cables // len(place)
                    limits.append((room.nic_ports - self._ports[room.leaf]) // cables)
        return max(0, min(limits)) if limits else -(-len(group.names) // max(1, places))

    def place(self, group: HostGroup, takes: Sequence[tuple[Place, int]]) -> list[HostNode]:
        """Hand out the group's hosts."""
        nodes: list[HostNode] = []
        for place, take in takes:
            for name in group.names[len(nodes) : len(nodes) + take]:
                rails = self._rails.get(group.name, ())
                leaves = tuple(
                    place[member % len(place)].leaf_of(rail)
                    for rail in rails or (None,) * group.nics
                    for member in range(group.members)
                )
                slots = tuple(self._next_port(leaf) for leaf in leaves)
                nodes.append(HostNode(name, group.name, len(nodes), leaves, slots, rails))
                for room in place:
                    self._hosts[room.leaf] += 1
        return nodes

    def _next_port(self, leaf: str) -> int:
        self._ports[leaf] += 1
        return self._ports[leaf] - 1


def _chosen(
    group: HostGroup,
    rooms: Sequence[Room],
    switches: Sequence[SwitchNode],
    path: tuple[str | int, ...],
) -> tuple[list[Room], list[Problem]]:
    """The rooms that a group may use, and what is wrong with its ``on``."""
    if not group.on:
        return list(rooms), []
    roles = {switch.name: switch.role for switch in switches}
    taking = {leaf: None for room in rooms for leaf in room.all_leaves}
    problems: list[Problem] = []
    for name in dict.fromkeys(group.on):
        if name in taking:
            continue
        if name in roles:
            message = f"{group.name}: {name} ({roles[name]}) takes no hosts"
            fix = f"switches that take hosts: {_few(list(taking))}"
            problems.append(Problem("RCE016", (*path, "on"), message, fix, subject=group.name))
        else:
            message = f"{group.name}: there is no switch {name}"
            fix = nearest(name, list(taking)) or f"switches: {_few(list(taking))}"
            problems.append(Problem("RCE012", (*path, "on"), message, fix, subject=group.name))
    on = set(group.on)
    for room in rooms:
        missing = [leaf for leaf in room.all_leaves if leaf not in on]
        if missing and len(missing) < len(room.all_leaves):
            message = f"{group.name}: a host stands on all leaves of its rail group"
            fix = f"name also {_few(missing)}"
            problems.append(Problem("RCE016", (*path, "on"), message, fix, subject=group.name))
    return [room for room in rooms if on.issuperset(room.all_leaves)], problems


def _refuse_too_many_nics(groups: Sequence[HostGroup]) -> None:
    """Numbers that can only be a slip of the pen, before they fill the memory."""
    nics = 0
    for number, group in enumerate(groups):
        nics += len(group.names) * group.cables
        if nics > MAX_CABLES:
            message = (
                f"{count_text(nics)} NICs are more than can be planned ({count_text(MAX_CABLES)})"
            )
            path = ("hosts", number)
            raise ProblemError((Problem("RCE016", path, message, "fewer hosts, or fewer NICs"),))


def _few(names: Sequence[str]) -> str:
    if not names:
        return "none"
    return ", ".join(names) if len(names) <= 4 else f"{names[0]} … {names[-1]}"  # noqa: PLR2004 — what a line holds


def _too_many(
    group: HostGroup, takes: Sequence[tuple[Place, int]], path: tuple[str | int, ...]
) -> Problem:
    capacity = sum(take for _, take in takes)
    nics = "" if group.nics == 1 else f" of {group.nics} NICs"
    if group.members > 1:
        nics = f" of {group.cables} cables"
    message = (
        f"{group.name}: {count_text(len(group.names))} hosts{nics}, but the fabric takes "
        f"{count_text(capacity)}: {_arithmetic(takes)}"
    )
    fix = "fewer hosts, more switches, or more hosts a switch (per_leaf)"
    if group.dual_tor:
        fix = "fewer hosts, or an even number of leaves: bonds end on the 1st and 2nd, 3rd and 4th"
    elif any(room.leaves for (room, *_), _ in takes):
        fix = "fewer hosts, more rail groups, or more hosts a group (hosts_per_group, per_leaf)"
    return Problem("RCE016", path, message, fix, subject=group.name)


def _arithmetic(takes: Sequence[tuple[Place, int]]) -> str:
    """``8 edge switches × 4 + 1 edge switch × 2``; ``4 pairs of edge switches × 2``."""
    counts = Counter(
        (room.role, bool(room.leaves), bool(more), take) for (room, *more), take in takes
    )
    parts = [
        f"{n} {_places(role, 'group' if spread else 'switch', n, paired=paired)} × {take}"
        for (role, spread, paired, take), n in counts.items()
    ]
    return " + ".join(parts) or "no switch takes hosts"


def _places(role: str, noun: str, count: int, *, paired: bool) -> str:
    if paired:
        return f"{_plural('pair', count)} of {role} {_plural(noun, PAIR)}"
    return f"{role} {_plural(noun, count)}"


def _plural(noun: str, count: int) -> str:
    if count == 1:
        return noun
    return f"{noun}es" if noun.endswith("ch") else f"{noun}s"


def _name_problems(groups: Sequence[HostGroup], switches: Sequence[SwitchNode]) -> list[Problem]:
    taken = {switch.name: "a switch" for switch in switches}
    problems: list[Problem] = []
    for number, group in enumerate(groups):
        for name in group.names:
            if name in taken:
                message = f"{name} is the name of {taken[name]} and of a host of {group.name}"
                fix = "give every device a name of its own"
                problems.append(Problem("RCE012", ("hosts", number), message, fix, subject=name))
            else:
                taken[name] = f"a host of {group.name}"
    return problems
