"""3xx: the chain DSCP → TC → queue and PG → PFC on every port of the path host … host."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from fabric.checks.chain import listed, marked, path_through, paused_queue, walk
from fabric.checks.facts import class_of
from fabric.checks.rules import ERROR, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.checks.facts import ChainGroup, Facts
    from fabric.model.qos import QosChain
    from fabric.model.topology import End, Link

_NEEDS = ("chains",)


class _Fault(NamedTuple):
    """What is wrong with a port; ports with the same fault are one finding."""

    text: str
    keys: tuple[str, ...]
    also: tuple[str, ...] = ()  # what follows from it on the same port
    dscp: int | None = None  # followed along a whole path as evidence


def _findings(facts: Facts, faults: Iterable[tuple[_Fault, ChainGroup]]) -> Iterator[Found]:
    for fault, groups in grouped(faults).items():
        ends = [end for group in groups for end in group.ends]
        path = () if fault.dscp is None else _path_text(facts, ends[0], fault.dscp)
        yield _found(facts, ends, fault, (*(f"also: {text}" for text in fault.also), *path))


def _found(facts: Facts, ends: list[End], fault: _Fault, evidence: tuple[str, ...]) -> Found:
    devices = list(dict.fromkeys(end.device for end in ends))
    only = ends[0] if len(ends) == 1 else None
    place = f"{only.device} {only.port}" if only else facts.subject(devices)
    where = place if only else f"{facts.who(devices)} ({len(ends):,} ports)"
    ports = () if only else some(f"{end.device} {end.port}" for end in ends)
    return Found(
        subject=place,
        message=f"{where}: {fault.text}",
        evidence=(*evidence, *ports),
        device=devices[0] if len(devices) == 1 else None,
        port=only.port if only else None,
        keys=fault.keys,
    )


@rule(
    "RCE302",
    title="the lossless chain is broken on the path",
    severity=ERROR,
    needs=_NEEDS,
    why="one hop that sends RoCE into a lossy buffer drops packets under congestion, and the NIC "
    "then resends whole windows",
    fix="bind the fabric's own class map on the ports named: DSCP → TC, TC → queue, TC → PG, "
    "PFC priority → queue, and the lossless buffer profile",
    example="""\
# leaf-0 as recorded: its stock map puts DSCP 46 into TC 5, TC 5 into PG 0
roce: {dscp: 46, priority: 3}""",
)
def broken_chain(facts: Facts) -> Iterator[Found]:
    """Follow every lossless DSCP through the host and every cabled switch port.

    At each port: DSCP → TC → PG, the PG has a lossless buffer and is paused by an enabled PFC
    priority; TC → queue, and a received pause of that priority stops that queue. At the host:
    the DSCP falls into the lossless class with the priority on which PFC is on. Queues of ports
    that re-mark are left to RCE330.
    """
    yield from _broken_at_host(facts)
    yield from _findings(
        facts,
        (
            (_Fault(f"{word} {faults[0]}", (word, faults[0]), faults[1:], dscp), group)
            for group in facts.chains.groups
            for word, dscp in facts.lossless_dscps
            if (faults := walk(group.chain, dscp).faults)
        ),
    )


def _broken_at_host(facts: Facts) -> Iterator[Found]:
    roce = facts.roce
    traffic = class_of(roce.class_map, roce.dscp)
    lossless = roce.class_map.lossless_priorities
    if traffic is None or traffic.priority != roce.priority or not traffic.lossless:
        priority = "no class" if traffic is None else f"priority {traffic.priority}"
        yield Found(
            "hosts",
            f"every host: RoCE DSCP {roce.dscp} → {priority}, PFC is on for {listed(lossless)}, "
            f"RoCE is meant to use priority {roce.priority}",
            fix="make roce.dscp, roce.priority and the class roce agree",
            location=roce.location,
        )


def _path_text(facts: Facts, broken: End, dscp: int) -> tuple[str, ...]:
    """One path through the broken port's switch, hop by hop."""
    path = path_through(facts.topology, broken.device)
    if not path:
        return (_hop_text(facts, broken, broken, dscp),)
    lines = [f"path: {_host_text(facts, path[0], dscp)}"]
    for arriving, leaving in pairwise(path):
        device = _between(arriving, leaving)
        here, out = arriving.end(device), leaving.end(device)
        lines.append(_hop_text(facts, here, out, dscp))
        dscp = _leaving_dscp(facts, here, out, dscp)
    return (*lines, f"{path[-1].a.device} (host)")


