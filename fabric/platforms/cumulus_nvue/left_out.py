"""What a rendered config of Cumulus Linux lacks because no source confirms words for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

MANAGEMENT = "eth0"
_NO_WORD = "RCE391"
_FRR_DSCP = 48  # CS6, what FRR marks its own packets with unless told otherwise
# By what is left out: rule, why, fix.
_REASONS = {
    "headroom": (
        "RCE409",
        "the switch works headroom and thresholds out from cable length, MTU and speed",
        "compare `nv show interface swp1 qos buffer ingress-priority-group` with the qos page",
    ),
    "restore": (
        _NO_WORD,
        "the watchdog restores after the first poll without a pause, and no command sets that",
        "set watchdog.restore_ms to poll_ms, so that plan and switch agree",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "FRR marks BGP so unless told otherwise, and NVUE has no command for it",
        "give DSCP 48 to the control class and another one to CNP, or add an NVUE snippet",
    ),
    "lanes": (
        "RCE107",
        "a split port gets an equal part of the cage's lanes, and the other end must have as many",
        "name the switch model",
    ),
    "management": (
        _NO_WORD,
        "the management port of Cumulus Linux is eth0",
        "set management.interface: eth0",
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


def _qos(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    yield "headroom", Severity.INFO, "headroom and pause thresholds left to the switch"
    timers = model.watchdog
    if timers.enabled and timers.restore_ms != timers.poll_ms:
        what = f"watchdog restore_ms {timers.restore_ms} left out: restored after {timers.poll_ms}"
        yield "restore", Severity.INFO, what


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    if model.bgp_dscp != _FRR_DSCP:
        shared = model.class_map.of_dscp(_FRR_DSCP).name
        what = f"BGP packets leave with DSCP {_FRR_DSCP}, not {model.bgp_dscp}: class {shared}"
        yield "bgp-dscp", Severity.WARNING, what
    split = [port for port in model.interfaces if port.children > 1 and not port.lane_count]
    if split:
        what = f"lanes-per-port of {len(split)} split ports left out ({split[0].name} …)"
        yield "lanes", Severity.INFO, what
    if model.management_address and model.management_interface != MANAGEMENT:
        what = f"management address left out: {model.management_interface} is not {MANAGEMENT}"
        yield "management", Severity.WARNING, what
