"""What a rendered config of NX-OS lacks because no source confirms the words for it, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

MANAGEMENT = "mgmt0"
_NO_WORD = "RCE391"
_NRZ_GBPS = 25  # a lane that may run without FEC
# By what is left out: rule, why, fix.
_REASONS = {
    "headroom": (
        "RCE409",
        "the box takes them from the network-qos class; the order of the words is not confirmed",
        "compare `show queuing interface` of the box with the qos page",
    ),
    "watchdog-times": (
        _NO_WORD,
        "the words for its multipliers are not confirmed; the poll is fixed at 100 ms",
        "read `show queuing pfc-queue` on the box, also that disable-action is No",
    ),
    "fec": (
        _NO_WORD,
        "lanes of 50G and up have one FEC, which the box chooses; no source says what it is called",
        "leave it to the box; read `show interface fec` where a link stays down",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "capture a BGP packet of the box, and give its DSCP to the control class",
    ),
    "tcam": (
        _NO_WORD,
        "some boxes have no TCAM for IPv6 in QoS policies until it is carved, which needs a reload",
        "read `show hardware access-list tcam region` before the policies are applied",
    ),
    "port-channel": (
        _NO_WORD,
        "members take over what their port-channel has, so policies and PFC stand there alone",
        "read `show interface priority-flow-control` on the box for its members",
    ),
    "management": (
        _NO_WORD,
        "an unknown interface would stop the whole config",
        "set management.interface: mgmt0",
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
    what = "headroom and pause thresholds left to the box, which derives them from network-qos"
    yield "headroom", Severity.INFO, what
    if model.watchdog.enabled:
        times = f"{model.watchdog.detect_ms} and {model.watchdog.restore_ms} ms"
        what = f"the watchdog is on with the box's own times, in place of {times}"
        yield "watchdog-times", Severity.WARNING, what
    if model.lags:
        count = f"{len(model.lags)} port-channel{'s' if len(model.lags) > 1 else ''}"
        yield "port-channel", Severity.INFO, f"members of {count} bear no policy of their own"
    if any(":" in address for port in model.interfaces for address in port.addresses):
        yield "tcam", Severity.WARNING, "TCAM regions are left to the box, and IPv6 is in use"
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source confirms a command for it"
    yield "bgp-dscp", Severity.INFO, what


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    other = [p for p in model.interfaces if p.speed_gbps != _NRZ_GBPS * (p.lane_count or 0)]
    fast = [p for p in other if p.fec == "rs"]
    if fast:
        ports = f"{len(fast)} of {len(model.interfaces)} ports ({fast[0].name} …)"
        yield "fec", Severity.INFO, f"FEC of {ports} left to the box"
    interface = model.management_interface
    if model.management_address and interface != MANAGEMENT:
        what = f"management address left out: {interface} is no management interface of NX-OS"
        yield "management", Severity.WARNING, what
