"""What a rendered config lacks because it must not be in it, or nobody confirms its words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

_NO_WORD = "RCE391"
# By what is left out: rule, why, fix.
_REASONS = {
    "day-0": (
        _NO_WORD,
        "it saves and reboots the switch; without it no port has lossless buffers",
        "once per switch, drained, after cages are split: type it, answer y; not `roce enable`",
    ),
    "naming": (
        _NO_WORD,
        "another mode calls the ports Ethernet0 or Eth1/1/1, and no line would find its port",
        "type `interface-naming standard` and log in again, or set naming.dell_sonic of the model",
    ),
    "breakout": (
        _NO_WORD,
        "which splits a cage offers is not known, and after `buffer init lossless` it reboots",
        "split the cages by hand before: `interface breakout port 1/1 mode 2x200G`",
    ),
    "headroom": (
        "RCE409",
        "the box derives it from speed and cable-length; which bytes it takes is not published",
        "compare `show buffer profile` on the box with the qos page",
    ),
    "port-channel": (
        _NO_WORD,
        "the box refuses some lines at a member of a port-channel, and which is not documented",
        "type the section of one member by hand and read the answers",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "capture a BGP packet of the box, and give its DSCP to the control class",
    ),
    "as-path": (
        _NO_WORD,
        "releases spell a list of AS paths differently; what is redistributed later would go out",
        "redistribute nothing into BGP on this switch",
    ),
    "management": (
        _NO_WORD,
        "a wrong line there cuts off the session that types it",
        "keep the address, or set it at the console",
    ),
}


def left_out(model: DeviceModel) -> tuple[Finding, ...]:
    """A finding for each thing that the config of this switch does not hold."""
    return tuple(_finding(model, *found) for found in (*_ports(model), *_network(model)))


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


def _ports(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    what = "`buffer init lossless` left out: a step of its own before this config"
    yield "day-0", Severity.WARNING, what
    if any(port.name.startswith("Eth1/") for port in model.interfaces):
        what = "ports are named as `interface-naming standard` names them (Eth1/1)"
        yield "naming", Severity.INFO, what
    split = [port.name for port in model.interfaces if port.children > 1 and not port.breakout]
    if split:
        what = f"breakout left out: modes of {len(split)} ports ({split[0]} …) are not known"
        yield "breakout", Severity.INFO, what
    yield "headroom", Severity.INFO, "headroom and pause thresholds left to cable-length"
    if model.lags:
        count = f"{len(model.lags)} port-channel{'s' if len(model.lags) > 1 else ''}"
        what = f"whether members of {count} take QoS lines is not confirmed"
        yield "port-channel", Severity.WARNING, what


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source confirms a command for it"
    yield "bgp-dscp", Severity.INFO, what
    what = "filter of AS paths left out: own prefixes beyond the list are not held back"
    yield "as-path", Severity.INFO, what
    if model.management_address:
        yield "management", Severity.INFO, "management address left to the box"
