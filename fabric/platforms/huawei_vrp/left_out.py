"""What a rendered config of VRP lacks because no source confirms the words for it, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity
from fabric.platforms.huawei_vrp.intended import named_gbps

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

_NO_WORD = "RCE391"
_AT_40 = 40  # has a command
# By what is left out: rule, why, fix.
_REASONS = {
    "headroom": (
        "RCE409",
        "what a dynamic threshold of VRP is worth in bytes is not published",
        "compare `display dcb pfc buffer` of the box with the qos page",
    ),
    "watchdog-poll": (
        _NO_WORD,
        "the chip looks by itself; after 30 deadlocks in 20 s it also turns PFC of the port off",
        "watch `display dcb pfc deadlock trigger status` for TurnOff",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the manual names no protocol: `set priority dscp` is for what the switch itself sends",
        "capture a BGP packet of the box before CNP and routing share a network",
    ),
    "port-names": (
        _NO_WORD,
        "a box of that speed calls its ports otherwise and refuses these sections",
        "name the switch model",
    ),
    "speed": (
        _NO_WORD,
        "the module decides at what speed such a port runs",
        "try it on a box, and put the line into extra",
    ),
    "management": (
        _NO_WORD,
        "an unknown interface would stop the whole config",
        "set management.interface: MEth0/0/0",
    ),
    "gateway": (
        _NO_WORD,
        "a default route among the fabric's routes would take what the fabric lost",
        "keep the route, or the VPN instance, that the box was installed with",
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
    simulated = model.syntax != "a"
    whose = "headroom and pause thresholds" if simulated else "pause thresholds"
    yield "headroom", Severity.INFO, f"{whose} left to the box"
    yield (
        "watchdog-poll",
        Severity.INFO,
        f"the watchdog's polling of {model.watchdog.poll_ms} ms left out: VRP has no such interval",
    )
    what = f"whether BGP takes DSCP {model.bgp_dscp} from `set priority dscp` is not confirmed"
    yield "bgp-dscp", Severity.INFO, what


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    if model.model_name == "generic":
        what = "ports of a generic model are called 100GE1/0/n here, whatever their speed"
        yield "port-names", Severity.WARNING, what
    else:
        other = [
            p
            for p in model.used_interfaces
            if p.children == 1 and p.speed_gbps not in {named_gbps(p), _AT_40}
        ]
        if other:
            first = other[0]
            what = f"speed of {len(other)} ports left out: {first.name} at {first.speed_gbps}G"
            yield "speed", Severity.WARNING, what
    interface = model.management_interface
    if model.management_address and not interface.startswith("MEth"):
        what = f"management address left out: {interface} is no management interface of VRP"
        yield "management", Severity.WARNING, what
    if model.management_address and model.management_gateway:
        what = f"route to management gateway {model.management_gateway} left to the box"
        yield "gateway", Severity.INFO, what
