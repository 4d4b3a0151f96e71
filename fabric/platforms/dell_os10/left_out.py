"""What a rendered config of OS10 lacks because no source confirms the words for it, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

_NO_WORD = "RCE391"
# By what is left out: rule, why, fix.
_REASONS = {
    "unproven": (
        _NO_WORD,
        "routed RoCE is lossless only if the box takes these lines as they are meant",
        "try `trust dscp-map` and a WRED profile on one box, and read its queues under load",
    ),
    "watchdog": (
        _NO_WORD,
        "a NIC that pauses for ever freezes the fabric behind it, and nothing ends it",
        "watch the pause counters of host ports from outside",
    ),
    "headroom": (
        "RCE409",
        "the default is meant for an MTU of 9216 and 100 m of cable; its bytes are not published",
        "compare the box's values with the qos page; longer cables need lines in extra",
    ),
    "breakout": (
        _NO_WORD,
        "boxes with port groups split their cages in another way and refuse the line",
        "look at `show interface breakout`, and put the lines of your box into extra",
    ),
    "fec": (
        _NO_WORD,
        "both ends of a cable must agree, or it stays down",
        "set it in extra where the module's own choice is not the far end's",
    ),
    "hash-seed": (
        _NO_WORD,
        "tiers that hash alike use a fraction of the links of the second one",
        "try `hash-algorithm seed` on a box; the guide shows no whole line of it",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "capture a BGP packet of the box, and give its DSCP to the control class",
    ),
    "arp": (
        _NO_WORD,
        "ARP entries that outlive MAC entries flood packets to a host that is silent",
        "compare the ARP timeout of the box with the life of its MAC entries",
    ),
    "management": (
        _NO_WORD,
        "a box that has its address from DHCP would have two",
        "keep the address that the box was installed with, or set it in extra",
    ),
}


def left_out(model: DeviceModel) -> tuple[Finding, ...]:
    """A finding for each thing that the config of this switch does not hold."""
    return tuple(_finding(model, *found) for found in _found(model))


def _finding(model: DeviceModel, key: str, severity: Severity, what: str) -> Finding:
    rule, why, fix = _REASONS[key]
    return Finding(
        rule=rule,
        severity=severity,
        subject=model.name,
        message=f"{model.name}: {what}",
        why=why,
        fix=fix,
        device=model.name,
        keys=(key,),
    )


def _found(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    info, warning = Severity.INFO, Severity.WARNING
    what = "DSCP map, its trust and kilobytes of WRED are rendered, though no public source shows"
    yield "unproven", warning, f"{what} them: syntax {model.syntax} says that the box takes them"
    yield "watchdog", warning, "no PFC watchdog: no source knows one on OS10"
    yield "headroom", info, "headroom and pause thresholds left to the box's defaults"
    split = [port.name for port in model.interfaces if port.children > 1]
    if split:
        count = f"{len(split)} ports ({split[0]} …)"
        yield "breakout", warning, f"whether interface breakout splits {count} is not known"
    yield "fec", info, "FEC left to the box: no source confirms the words for it"
    what = f"ECMP hash seed {model.hash_seed} left out: no source shows a line of it"
    yield "hash-seed", info, what
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source confirms a command for it"
    yield "bgp-dscp", info, what
    if model.svis:
        yield "arp", info, "ARP timeout left to the box: no source confirms a command for it"
    if model.management_address:
        yield "management", warning, "management address left out: the box has one already"
