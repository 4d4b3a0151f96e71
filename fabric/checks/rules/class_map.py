"""3xx: the class map as intended: complete, within the hardware, lossless where it may be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.chain import listed
from fabric.checks.facts import class_of
from fabric.checks.policy import about_policy
from fabric.checks.rules import ERROR, WARNING, Found, grouped, rule, some
from fabric.model.units import bytes_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.qos import TrafficClass

_NEEDS = ("class_map",)
_DSCPS = 64


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
        yield about_policy(facts, f"{len(missing)} of 64 DSCPs are in no class: {few}", keys=("0",))
    double = [f"DSCP {d} is in {' and '.join(n)}" for d, n in holders.items() if len(n) > 1]
    if double:
        yield about_policy(
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
        yield about_policy(
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
            yield about_policy(
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
        yield about_policy(
            facts,
            f"{word} is in the class {traffic.name} on priority {traffic.priority}, "
            f"which is lossless (PFC on priorities {listed(facts.class_map.lossless_priorities)})",
            keys=(traffic.name,),
        )


def _paused(facts: Facts, traffic: TrafficClass) -> bool:
    return traffic.lossless or traffic.priority in facts.class_map.lossless_priorities


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
            yield about_policy(
                facts,
                f"the lossless class {traffic.name} shares {' and '.join(shared)} with unmarked "
                "traffic (DSCP 0)",
                keys=(traffic.name,),
            )
        elif traffic.priority == 0:
            yield about_policy(
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
