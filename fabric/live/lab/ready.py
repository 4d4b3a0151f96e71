"""Whether a lab is what the plan says: sessions, neighbours, an answer between all hosts."""

from __future__ import annotations

import itertools
import time
from typing import TYPE_CHECKING, NamedTuple

from fabric.live.lab import nodes, observe
from fabric.live.programs import ProgramError, run

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.lab.layout import Layout, Node

    Missing = Callable[[str, Node], list[str]]
    Progress = Callable[[str, int, int], None]

ESTABLISHED = "Established"
_PAUSE_S = 0.3
_ALIKE = 3  # looks at the routes of which none shows a change
# Some at once: one after the other 64 hosts with 4 NICs each would take half an hour.
_PING = """\
begun=0
for target in {targets}; do
    {{ ping -n -q -c {count} -i 0.01 -W 2 -I {own} "$target" >/dev/null || echo "$target"; }} &
    begun=$((begun + 1))
    [ $((begun % 16)) -ne 0 ] || wait
done
wait
"""


def missing_sessions(lab: str, node: Node) -> list[str]:
    """Planned BGP sessions of a switch that are not there, one sentence each."""
    if not node.is_switch:
        return []
    found = observe.sessions(lab, node)
    lacking = []
    for peer in node.peers:
        for family in peer.families:
            session = found.get((peer.key, family))
            if session is None or session.state != ESTABLISHED:
                state = "none" if session is None else session.state
                where = f"{node.name} {peer.netdev} to {peer.device} ({peer.key})"
                lacking.append(f"BGP {where}, {family}: {state}")
            elif session.asn != peer.asn:
                where = f"{node.name} {peer.netdev} to {peer.device}"
                lacking.append(f"BGP {where}: ASN {session.asn}, planned is {peer.asn}")
    return lacking


def missing_neighbours(lab: str, node: Node) -> list[str]:
    """Cables of a node that LLDP does not see as planned."""
    found = observe.neighbours(lab, node)
    lacking = []
    for port in node.ports:
        wanted = (port.peer, port.peer_netdev)
        seen = found.get(port.netdev)
        if seen != wanted:
            said = "nobody" if seen is None else " ".join(seen)
            lacking.append(f"LLDP {node.name} {port.netdev}: sees {said}, not {' '.join(wanted)}")
    return lacking


def missing(layout: Layout) -> list[str]:
    """All that the plan has and the lab has not, now."""
    return [line for look in (missing_sessions, missing_neighbours) for line in _ask(layout, look)]


def _ask(layout: Layout, look: Missing) -> list[str]:
    answers = observe.each(layout.nodes, lambda node: look(layout.name, node))
    return [line for _, lines in answers for line in lines]


def wait(layout: Layout, timeout_s: float, progress: Progress | None = None) -> list[str]:
    """Wait until nothing is missing and routes rest; what is missing after ``timeout_s``."""
    deadline = time.monotonic() + timeout_s
    lacking: list[str] = []
    for what, look in (("sessions", missing_sessions), ("neighbours", missing_neighbours)):
        waiting = list(layout.nodes)
        while True:
            answers = observe.each(waiting, lambda node, ask=look: ask(layout.name, node))  # type: ignore[misc]
            waiting = [node for node, lines in answers if lines]
            if progress is not None:
                progress(what, len(layout.nodes) - len(waiting), len(layout.nodes))
            if not waiting or time.monotonic() >= deadline:
                break
            time.sleep(_PAUSE_S)
        lacking += [line for _, lines in answers for line in lines]
    if not lacking:
        _settle(layout, deadline)
    return lacking


def _settle(layout: Layout, deadline: float) -> None:
    """Wait until routes have gone round: sessions are there before what they carry is."""
    tables: list[dict[Node, dict[str, frozenset[str]]]] = []
    while time.monotonic() < deadline:
        tables.append(dict(observe.each(layout.switches, observe.routes)))
        if len(tables) > _ALIKE and all(table == tables[-1] for table in tables[-_ALIKE:]):
            return
        time.sleep(_PAUSE_S)


class Pinged(NamedTuple):
    """``lost``: who had no answer from whom. ``loads``: leaf → cable's other end → packets sent."""

    lost: list[str]
    loads: dict[str, dict[str, int]]


def ping(layout: Layout, count: int = 1, progress: Progress | None = None) -> Pinged:
    """Ping from each address of a host to each of the others, and how leaves share the packets out.

    ``loads`` has what the leaf itself sent meanwhile, too: a few packets of BGP and LLDP.
    """
    leaves = [
        node
        for node in layout.switches
        if any(not is_switch(layout, port.peer) for port in node.ports)
    ]
    before = dict(observe.each(leaves, observe.sent))
    lost = unanswered(layout, count, progress)
    loads: dict[str, dict[str, int]] = {}
    for leaf, after in observe.each(leaves, observe.sent):
        ways: dict[str, int] = {}
        for port in leaf.ports:
            if is_switch(layout, port.peer):
                passed = after[port.netdev] - before[leaf][port.netdev]
                ways[port.peer] = ways.get(port.peer, 0) + passed
        loads[leaf.name] = ways
    return Pinged(lost, loads)


def is_switch(layout: Layout, name: str) -> bool:
    """Whether a node forwards."""
    node = layout.node(name)
    return node is not None and node.is_switch


def unanswered(layout: Layout, count: int = 1, progress: Progress | None = None) -> list[str]:
    """Host pairs of which one does not get the other's answer, from each address to each.

    ``count`` pings each way, from the address of a NIC: the plan gives each NIC its own routes.
    """
    targets = [
        (host.name, address.partition("/")[0])
        for host in layout.hosts
        for port in host.ports
        for address in port.addresses
    ]
    names = {address: name for name, address in targets}
    done = itertools.count(1)

    def ask(host: Node) -> list[tuple[str, str]]:
        lost = _ping(layout, host, targets, count)
        if progress is not None:
            progress("hosts", next(done), len(layout.hosts))
        return lost

    answers = observe.each(layout.hosts, ask)
    return [
        f"{host.name} {own} → {names[target]} {target}: no answer"
        for host, lost in answers
        for own, target in lost
    ]


def _ping(
    layout: Layout, host: Node, targets: list[tuple[str, str]], count: int
) -> list[tuple[str, str]]:
    lost = []
    for port in host.ports:
        for address in port.addresses:
            own = address.partition("/")[0]
            others = [t for name, t in targets if name != host.name and (":" in t) == (":" in own)]
            text = _PING.format(targets=" ".join(others), own=own, count=count)
            try:
                said = run(nodes.inside(layout.name, host, ["/bin/sh", "-c", text]), timeout_s=600)
            except ProgramError:
                said = "\n".join(others)
            lost += [(own, target) for target in said.split()]
    return lost
