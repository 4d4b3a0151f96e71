"""RoCE as in force, on the switch and on a port, and a port's RoCE counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.cumulus_nvue.readers.nvue import numbers, shown, words
from fabric.reading.numbers import whole

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.platforms.cumulus_nvue.readers.nvue import Shown

_DROPS = {
    "rx_roce": ("rx-stats", "rx-roce-stats", "no-buffer-discard"),
    "rx_non_roce": ("rx-stats", "rx-non-roce-stats", "no-buffer-discard"),
    "tx_roce": ("tx-stats", "tx-roce-stats", "unicast-no-buffer-discard"),
    "tx_cnp": ("tx-stats", "tx-cnp-stats", "unicast-no-buffer-discard"),
}
_PAUSES = {
    "rx": ("rx-stats", "rx-pfc-stats", "pause-packets"),
    "tx": ("tx-stats", "tx-pfc-stats", "pause-packets"),
}
_PACKETS = {
    "rx": ("rx-stats", "rx-roce-stats", "roce-packets"),
    "tx": ("tx-stats", "tx-roce-stats", "roce-packets"),
}
_MARKED = ("tx-stats", "tx-ecn-stats", "ecn-marked-packets")


def status(text: str) -> Reading:
    """``mode``, ``lossless``, ``ecn``, ``trust``, ``cable_length_m``, and the maps.

    Thresholds are rounded as printed (``146.48 KB``). On a port the maps name the classes RoCE and
    CNP alone.
    """
    found = shown(text)
    mode = found.value("mode")
    if mode is None or not (_ours(found) or mode.startswith("loss")):
        return Reading()
    facts: dict[str, Json] = {"mode": mode, "lossless": [*_lossless(found)]}
    ecn = _ecn(found)
    if ecn:
        facts["ecn"] = ecn
    if trust := words(found.value("trust", "trust-mode")):
        facts["trust"] = trust
    # Older releases print it beside the mode, newer ones under pfc.
    length = found.value("pfc", "cable-length") or found.value("cable-length")
    if (metres := whole(length)) is not None:
        facts["cable_length_m"] = metres
    return Reading({**facts, **_maps(found)}, found.unparsed)


def _ours(found: Shown) -> bool:
    return found.table("RoCE") is not None or ("congestion-control",) in found.values


def _lossless(found: Shown) -> list[int]:
    off = ("disabled", "no", "off")
    ways = (found.value("pfc", "rx-enabled"), found.value("pfc", "tx-enabled"))
    both_off = all(way in off for way in ways)
    return [] if both_off else numbers(found.value("pfc", "pfc-priority"))


def _ecn(found: Shown) -> dict[str, Json]:
    read: dict[str, Json] = {}
    if classes := found.value("congestion-control", "enabled-tc"):
        read["tcs"] = [*numbers(classes)]
    for key, name in (("min", "min-threshold"), ("max", "max-threshold")):
        if (value := found.value("congestion-control", name)) is not None:
            read[key] = value
    if (percent := whole(found.value("congestion-control", "probability"))) is not None:
        read["probability"] = percent
    return read


def _maps(found: Shown) -> dict[str, Json]:
    mapping = found.table("RoCE", "SP mapping")
    classes = found.table("RoCE", "TC mapping")
    dscps: dict[str, Json] = {}
    pcps: dict[str, Json] = {}
    priority = None
    for row in mapping.rows if mapping else ():
        # A long list of DSCPs goes on in a row that names no priority.
        priority = whole(row.get("switch-prio")) if row.get("switch-prio") else priority
        if priority is not None:
            dscps |= {str(n): priority for n in numbers(row.get("dscp"))}
            pcps |= {str(n): priority for n in numbers(row.get("pcp"))}
    queues: dict[str, Json] = {}
    schedule: dict[str, Json] = {}
    for row in classes.rows if classes else ():
        queue = whole(row.get("traffic-class"))
        for number in numbers(row.get("switch-prio")):
            if queue is not None:
                queues[str(number)] = queue
                schedule.setdefault(str(queue), row.get("scheduler-weight") or None)
    named = (
        ("dscp_to_priority", dscps),
        ("pcp_to_priority", pcps),
        ("priority_to_tc", queues),
        ("tc_schedule", schedule),
    )
    return {key: value for key, value in named if value}


def counters(text: str) -> Reading:
    """``roce_packets``, ``drops``, ``pfc_total``, ``ecn_marked_total`` of a port."""
    found = shown(text)
    named = (("roce_packets", _PACKETS), ("drops", _DROPS), ("pfc_total", _PAUSES))
    facts: dict[str, Json] = {}
    for key, paths in named:
        counts = {name: whole(found.value(*path)) for name, path in paths.items()}
        known: dict[str, Json] = {
            name: count for name, count in counts.items() if count is not None
        }
        if known:
            facts[key] = known
    if (marked := whole(found.value(*_MARKED))) is not None:
        facts["ecn_marked_total"] = marked
    return Reading(facts, found.unparsed) if facts else Reading()
