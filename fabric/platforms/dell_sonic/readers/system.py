"""``show version`` and ``show running-configuration``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms import ConfigError
from fabric.platforms.dell_sonic.lines import CONFIG_FILE, config_of
from fabric.platforms.dell_sonic.objects import objects_of
from fabric.platforms.dell_sonic.reading import chains_of

if TYPE_CHECKING:
    from fabric.model.qos import QosChain
    from fabric.model.reading import Facts, Json
    from fabric.platforms.dell_sonic.objects import Objects
    from fabric.reading.sections import Line

_FIELDS = {
    "version": re.compile(r"^Software Version\s*:\s*'?([^\s']+)", re.MULTILINE),
    "platform": re.compile(r"^Platform\s*:\s*(\S+)", re.MULTILINE),
    "hwsku": re.compile(r"^HwSKU\s*:\s*(\S+)", re.MULTILINE),
    "asic": re.compile(r"^ASIC\s*:\s*(\S+)", re.MULTILINE),
}


def version(text: str) -> Reading:
    """``show version``; community SONiC says ``SONiC Software Version``."""
    found = {name: pattern.search(text) for name, pattern in _FIELDS.items()}
    if found["version"] is None or found["hwsku"] is None:
        return Reading()
    return Reading({name: match[1] for name, match in found.items() if match})


_MODE = re.compile(r"roce enable\b.*|buffer init lossless")
_KINDS = {"dscp_to_tc": "dscp-tc", "tc_to_queue": "tc-queue", "tc_to_pg": "tc-pg"}


def running_config(text: str) -> Reading:
    """Maps and WRED policies by name; MTU, PFC and watchdog by port; how it became lossless."""
    try:
        config = config_of({CONFIG_FILE: text})
        objects, chains = objects_of(config), chains_of(config, "")
    except ConfigError:
        return Reading()
    facts: Facts = {
        **_once(config),
        **{fact: _maps(objects, kind) for fact, kind in _KINDS.items()},
        "wred": {name: _wred(objects, name) for name in objects.wreds},
        "interfaces": {c.port: {"mtu": c.mtu_bytes} for c in chains if c.mtu_bytes is not None},
        "ports": {chain.port: _port(chain) for chain in chains},
    }
    polls = [chain.watchdog.poll_ms for chain in chains if chain.watchdog]
    return Reading({**facts, **({"polling_interval_ms": polls[0]} if polls else {})})


def _once(config: Line) -> Facts:
    modes = [line.text for line in config.below if _MODE.fullmatch(line.text)]
    name = config.rest("hostname")
    found: Facts = {"hostname": name, "lossless_by": modes[0] if modes else None}
    return {key: value for key, value in found.items() if value}


def _maps(objects: Objects, kind: str) -> Json:
    return {
        name: {str(code): value for code, value in enumerate(found) if value is not None}
        for (own, name), found in objects.maps.items()
        if own == kind
    }


def _wred(objects: Objects, name: str) -> Json:
    wred = objects.wreds[name]
    return {
        "marks": wred.marks,
        "green_min_threshold": wred.kmin_bytes,
        "green_max_threshold": wred.kmax_bytes,
        "green_drop_probability": wred.pmax_percent,
    }


def _port(chain: QosChain) -> Json:
    found: Facts = {"lossless": list(chain.pfc_priorities)}
    if chain.watchdog:
        found |= {
            "action": chain.watchdog.action,
            "detection_ms": chain.watchdog.detect_ms,
            "restoration_ms": chain.watchdog.restore_ms,
        }
    return found
