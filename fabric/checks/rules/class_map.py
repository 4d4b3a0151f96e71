"""3xx: the class map as intended, before any switch."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.chain import listed
from fabric.checks.facts import class_of
from fabric.checks.rules import ERROR, INFO, WARNING, Found, grouped, rule, some
from fabric.model.units import bytes_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity
    from fabric.model.qos import TrafficClass

_DSCPS = 64
_EF = 46
_CLASS_SELECTORS = {48: "CS6", 56: "CS7"}  # network control, RFC 2474
_LEAST_SHARE_PERCENT = 5  # our choice: below, a class waits 20 turns
_NEEDS = ("class_map",)
_SUBJECT = "class map"


def _at_policy(  # noqa: PLR0913 — one finding has this many parts
    facts: Facts,
    message: str,
    *,
    keys: tuple[str, ...] = (),
    evidence: tuple[str, ...] = (),
    severity: Severity | None = None,
    fix: str = "",
    why: str = "",
) -> Found:
    location = facts.roce.location
    return Found(_SUBJECT, message, evidence, severity, why, fix, keys=keys, location=location)


@rule(
    "RCE301",
    title="the class map is not complete",
    severity=ERROR,
    needs=_NEEDS,
    why="a DSCP without a class falls where the switch's stock map puts it, one in two classes "
    "where the last line puts it",
    fix="put each of the 64 DSCPs into exactly one class",
    example="""\
roce:
  classes:
    - {name: default, dscps: [0], priority: 0}      # 1-63 but RoCE and CNP are in no class""",
)
def incomplete(facts: Facts) -> Iterator[Found]:
    """Count the classes of each of the 64 DSCPs: one, no more and no less."""
    classes = facts.class_map.classes
    holders = {d: [c.name for c in classes if d in c.dscps] for d in range(_DSCPS)}
    missing = [d for d, names in holders.items() if not names]
    if missing:
        few = ", ".join(some(map(str, missing)))
        yield _at_policy(facts, f"{len(missing)} of 64 DSCPs are in no class: {few}", keys=("0",))
    double = [f"DSCP {d} is in {' and '.join(n)}" for d, n in holders.items() if len(n) > 1]
    if double:
        yield _at_policy(
            facts,
            f"{len(double)} of 64 DSCPs are in more than one class",
            keys=("2",),
            evidence=some(double),
        )


@rule(
    "RCE304",
    title="the switch cannot carry this many lossless priorities",
    severity=ERROR,
    needs=("class_map", "lossless"),
    why="each lossless priority takes headroom on every port; chips and systems carry few",
    fix="keep PFC to the priorities that need it, usually RoCE's alone",
    example="""\
roce: {dscp: 26, priority: 3, pfc: {priorities: [0, 1, 2, 3, 4, 5, 6, 7]}}""",
)
def lossless_count(facts: Facts) -> Iterator[Found]:
    """Compare the number of lossless priorities with what chip and system carry.

    None at all is wrong too.
    """
    priorities = sorted(set(facts.class_map.lossless_priorities))
    if not priorities and facts.lossless_switches:
        yield _at_policy(
            facts,
            "no priority is lossless: RoCE is dropped under congestion everywhere",
            keys=("none",),
            fix="make the RoCE class lossless",
        )
    limits = (
        ((hw.model.name, hw.platform.name, _limit(facts, device)), device)
        for device, hw in facts.hardware.items()
        if hw.platform.capabilities.lossless
    )
    for (model, platform, limit), devices in grouped(limits).items():
        if len(priorities) > limit:
            yield _at_policy(
                facts,
                f"{len(priorities)} lossless priorities ({listed(priorities)}), but {model} under "
                f"{platform} carries {limit}{_cost_text(facts, devices[0], len(priorities))}",
                keys=(model, platform),
                evidence=some(devices),
            )


def _limit(facts: Facts, device: str) -> int:
    hardware = facts.hardware[device]
    chip = hardware.model.asic.max_lossless_priorities
    return min(chip, hardware.platform.capabilities.max_lossless_priorities)


def _cost_text(facts: Facts, device: str, count: int) -> str:
    profiles = facts.profiles_of.get(device, ())
    if not profiles:
        return ""
    most = max(profile.xoff_bytes.value for profile in profiles)
    return (
        f"; they would take {bytes_text(count * most)} of headroom on one port "
        f"({count} x {bytes_text(most)})"
    )


