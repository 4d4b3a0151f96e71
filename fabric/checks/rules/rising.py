"""3xx: where RoCE rises to another class on the way, so that PFC cannot deadlock."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.checks.hop import Hop, Packet, hops, host_chain, packets_of
from fabric.checks.rules import ERROR, WARNING, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.qos import QosChain, Rise, TrafficClass
    from fabric.model.topology import End, Link


class _Fault(NamedTuple):
    """What is wrong with a packet on a cable; cables with the same fault are one finding."""

    traffic: str
    rises: bool
    queue: int
    dscp: int
    text: str


@rule(
    "RCE330",
    title="a cable's two ends disagree on a class",
    severity=ERROR,
    needs=("chains",),
    why="a pause then stops a queue that does not hold the packet: the neighbour's headroom "
    "overflows and RoCE is dropped, or the class stays as it was and pauses can close a cycle",
    fix="on the ports named, bind the fabric's own maps: TC → queue and TC → DSCP of the next "
    "class, PFC priority → queue of the same number; on the others no TC → DSCP map",
    example="""\
# router-0-0, a global port: TC 3 → DSCP 34, but TC 3 → queue 3: the pause of priority 4 that
# DSCP 34 causes stops queue 4""",
)
def disagreeing(facts: Facts) -> Iterator[Found]:
    """Follow each class over each cable in both directions, where RoCE rises on the way.

    Three things must agree: the queue that holds the packet at the sender, the queue that a
    received pause of priority P stops there, and P, the priority that the receiver pauses for the
    DSCP on the wire. And on a cable that makes RoCE rise it must arrive in the next class, every
    other class in its own.
    """
    rise = facts.roce.rise
    if rise is None:
        return
    for fault, links in grouped(_faults(facts, rise)).items():
        (sender, receiver), *rest = [(link[0], link[1]) for link in links]
        count = f" ({len(links):,} cables and directions alike)" if rest else ""
        yield Found(
            subject=f"{sender.device} {sender.port}" if not rest else "cables",
            message=f"{sender.device} {sender.port} to {receiver.device} {receiver.port}: "
            f"{fault.text}{count}",
            evidence=some(f"{a.device} {a.port} to {b.device} {b.port}" for a, b in links)
            if rest
            else (),
            device=None if rest or not facts.topology.is_switch(sender.device) else sender.device,
            port=None if rest or not facts.topology.is_switch(sender.device) else sender.port,
            keys=(fault.traffic, "rises" if fault.rises else "stays", str(fault.dscp)),
        )


def _faults(facts: Facts, rise: Rise) -> Iterator[tuple[_Fault, tuple[End, End]]]:
    ends = _Ends(facts, rise)
    known: dict[tuple[object, ...], tuple[_Fault, ...]] = {}
    for link in facts.topology.links:
        for sender, receiver in ((link.a, link.b), (link.b, link.a)):
            sending, receiving = ends.chain(sender), ends.chain(receiver)
            if sending is None or receiving is None:
                continue
            inside = ends.inside(sender)
            rises = _rises(facts, link, sender, rise)
            key = (inside, id(sending), id(receiving), rises)
            if key not in known:
                found = _of_cable(facts, rise if rises else None, inside, sending, receiving)
                known[key] = tuple(found)
            yield from ((fault, (sender, receiver)) for fault in known[key])


def _rises(facts: Facts, link: Link, sender: End, rise: Rise) -> bool:
    return link.kind in rise.kinds and facts.topology.is_switch(sender.device)


class _Ends:
    """Chain of each end of a cable, and the packets that can be inside its device."""

    def __init__(self, facts: Facts, rise: Rise) -> None:
        self._facts = facts
        self._host = host_chain(facts.class_map)
        raised = (c for c in facts.class_map.classes if c.name in rise.steps[1:])
        later = {dscp for c in raised for dscp in c.dscps}
        # A host sends RoCE in its first class alone.
        sent = (p for p in packets_of((self._host,)) if p.dscp not in later)
        self._sent = frozenset(sent)
        ports: dict[str, dict[int, QosChain]] = {}
        for (device, _port), chain in facts.chains.by_end.items():
            ports.setdefault(device, {})[id(chain)] = chain
        made: dict[frozenset[int], frozenset[Packet]] = {}
        self._inside: dict[str, frozenset[Packet]] = {}
        for device, chains in ports.items():
            key = frozenset(chains)
            if key not in made:
                made[key] = packets_of(chains.values())
            self._inside[device] = made[key]

    def chain(self, end: End) -> QosChain | None:
        if not self._facts.topology.is_switch(end.device):
            return self._host
        return self._facts.chains.at(end)

    def inside(self, end: End) -> frozenset[Packet]:
        return self._inside.get(end.device, self._sent)


