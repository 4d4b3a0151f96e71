"""What a rendered CONFIG_DB lacks because only the box knows it, said aloud."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel

_BUFFER_TABLES = ("BUFFER_POOL", "BUFFER_PROFILE", "BUFFER_PG", "BUFFER_QUEUE")
_FIXES = {
    "RCE107": "record the lanes in facts/{device}.json, or keep the box's own tables",
    "RCE212": "set management.gateway",
    "RCE390": "set sonic.routing_mode: split, or give DSCP 48 to the control class",
    "RCE409": "name a sku with a published table, or record the box's in facts/{device}.json",
}
_FRR_DSCP = 48  # CS6, what FRR marks its own packets with unless told otherwise


def left_out(model: DeviceModel) -> tuple[Finding, ...]:
    """A finding for each thing that the config of this switch does not hold, or cannot say."""
    found = (_buffers(model), _ports(model), _management(model), _marking(model))
    return tuple(finding for finding in found if finding)


def _finding(model: DeviceModel, rule: str, severity: Severity, what: str, why: str) -> Finding:
    return Finding(
        rule=rule,
        severity=severity,
        subject=model.name,
        message=f"{model.name}: {what}",
        why=why,
        fix=_FIXES[rule].format(device=model.name),
        device=model.name,
    )


def _buffers(model: DeviceModel) -> Finding | None:
    if model.buffers is not None:
        return None
    return _finding(
        model,
        "RCE409",
        Severity.WARNING if model.sku else Severity.INFO,  # a generic model never has one
        f"{', '.join(_BUFFER_TABLES)} left out: "
        f"no complete buffer table of {_sku_text(model)} is known",
        "pools belong to the SKU; guessed sizes drop packets or waste memory",
    )


def _sku_text(model: DeviceModel) -> str:
    return f"SKU {model.sku}" if model.sku else f"model {model.model_name}"


def _ports(model: DeviceModel) -> Finding | None:
    unknown = [port.name for port in model.interfaces if not port.lanes]
    if not unknown:
        return None
    return _finding(
        model,
        "RCE107",
        Severity.INFO,
        f"PORT and BREAKOUT_CFG left out: lanes of {len(unknown)} of {len(model.interfaces)} ports "
        f"are not known ({unknown[0]} …)",
        "a port's lanes belong to the box, and wrong ones keep it down",
    )


def _management(model: DeviceModel) -> Finding | None:
    if not model.management_address or model.management_gateway:
        return None
    return _finding(
        model,
        "RCE212",
        Severity.WARNING,
        f"MGMT_INTERFACE left out: {model.management_address} has no gateway",
        "SONiC's model refuses a management address without a gateway of its family",
    )


def _marking(model: DeviceModel) -> Finding | None:
    if model.routing_mode != "unified" or model.bgp_dscp == _FRR_DSCP:
        return None
    return _finding(
        model,
        "RCE390",
        Severity.WARNING,
        f"BGP packets leave with DSCP {_FRR_DSCP}, not {model.bgp_dscp}",
        "in unified mode frrcfgd writes FRR's config, and it has no word for the marking",
    )
