"""What a rendered config of SR Linux lacks because nobody confirms it or knows its number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity
from fabric.platforms.nokia_srl.intended import is_sized, is_xgs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel

_HAS_PFC = re.compile(r".*7220-ixr-(h4|h5|d4|d5)(-.*)?")  # QoS guide 25.10
_NO_WORD = "RCE391"
# By what is left out: rule, why, fix.
_REASONS = {
    "pfc": (
        _NO_WORD,
        "the QoS guide names 7220 IXR-D4, D5, H4, H5 and some 7250 IXR for PFC",
        "name one of these models, or ask the vendor about yours",
    ),
    "pause": (
        _NO_WORD,
        "chips of the other family map classes to PFC queues by their index",
        "name the switch model, so that its chip is known",
    ),
    "queues": (
        _NO_WORD,
        "a marked queue must have a maximum-burst-size, and the pool that it may fill is not known",
        "name a model with a published buffer table",
    ),
    "headroom": (
        "RCE409",
        "a PFC queue pauses at 51,200 bytes by default, before ECN marks; 1 % is reserved",
        "name a model with a published buffer table",
    ),
    "pools": (
        "RCE409",
        "pool sizes and headroom are those published for SONiC on this box",
        "compare pfc-reserved-buffer-size and queue-depth in the state of the box",
    ),
    "watchdog": (
        _NO_WORD,
        "the deadlock mechanism ignores pause for the recovery time; it drops nothing itself",
        "read deadlock-recovery-occurrences of the ports",
    ),
    "fec": (
        _NO_WORD,
        "where it stands differs by platform, and which platform has which is not published",
        "read it on both ends of a link; set it in extra where they differ",
    ),
    "port-channel": (
        _NO_WORD,
        "the model takes PFC at a LAG and refuses it at its members; no source shows one at work",
        "read pfc oper-state of the LAG before a job runs",
    ),
    "bgp-dscp": (
        _NO_WORD,
        "the sessions share a queue with whatever has the system's own marking",
        "capture a BGP packet of the box, and give its DSCP to the control class",
    ),
    "management": (
        _NO_WORD,
        "interface mgmt0 and network-instance mgmt are the box's own",
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


def _qos(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    if not _HAS_PFC.fullmatch(model.model_name):
        yield "pfc", Severity.WARNING, f"no source says that {model.model_name} has PFC"
    if not is_xgs(model):
        what = f"which class pauses which priority left out: chip {model.asic}"
        yield "pause", Severity.WARNING, what
    if is_sized(model):
        yield "pools", Severity.INFO, "buffer sizes follow from the box's pools under SONiC"
    else:
        yield "queues", Severity.WARNING, "ECN left out: the pools of the box are not known"
        yield "headroom", Severity.WARNING, "PFC thresholds and reserve left at their defaults"
    if model.watchdog.enabled:
        yield "watchdog", Severity.INFO, "a stormed queue sends on and drops nothing"


def _network(model: DeviceModel) -> Iterator[tuple[str, Severity, str]]:
    yield "fec", Severity.INFO, "FEC left to the transceivers"
    if model.lags:
        count = f"{len(model.lags)} LAG{'s' if len(model.lags) > 1 else ''}"
        yield "port-channel", Severity.WARNING, f"PFC of {count} is not confirmed"
    what = f"DSCP {model.bgp_dscp} for BGP left out: no source confirms a leaf for it"
    yield "bgp-dscp", Severity.INFO, what
    if model.management_address:
        yield "management", Severity.INFO, "management address left to the box"
