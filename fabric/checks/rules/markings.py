"""3xx: what RoCE, CNP and network control are marked with, and who shares what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.facts import class_of
from fabric.checks.policy import about_policy
from fabric.checks.rules import ERROR, INFO, WARNING, Found, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts

_NEEDS = ("class_map",)
_EF = 46
_CLASS_SELECTORS = {48: "CS6", 56: "CS7"}  # network control, RFC 2474
_BFD_DSCP = 48  # FRR's bfdd marks 0xC0 itself and has no word for it (bfdd/bfd.h BFD_TOS_VAL)


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
        yield about_policy(facts, f"RoCE and CNP both use DSCP {roce.dscp}", keys=("dscp",))
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
        yield about_policy(
            facts,
            f"RoCE (DSCP {roce.dscp}) and CNP (DSCP {roce.cnp_dscp}) share {' and '.join(shared)}",
            keys=("queue",),
        )


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
        yield about_policy(
            facts,
            f"RoCE uses DSCP {_EF} (EF) on priority {facts.roce.priority}: correct only while "
            "every switch and every NIC keeps a map of its own for it",
        )


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
    (SONiC's unified mode cannot move it: RCE390). BFD cannot be moved at all.
    """
    roce = facts.roce
    notice, control = (class_of(facts.class_map, d) for d in (roce.cnp_dscp, roce.bgp_dscp))
    if notice is None or control is None or not facts.lossless_switches:
        return  # RCE301 tells; without PFC nothing is a CNP queue
    if notice.name == control.name or notice.queue == control.queue:
        yield about_policy(
            facts,
            f"CNP (DSCP {roce.cnp_dscp}) and the switches' BGP (DSCP {roce.bgp_dscp}) share "
            f"queue {notice.queue}",
            keys=("shared",),
        )
    elif roce.cnp_dscp in _CLASS_SELECTORS and facts.intent.sonic_routing_mode != "unified":
        silent = sorted(
            {
                own.platform.title
                for own in facts.hardware.values()
                if not own.platform.capabilities.marks_bgp
            }
        )
        others = "other devices (hosts, border routers)"
        marked = f"the switches of this fabric therefore mark their BGP DSCP {roce.bgp_dscp}"
        if silent:
            others = f"{', '.join(silent)} and of {others}"
            marked = f"BGP is meant to be marked DSCP {roce.bgp_dscp}"
        yield about_policy(
            facts,
            f"CNP uses DSCP {roce.cnp_dscp} ({_CLASS_SELECTORS[roce.cnp_dscp]}), the marking of "
            f"network control; {marked}, queue {control.queue}",
            keys=("moved",),
            severity=INFO,
            why=f"routing sessions of {others} still arrive as DSCP "
            f"{roce.cnp_dscp} and share the CNP queue",
            fix=f"mark such sessions DSCP {roce.bgp_dscp} too, if there are any",
        )
    detection = class_of(facts.class_map, _BFD_DSCP)
    if facts.intent.addressing.bfd and detection is not None and detection.queue == notice.queue:
        yield about_policy(
            facts,
            f"CNP and the switches' BFD (always DSCP {_BFD_DSCP}) share queue {notice.queue}",
            keys=("bfd",),
            why="BFD marks its packets itself: a burst of CNP that costs it three in a row takes a "
            "working link down",
            fix=f"another CNP DSCP than {_BFD_DSCP}, at both ends; or leave bfd off: BGP's own "
            "timers are short",
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
        yield about_policy(
            facts, f"ports trust {facts.roce.trust}, but links are routed and untagged"
        )
