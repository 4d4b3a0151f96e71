"""What a rendered config of Comware lacks because no source confirms the words, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

_NO_WORD = "RCE391"
_GENERIC_GBPS = 100  # speed of the ports that the manifest has a name for
# By what is left out: rule, why, fix.
_REASONS = {
    "ecn": (
        _NO_WORD,
        "without marks every congestion ends in pauses, which spread",
        "try a WRED table on a box (`queue 3 low-limit …`, `queue 3 ecn`), and put it into extra",
    ),
    "watchdog": (
        _NO_WORD,
        "deadlock detection is off by default, and a NIC that pauses for ever freezes the fabric",
        "set `priority-flow-control deadlock` in extra after trying its interval on a box",
    ),
    "headroom": (
        "RCE409",
        "the lines count in cells of the chip, and how many bytes a cell has is not published",
        "compare the box's headroom with the qos page; `buffer apply` belongs to such lines",
    ),
    "shares": (
        _NO_WORD,
        "a box whose shares go less far refuses the line",
        "look at `qos wfq 0 group 1 byte-count ?` on a box",
    ),
    "port-names": (
        _NO_WORD,
        "a box calls ports of another speed otherwise and refuses these sections",
        "name a switch model that says how its ports are called",
    ),
    "fec": (
        _NO_WORD,
        "both ends of a cable must agree, or it stays down",
        "set speed and FEC in extra where the module's own choice is not the far end's",
    ),
    "hash-seed": (
        _NO_WORD,
        "tiers that hash alike use a fraction of the links of the second one",
        "vary `ip load-sharing mode per-flow` between tiers in extra, after trying it on a box",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "some releases have `peer dscp`: try it, or capture a BGP packet of the box",
    ),
    "management": (
        _NO_WORD,
        "a box that is reached over its VPN instance would be lost",
        "keep the address that the box was installed with",
    ),
}


def left_out(model: DeviceModel) -> tuple[Finding, ...]:
    """A finding for each thing that the config of this switch does not hold."""
    return tuple(_finding(model, *found) for found in (*_qos(model), *_network(model)))


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


def _qos(_model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    what = "ECN left out: in what unit this model counts the limits of a WRED table is not known"
    yield "ecn", Severity.WARNING, what
    what = "PFC deadlock detection left out: in what unit its interval counts is not known"
    yield "watchdog", Severity.WARNING, what
    yield "headroom", Severity.INFO, "headroom and pause thresholds left to the box's defaults"
    yield "shares", Severity.INFO, "how far shares of queues go on this model is not known"


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    info, warning = Severity.INFO, Severity.WARNING
    others = [p.name for p in model.interfaces if p.speed_gbps != _GENERIC_GBPS]
    if model.model_name == "generic" and others:
        count = f"{len(others)} ports ({others[0]} …)"
        yield "port-names", warning, f"{count} do not run at 100G, and their names say so"
    yield "fec", info, "speed and FEC left to the module: no source confirms the words for it"
    what = f"ECMP hash seed {model.hash_seed} left out: no source confirms a command for it"
    yield "hash-seed", info, what
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source shows the whole command"
    yield "bgp-dscp", info, what
    if model.management_address:
        yield "management", warning, "management address left out: the box has one already"