def _of_cable(
    facts: Facts,
    rise: Rise | None,
    inside: frozenset[Packet],
    sending: QosChain,
    receiving: QosChain,
) -> Iterator[_Fault]:
    """Faults of one cable, the worst packet of each class; ``rise`` None: no class changes."""
    classes = {c.traffic_class: c for c in reversed(facts.class_map.classes)}
    told: set[int] = set()
    for packet in sorted(inside, key=lambda p: (p.traffic_class, p.dscp)):
        traffic = classes.get(packet.traffic_class)
        if traffic is None or packet.traffic_class in told:
            continue
        wanted = rise.next_class(facts.class_map, traffic) if rise else traffic
        for hop in hops(packet, sending, receiving):
            text = _fault_text(packet, hop, wanted)
            if text and packet.traffic_class not in told:
                told.add(packet.traffic_class)
                yield _Fault(traffic.name, rise is not None, hop.queue, hop.dscp, text)


def _fault_text(packet: Packet, hop: Hop, wanted: TrafficClass) -> str:
    """What is wrong with this way over the cable; empty: nothing."""
    wire = f"DSCP {packet.dscp} → TC {packet.traffic_class} → queue {hop.queue}, on the wire "
    wire += f"DSCP {hop.dscp} → TC {hop.received_class}"
    if hop.priority is None and hop.held_lossless:
        return f"{wire}, which is never paused: it is dropped there"
    if not hop.agrees:
        paused = f"{wire}, which pauses priority {hop.priority}"
        if hop.stopped is None:
            return f"{paused}; the sender has PFC off for it, so queue {hop.queue} goes on"
        return f"{paused}; that stops queue {hop.stopped}, not queue {hop.queue}"
    if hop.received_class != wanted.traffic_class:
        return f"{wire}, not TC {wanted.traffic_class} of class {wanted.name}"
    return ""


@rule(
    "RCE331",
    title="no hardware is known to raise a class per port",
    severity=WARNING,
    needs=("topology", "hardware"),
    why="the tables exist, but what a chip does with them no public source shows: where TC → queue "
    "is taken from the port that a packet came in through, or TC → DSCP does nothing, the pause "
    "stops another queue than the one that holds the packet, and RoCE is dropped",
    fix="prove it on one idle switch of each model before any job runs, as the example shows; a "
    "model that fails needs another topology",
    example="""\
# DSCP 26 from a host port out of one global port of an idle switch:
show queue counters Ethernet96            # UC4 counts, UC3 does not
show priority-group watermark shared      # at the neighbour: PG4; received as DSCP 34, ECN as sent
# DSCP 48 the same way: UC6, received as DSCP 48. Then slow the receiver down with DSCP 26:
show pfc counters                         # PFC4 received; the neighbour drops nothing""",
)
def unproven(facts: Facts) -> Iterator[Found]:
    """Name the switches that send on cables where RoCE rises, by system and chip."""
    rise = facts.roce.rise
    if rise is None:
        return
    names = [c for name in rise.steps if (c := facts.class_map.named(name))]
    steps = " → ".join(f"DSCP {c.dscps[0]} in queue {c.queue}" for c in names)
    kinds = " and ".join(rise.kinds)
    ports: dict[str, int] = {}
    for link in facts.topology.links:
        for end in (link.a, link.b) if link.kind in rise.kinds else ():
            ports[end.device] = ports.get(end.device, 0) + 1
    able = (name for name in ports if facts.hardware[name].platform.capabilities.lossless)
    by_chip = grouped(
        ((facts.hardware[n].platform.title, facts.hardware[n].model.asic.name), n) for n in able
    )
    for (system, chip), devices in by_chip.items():
        count = sum(ports[name] for name in devices)
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: RoCE rises ({steps}) on {count:,} {kinds} "
            f"ports of {system} on {chip}, where nobody has shown it to work",
            keys=(system, chip),
            location=facts.roce.location,
        )
