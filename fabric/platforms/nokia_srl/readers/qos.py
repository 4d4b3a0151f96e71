"""``/qos/interfaces``: pause frames, deadlocks, queues; and the running configuration."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms import ConfigError
from fabric.platforms.nokia_srl.classes import Classes
from fabric.platforms.nokia_srl.readers.state import is_interface, known, up_or_down
from fabric.platforms.nokia_srl.reading import chains_of
from fabric.platforms.nokia_srl.tree import (
    CONFIG_FILE,
    below,
    by_key,
    config_of,
    document,
    entries,
    number,
    word,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.qos import QosChain
    from fabric.model.reading import Facts, Json
    from fabric.platforms.nokia_srl.tree import Tree

    Leaves = dict[str, tuple[str, Callable[[Tree, str], Json]]]


def _rows(text: str) -> Iterator[tuple[str, Tree]]:
    """QoS entries of whole interfaces, by the interface that they are of."""
    tree = document(text)
    way = (
        ("qos", "interfaces") if "qos" in tree else ("interfaces",) if "interfaces" in tree else ()
    )
    for row in entries(tree, *way, "interface"):
        ref = below(row, "interface-ref")
        name = word(ref, "interface") or word(row, "interface-id")
        if (
            name is not None
            and is_interface(name)
            and "." not in name
            and "subinterface" not in ref
        ):
            yield name, row


_DISCARDS: Leaves = {"total-packet-pfc-discards": ("pfc_discards", number)}
_PFC_QUEUE: Leaves = {
    "pfc-maximum-burst-size": ("maximum_burst_bytes", number),
    "pfc-maximum-pfc-reserved-share": ("reserved_share_bytes", number),
    "pfc-buffer-used": ("used_bytes", number),
    "peak-pfc-buffer-used": ("peak_used_bytes", number),
    "pfc-reserved-buffer-used": ("reserved_used_bytes", number),
}


_WAYS = {"rx": "pfc-pause-frames-received", "tx": "pfc-pause-frames-generated"}


def pfc(text: str) -> Reading:
    """``… pfc``: frames by priority; recoveries from a deadlock are the watchdog's storms."""
    facts: dict[str, dict[str, Json]] = {"pfc": {}, "queues": {}, "ports": {}, "pfc_queues": {}}
    for name, row in _rows(text):
        own, counts = below(row, "pfc"), below(row, "pfc", "statistics")
        if not own:
            continue
        by_priority = by_key(counts, "pfc-priority", key="index")
        facts["pfc"][name] = {way: _counts(by_priority, leaf) for way, leaf in _WAYS.items()}
        for index, storms in _counts(by_priority, "deadlock-recovery-occurrences").items():
            facts["queues"][f"{name}:{index}"] = {"storms_detected": storms}
        facts["ports"][name] = {
            **known(own, {"oper-state": ("pfc", up_or_down)}),
            **known(counts, _DISCARDS),
        }
        facts["pfc_queues"][name] = {
            queue: known(one, _PFC_QUEUE)
            for queue, one in by_key(own, "pfc-queue", key="pfc-queue-name").items()
        }
    return Reading(dict(facts)) if facts["pfc"] else Reading()


def _counts(rows: dict[str, Tree], leaf: str) -> dict[str, Json]:
    found = ((index, number(row, leaf)) for index, row in rows.items())
    return {index: count for index, count in found if count is not None}


_COUNTS: Leaves = {
    "transmitted-packets": ("packets", number),
    "transmitted-octets": ("bytes", number),
    "dropped-packets": ("drop_packets", number),
    "dropped-octets": ("drop_bytes", number),
    "ecn-marked-packets": ("ecn_marked_packets", number),
    "ecn-marked-octets": ("ecn_marked_bytes", number),
}


def queues(text: str) -> Reading:
    """``… output``: what each queue sent, dropped and, where the chip counts it, marked."""
    found: Facts = {}
    for name, row in _rows(text):
        rows = by_key(row, "output", "queues", "queue", key="queue-name")
        counted = {
            queue: known(below(one, "queue-statistics", "aggregate-statistics"), _COUNTS)
            for queue, one in rows.items()
        }
        if any(counted.values()):
            found[name] = {queue: facts for queue, facts in counted.items() if facts}
    return Reading({"queues": found}) if found else Reading()


def running_config(text: str) -> Reading:
    """Maps, ECN slopes by profile; MTU, PFC and watchdog by port."""
    tree = document(text)
    try:
        config = config_of({CONFIG_FILE: json.dumps(tree)})
    except ConfigError:
        return Reading()
    classes, chains = Classes(config), chains_of(config, "")
    policies = by_key(classes.qos, "classifiers", "dscp-policy", key="name")
    name = word(below(config, "system", "name"), "host-name")
    facts: Facts = {
        "dscp_to_tc": {policy: _coded(classes.dscp_map(policy)) for policy in policies},
        "tc_to_queue": _coded(classes.queues()),
        "profiles": dict(_slopes(classes)),
        "interfaces": {c.port: {"mtu": c.mtu_bytes} for c in chains if c.mtu_bytes is not None},
        "ports": {chain.port: _port(chain) for chain in chains},
    }
    return Reading({**({"hostname": name} if name else {}), **facts})


def _coded(values: tuple[int | None, ...]) -> Json:
    return {str(code): value for code, value in enumerate(values) if value is not None}


_SLOPE: Leaves = {
    "min-threshold": ("min_threshold", number),
    "max-threshold": ("max_threshold", number),
    "max-drop-probability-percent": ("probability", number),
}


def _slopes(classes: Classes) -> Iterator[tuple[str, Json]]:
    profiles = by_key(classes.qos, "buffer-management", "queue-management-profile", key="name")
    for name, profile in profiles.items():
        for slope in entries(profile, "wred", "wred-slope"):
            yield name, {"ecn": slope.get("enable-ecn") is True, **known(slope, _SLOPE)}


def _port(chain: QosChain) -> Json:
    found: Facts = {"lossless": list(chain.pfc_priorities)}
    if chain.watchdog:
        found |= {
            "action": chain.watchdog.action,
            "detection_ms": chain.watchdog.detect_ms,
            "restoration_ms": chain.watchdog.restore_ms,
        }
    return found