@rule(
    "RCE305",
    title="RoCE and CNP share a DSCP or a queue",
    severity=ERROR,
    needs=_NEEDS,
    why="congestion notifications that queue behind the congested data arrive when it is too late",
    fix="give CNP a DSCP and a queue of its own, strict and lossy",
    example="""\
roce: {dscp: 26, priority: 3, cnp_dscp: 26, cnp_priority: 3}""",
)
def roce_with_cnp(facts: Facts) -> Iterator[Found]:
    """Compare the DSCP, traffic class and queue of RoCE with those of CNP."""
    roce = facts.roce
    if roce.dscp == roce.cnp_dscp:
        yield _at_policy(facts, f"RoCE and CNP both use DSCP {roce.dscp}", keys=("dscp",))
        return
    data, notice = (class_of(facts.class_map, d) for d in (roce.dscp, roce.cnp_dscp))
    if data is None or notice is None:
        return  # RCE301 tells
    pairs = (
        ("traffic class", data.traffic_class, notice.traffic_class),
        ("queue", data.queue, notice.queue),
    )
    shared = [f"{word} {a}" for word, a, b in pairs if a == b]
    if shared:
        yield _at_policy(
            facts,
            f"RoCE (DSCP {roce.dscp}) and CNP (DSCP {roce.cnp_dscp}) share {' and '.join(shared)}",
            keys=("queue",),
        )


@rule(
    "RCE306",
    title="CNP or network control is lossless",
    severity=ERROR,
    needs=_NEEDS,
    why="a pause would stop the very packets that end the congestion, or the routing sessions",
    fix="keep PFC off the priorities of CNP and of network control",
    example="""\
roce: {dscp: 26, priority: 3, cnp_dscp: 48, cnp_priority: 6, pfc: {priorities: [3, 6]}}""",
)
def control_lossless(facts: Facts) -> Iterator[Found]:
    """Look up the classes of CNP, of the switches' own BGP and the one named control."""
    roce = facts.roce
    named = (
        (f"CNP (DSCP {roce.cnp_dscp})", class_of(facts.class_map, roce.cnp_dscp)),
        (f"the switches' BGP (DSCP {roce.bgp_dscp})", class_of(facts.class_map, roce.bgp_dscp)),
        ("the class control", facts.class_map.named("control")),
    )
    met: set[str] = set()
    for word, traffic in named:
        if traffic is None or traffic.name in met or not _paused(facts, traffic):
            continue
        met.add(traffic.name)
        yield _at_policy(
            facts,
            f"{word} is in the class {traffic.name} on priority {traffic.priority}, "
            f"which is lossless (PFC on priorities {listed(facts.class_map.lossless_priorities)})",
            keys=(traffic.name,),
        )


def _paused(facts: Facts, traffic: TrafficClass) -> bool:
    return traffic.lossless or traffic.priority in facts.class_map.lossless_priorities


@rule(
    "RCE307",
    title="RoCE uses DSCP 46",
    severity=WARNING,
    needs=_NEEDS,
    why="46 is EF, the voice marking: stock switch maps send it to a lossy class (SONiC: TC 5) and "
    "NICs to priority 5, so one box that lost its map drops RoCE without a word",
    fix="use DSCP 26 (priority 3 on NICs without a map of their own) unless 46 is given to you",
    example="""\
roce: {preset: article}""",
)
def expedited_forwarding(facts: Facts) -> Iterator[Found]:
    """Look at the RoCE DSCP."""
    if facts.roce.dscp == _EF:
        yield _at_policy(
            facts,
            f"RoCE uses DSCP {_EF} (EF) on priority {facts.roce.priority}: correct only while "
            "every switch and every NIC keeps a map of its own for it",
        )


@rule(
    "RCE308",
    title="priority 0 or the default class is lossless",
    severity=ERROR,
    needs=_NEEDS,
    why="whatever nobody marked lands there: SSH, storage and every misconfigured host would be "
    "paused with RoCE and fill its headroom",
    fix="move the lossless class to a priority of its own, such as 3",
    example="""\
roce: {dscp: 26, priority: 0}""",
)
def default_lossless(facts: Facts) -> Iterator[Found]:
    """Look at the class of DSCP 0 and at what shares its queue, PG or priority.

    A lossless priority 0 that the default class does not share is a warning: unmarked and
    untagged packets have it too.
    """
    default = class_of(facts.class_map, 0)
    for traffic in facts.class_map.lossless:
        shared = () if default is None else _shared(traffic, default)
        if shared:
            yield _at_policy(
                facts,
                f"the lossless class {traffic.name} shares {' and '.join(shared)} with unmarked "
                "traffic (DSCP 0)",
                keys=(traffic.name,),
            )
        elif traffic.priority == 0:
            yield _at_policy(
                facts,
                f"the lossless class {traffic.name} is on priority 0, which untagged and "
                "unmarked packets have too",
                keys=(traffic.name,),
                severity=WARNING,
            )


def _shared(one: TrafficClass, other: TrafficClass) -> tuple[str, ...]:
    if one is other:
        return (f"the class {one.name}",)
    pairs = (
        ("TC", one.traffic_class, other.traffic_class),
        ("queue", one.queue, other.queue),
        ("PG", one.priority_group, other.priority_group),
    )
    return tuple(f"{word} {a}" for word, a, b in pairs if a == b)