def _between(one: Link, other: Link) -> str:
    ends = {other.a.device, other.b.device}
    return one.a.device if one.a.device in ends else one.b.device


def _host_text(facts: Facts, link: Link, dscp: int) -> str:
    traffic = class_of(facts.roce.class_map, dscp)
    priority = "?" if traffic is None else traffic.priority
    return (
        f"{link.a.device} (host): DSCP {dscp} → priority {priority}, "
        f"PFC on {listed(facts.roce.class_map.lossless_priorities)}"
    )


def _hop_text(facts: Facts, arriving: End, leaving: End, dscp: int) -> str:
    first, second = facts.chains.at(arriving), facts.chains.at(leaving)
    into = "no lossless function" if first is None else walk(first, dscp).arriving
    out = "no lossless function" if second is None else walk(second, dscp).leaving
    return f"{arriving.device}: in {arriving.port} {into}; out {leaving.port} {out}"


def _leaving_dscp(facts: Facts, arriving: End, leaving: End, dscp: int) -> int:
    first, second = facts.chains.at(arriving), facts.chains.at(leaving)
    tc = None if first is None else first.dscp_to_tc[dscp]
    return dscp if second is None or tc is None else marked(second, tc, dscp)


@rule(
    "RCE303",
    title="the two ends of a link disagree on PFC",
    severity=ERROR,
    needs=_NEEDS,
    why="an end that does not pause, or does not listen, makes the link lossy in one direction",
    fix="enable PFC on the same priorities on both ends of the link",
    example="""\
# leaf-0 pauses priority 3, its neighbour priority 4: neither is heard""",
)
def pfc_ends(facts: Facts) -> Iterator[Found]:
    """Compare the PFC priorities of both ends of every cable, host-switch cables included.

    Cables between devices that all lack PFC are left to RCE412.
    """
    differing = []
    for link in facts.topology.links:
        chains = [facts.chains.at(link.a), facts.chains.at(link.b)]
        if not any(chains):
            continue
        a, b = (_priorities(facts, end) for end in (link.a, link.b))
        if a != b:
            differing.append(((link.kind, a, b), link))
    for (kind, a, b), links in grouped(differing).items():
        first = links[0]
        yield Found(
            subject=first.id if len(links) == 1 else f"{kind} links",
            message=f"{first.a.device} {first.a.port} has PFC on priorities {listed(a)}, "
            f"{first.b.device} {first.b.port} on {listed(b)}"
            + ("" if len(links) == 1 else f" ({len(links):,} {kind} links alike)"),
            evidence=some(f"{x.a.device} {x.a.port} to {x.b.device} {x.b.port}" for x in links),
            keys=(kind, listed(a), listed(b)),
        )


def _priorities(facts: Facts, end: End) -> tuple[int, ...]:
    if not facts.topology.is_switch(end.device):
        return facts.roce.class_map.lossless_priorities
    chain = facts.chains.at(end)
    return () if chain is None else tuple(sorted(chain.pfc_priorities))


def _lossless_tcs(facts: Facts, chain: QosChain) -> set[int]:
    found = {chain.dscp_to_tc[dscp] for _word, dscp in facts.lossless_dscps}
    return {tc for tc in found if tc is not None}


@rule(
    "RCE310",
    title="a lossy class shares the lossless buffer or queue",
    severity=ERROR,
    needs=_NEEDS,
    why="lossy traffic in a lossless buffer is paused with RoCE and fills its headroom; in its "
    "queue it is served in RoCE's place",
    fix="map every lossy TC to PG 0 and to a queue without PFC",
)
def lossy_in_lossless(facts: Facts) -> Iterator[Found]:
    """Look for a TC that no lossless DSCP uses but that maps to a lossless PG or its queue."""
    yield from _findings(facts, _mixed(facts))


