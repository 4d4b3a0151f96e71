"""Where two QoS chains of one port differ, in words: field, found, meant."""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from fabric.model.qos import QosChain

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_FEW = 4
# By field of QosChain: what maps to what.
_MAPS = {
    "dscp_to_tc": ("DSCP → TC", "DSCP {} → TC {}"),
    "tc_to_queue": ("TC → queue", "TC {} → queue {}"),
    "tc_to_dscp": ("TC → DSCP", "TC {} → DSCP {}"),
    "tc_to_pg": ("TC → PG", "TC {} → PG {}"),
    "pfc_priority_to_queue": ("PFC priority → queue", "priority {} → queue {}"),
    "pfc_priority_to_pg": ("PFC priority → PG", "priority {} → PG {}"),
    "xoff_bytes": ("headroom (xoff)", "PG {}: {} bytes"),
}
_LISTS = {
    "pfc_priorities": "PFC priorities",
    "watchdog_priorities": "watched priorities",
    "lossless_pgs": "priority groups with headroom",
}
_PARTS = {
    "scheduler": "scheduler",
    "weight": "weight",
    "max_rate_bytes_per_s": "cap in bytes/s",
    "ecn": "ECN",
    "kmin_bytes": "Kmin",
    "kmax_bytes": "Kmax",
    "kmin_percent": "Kmin %",
    "kmax_percent": "Kmax %",
    "pmax_percent": "marking %",
    "lossless_buffer": "lossless buffer",
    "size_bytes": "size",
    "xon_bytes": "xon",
    "xon_offset_bytes": "xon offset",
    "dynamic_th": "dynamic_th",
    "poll_ms": "poll ms",
    "detect_ms": "detect ms",
    "restore_ms": "restore ms",
    "action": "action",
}


class Difference(NamedTuple):
    """One field of a port's chain. ``field`` and both values as a person reads them."""

    field: str
    found: str
    meant: str


def differences(found: QosChain, meant: QosChain) -> tuple[Difference, ...]:
    """Every field that differs, in the order of the chain; nothing where the two are equal."""
    return tuple(
        difference
        for field in fields(QosChain)
        if field.name not in {"device", "port"}
        for difference in _field(field.name, getattr(found, field.name), getattr(meant, field.name))
    )


def _field(name: str, found: Any, meant: Any) -> Iterator[Difference]:
    if found == meant:
        return
    if name in _MAPS:
        label, pattern = _MAPS[name]
        yield Difference(label, *_map(pattern, found, meant))
    elif name in _LISTS:
        yield Difference(_LISTS[name], _listed(found), _listed(meant))
    elif name in {"queues", "buffers"}:
        what = "queue {}" if name == "queues" else "PG {} buffer"
        for number, (one, other) in enumerate(zip(found, meant, strict=True)):
            if one != other:
                yield Difference(what.format(number), *_parts(one, other))
    elif name == "watchdog":
        yield Difference("watchdog timers", *_parts(found, meant))
    else:
        yield Difference("MTU", _value(found), _value(meant))


def _map(pattern: str, found: Sequence[Any], meant: Sequence[Any]) -> tuple[str, str]:
    """The entries that differ; of many only the first few."""
    places = [n for n, (a, b) in enumerate(zip(found, meant, strict=True)) if a != b]
    rest = len(places) - _FEW
    more = f" and {rest} more" if rest > 0 else ""
    one, other = (
        ", ".join(pattern.format(n, _value(values[n])) for n in places[:_FEW]) + more
        for values in (found, meant)
    )
    return one, other


def _parts(found: Any, meant: Any) -> tuple[str, str]:
    """The parts of two values that differ; one of them may be missing as a whole."""
    both = [value for value in (found, meant) if is_dataclass(value)]
    names = [f.name for f in fields(both[0]) if f.name in _PARTS]
    if len(both) > 1:
        names = [name for name in names if getattr(found, name) != getattr(meant, name)]
    one, other = (_some_parts(value, names) for value in (found, meant))
    return one, other


def _some_parts(value: Any, names: Sequence[str]) -> str:
    if value is None:
        return "none"
    return ", ".join(f"{_PARTS[name]} {_value(getattr(value, name))}" for name in names)


def _listed(values: Sequence[int]) -> str:
    return ",".join(map(str, values)) or "none"


def _value(value: object) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "on" if value else "off"
        case _:
            return str(value)