@rule(
    "RCE309",
    title="CNP shares its marking with network control",
    severity=WARNING,
    needs=_NEEDS,
    why="DSCP 48 is CS6, what routers mark their own sessions with: in one strict queue a burst of "
    "CNP delays BGP and a routing storm delays CNP",
    fix="give BGP a class of its own (the plan marks the switches' BGP differently) or use another "
    "CNP DSCP",
)
def cnp_with_control(facts: Facts) -> Iterator[Found]:
    """Look whether CNP and the switches' own BGP fall into one class.

    Where CNP uses a class selector and BGP was moved to another class, one info line says so
    (SONiC's unified mode cannot move it: RCE390).
    """
    roce = facts.roce
    notice, control = (class_of(facts.class_map, d) for d in (roce.cnp_dscp, roce.bgp_dscp))
    if notice is None or control is None or not facts.lossless_switches:
        return  # RCE301 tells; without PFC nothing is a CNP queue
    if notice.name == control.name or notice.queue == control.queue:
        yield _at_policy(
            facts,
            f"CNP (DSCP {roce.cnp_dscp}) and the switches' BGP (DSCP {roce.bgp_dscp}) share "
            f"queue {notice.queue}",
            keys=("shared",),
        )
    elif roce.cnp_dscp in _CLASS_SELECTORS and facts.intent.sonic_routing_mode != "unified":
        yield _at_policy(
            facts,
            f"CNP uses DSCP {roce.cnp_dscp} ({_CLASS_SELECTORS[roce.cnp_dscp]}), the marking of "
            f"network control; the switches of this fabric therefore mark their BGP DSCP "
            f"{roce.bgp_dscp}, queue {control.queue}",
            keys=("moved",),
            severity=INFO,
            why="routing sessions of other devices (hosts, border routers) still arrive as DSCP "
            f"{roce.cnp_dscp} and share the CNP queue",
            fix=f"mark such sessions DSCP {roce.bgp_dscp} too, if there are any",
        )


@rule(
    "RCE312",
    title="scheduler weights starve a class",
    severity=WARNING,
    needs=_NEEDS,
    why="a class with next to no share stalls as soon as the others are busy",
    fix="give each DWRR queue at least 5 % and let the weights add up to 100",
    example="""\
roce:
  classes:
    - {name: roce, priority: 3, lossless: true, weight: 99}
    - {name: default, priority: 0, weight: 1}""",
)
def weights(facts: Facts) -> Iterator[Found]:
    """Add up the DWRR weights, one per queue: 100 in all, 5 at least, none missing."""
    queues = {c.queue: c for c in facts.class_map.classes if c.scheduler == "dwrr"}
    bare = [c.name for c in queues.values() if not c.weight]
    if bare:
        yield _at_policy(
            facts,
            f"{', '.join(bare)}: scheduled by weight without a weight",
            keys=("none",),
            severity=ERROR,
        )
        return
    given = {c.name: c.weight or 0 for c in queues.values()}
    total = sum(given.values())
    text = ", ".join(f"{name} {weight}" for name, weight in given.items())
    if given and total != 100:  # noqa: PLR2004 — percent
        yield _at_policy(facts, f"the weights add up to {total}, not 100: {text}", keys=("sum",))
    low = [n for n, w in given.items() if 100 * w < _LEAST_SHARE_PERCENT * total]
    if low:
        yield _at_policy(
            facts,
            f"{', '.join(low)} gets less than {_LEAST_SHARE_PERCENT} % of the link when all "
            f"classes are busy: {text}",
            keys=("least",),
        )


@rule(
    "RCE313",
    title="CNP is not capped",
    severity=WARNING,
    needs=_NEEDS,
    why="a strict queue is served before all others: a host that floods it takes the whole link",
    fix="set roce.cnp_rate_percent",
)
def uncapped(facts: Facts) -> Iterator[Found]:
    """Look at the rate cap of a strict CNP class; info where the system has no cap to set."""
    notice = class_of(facts.class_map, facts.roce.cnp_dscp)
    if notice is None or notice.scheduler != "strict":
        return
    able = [
        name
        for name in facts.lossless_switches
        if facts.hardware[name].platform.capabilities.rate_cap
    ]
    unable = [name for name in facts.lossless_switches if name not in set(able)]
    if able and notice.max_rate_percent is None:
        yield _at_policy(
            facts,
            f"{facts.who(able)}: the strict CNP queue {notice.queue} has no rate cap",
            keys=("able",),
        )
    if unable:
        systems = sorted({facts.hardware[name].platform.title for name in unable})
        yield _at_policy(
            facts,
            f"{facts.who(unable)}: the strict CNP queue {notice.queue} stays uncapped, "
            f"{', '.join(systems)} has no cap that a source confirms",
            keys=("unable",),
            severity=INFO,
            fix="watch the CNP queue's rate; a host that floods it must be taken off",
        )


@rule(
    "RCE317",
    title="ports do not trust DSCP",
    severity=ERROR,
    needs=_NEEDS,
    why="routed links carry no VLAN tag, so there is no 802.1p priority to trust: every packet "
    "would be priority 0",
    fix="set roce.trust to dscp",
    example="""\
roce: {trust: pcp}""",
)
def trust(facts: Facts) -> Iterator[Found]:
    """Look at the trust mode of the policy."""
    if facts.roce.trust != "dscp":
        yield _at_policy(
            facts, f"ports trust {facts.roce.trust}, but links are routed and untagged"
        )