def _mixed(facts: Facts) -> Iterator[tuple[_Fault, ChainGroup]]:
    for group in facts.chains.groups:
        chain = group.chain
        lossless = _lossless_tcs(facts, chain)
        queues = {chain.tc_to_queue[tc] for tc in lossless if _stays(facts, chain, tc)} - {None}
        lossy = sorted({tc for tc in chain.dscp_to_tc if tc is not None} - lossless)
        for tc in lossy:
            dscps = [d for d, value in enumerate(chain.dscp_to_tc) if value == tc]
            text = f"TC {tc} ({len(dscps)} lossy DSCPs, {dscps[0]} among them) → "
            if chain.tc_to_pg[tc] in chain.lossless_pgs:
                fault = f"{text}PG {chain.tc_to_pg[tc]}, which is lossless"
                yield _Fault(fault, (str(tc), "pg")), group
            if chain.tc_to_queue[tc] in queues:
                fault = f"{text}queue {chain.tc_to_queue[tc]}, which is a lossless class's"
                yield _Fault(fault, (str(tc), "queue")), group


def _stays(facts: Facts, chain: QosChain, traffic_class: int) -> bool:
    """Whether a lossless class leaves in a lossless one."""
    dscp = chain.tc_to_dscp[traffic_class]
    return dscp is None or dscp in {lossless for _word, lossless in facts.lossless_dscps}


@rule(
    "RCE311",
    title="no ECN marking on a lossless queue",
    severity=ERROR,
    needs=_NEEDS,
    why="without marks the senders never slow down, and every congestion becomes a pause that "
    "spreads to flows that have no part in it",
    fix="bind a WRED profile with ECN on, 0 < Kmin < Kmax and a marking probability above 0 to "
    "the queue",
)
def unmarked_queue(facts: Facts) -> Iterator[Found]:
    """Look at each queue that PFC pauses: ECN on, both thresholds set, probability above 0.

    Switches whose system has no ECN are left out.
    """
    yield from _findings(facts, _unmarked(facts))


def _unmarked(facts: Facts) -> Iterator[tuple[_Fault, ChainGroup]]:
    for group in facts.chains.groups:
        if not facts.hardware[group.devices[0]].platform.capabilities.ecn:
            continue
        chain = group.chain
        for queue in sorted({paused_queue(chain, p) for p in chain.pfc_priorities}):
            lacking = _lacking(chain, queue)
            if lacking:
                fault = f"lossless queue {queue} marks nothing: {', '.join(lacking)}"
                yield _Fault(fault, (str(queue),)), group


def _lacking(chain: QosChain, queue: int) -> list[str]:
    settings = chain.queues[queue]
    if not settings.ecn:
        return ["ECN is off"]
    thresholds = (
        ("Kmin", settings.kmin_bytes or settings.kmin_percent),
        ("Kmax", settings.kmax_bytes or settings.kmax_percent),
    )
    lacking = [f"no {name}" for name, value in thresholds if not value]
    return lacking if settings.pmax_percent else [*lacking, "no marking probability"]


@rule(
    "RCE315",
    title="the PFC watchdog misses a lossless queue",
    severity=ERROR,
    needs=_NEEDS,
    why="a broken NIC that pauses for ever freezes the fabric behind it; the watchdog is the "
    "only thing that ends it",
    fix="arm the watchdog on every priority that has PFC, on every port, host ports first",
)
def watchdog_gaps(facts: Facts) -> Iterator[Found]:
    """Compare the priorities that the watchdog guards with the PFC priorities, port by port.

    A watchdog that the inventory switches off is told once; systems without one are left out.
    """
    if not facts.lossless.watchdog.enabled:
        if facts.lossless_switches:
            yield Found(
                "watchdog",
                "the PFC watchdog is switched off: a pause storm from one NIC lasts until "
                "somebody finds that NIC",
                location=facts.roce.location,
            )
        return
    yield from _findings(facts, _unguarded(facts))


def _unguarded(facts: Facts) -> Iterator[tuple[_Fault, ChainGroup]]:
    for group in facts.chains.groups:
        if not facts.hardware[group.devices[0]].platform.capabilities.watchdog:
            continue
        chain = group.chain
        missing = sorted(set(chain.pfc_priorities) - set(chain.watchdog_priorities))
        if missing:
            fault = f"PFC is on for {listed(chain.pfc_priorities)}, the watchdog guards "
            fault += listed(chain.watchdog_priorities)
            yield _Fault(fault, (listed(missing),)), group
