"""Headroom by formula: bytes that a lossless priority must still take in after pausing.

headroom = E · [MTU + R·(2·L/v + t_peer + t_own)] + one packet behind the pause, with R the line
rate, L the cable, v the propagation speed and E the worst-case cell expansion: a 64-byte frame
takes a whole cell. Each ASIC family has its own form of it (``XoffModel.form``).
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from fabric.design.lossless import pause
from fabric.design.lossless.wire import LIGHT_M_PER_S
from fabric.model.qos import Derived, Term
from fabric.model.units import PROPAGATION_M_PER_S, QUANTUM_BYTES, short_bytes_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.design.lossless.wire import Wire
    from fabric.model.hardware import Asic, XoffModel

KIB = 1024
LOSSLESS_MTU_BYTES = 1024  # SONiC LOSSLESS_TRAFFIC_PATTERN mtu, outside the expansion
GENERIC_V_M_PER_S = 0.66 * LIGHT_M_PER_S
FRAMING_BYTES = 124  # a PFC frame of 64 B; preamble and gap, 20 B, of it and of both packets
LUA = "sonic-net/sonic-swss cfgmgr/buffer_headroom_mellanox.lua"
GENERIC_ESTIMATE = "generic estimate"  # basis where neither the chip nor a row says more
GENERIC_SOURCE = (
    "generic estimate from IEEE 802.3 31B: no cell expansion, the peer may take its full response "
    "time; not a lower bound"
)


def xoff_by_formula(asic: Asic, wire: Wire) -> Derived:
    """Headroom in bytes of one lossless priority by the ASIC's own form.

    Raises:
        ValueError: the ASIC names a form that does not exist.
    """
    form = _FORMS.get(asic.xoff_model.form)
    if form is None:
        msg = f"{asic.name}: unknown headroom form {asic.xoff_model.form!r}"
        raise ValueError(msg)
    return form(asic, wire)


def _model_source(model: XoffModel, fallback: str) -> str:
    return model.source.text if model.source else fallback


def _nvidia(asic: Asic, wire: Wire) -> Derived:
    model = asic.xoff_model
    source = _model_source(model, LUA)
    parts = [
        Term("MTU", wire.mtu_bytes, "B", "a packet just begun when the pause is due", source),
        wire.round_trip_term(PROPAGATION_M_PER_S, "198,000 km/s"),
        Term("MAC and PHY", model.mac_phy_delay_bytes, "B", "delay of the ASIC", source),
        _peer_response(model, wire, source),
    ]
    if model.tile_bytes_per_gbps:
        tile = wire.speed_gbps * model.tile_bytes_per_gbps
        arithmetic = f"{wire.speed_gbps} Gb/s · {model.tile_bytes_per_gbps:g} B"
        parts.append(Term("tile", tile, "B", arithmetic, source))
    total = sum(part.value for part in parts)
    exact = LOSSLESS_MTU_BYTES + model.expansion * total
    value = ceil(exact / KIB) * KIB
    steps = (
        Term("sum", total, "B", "sum of the above", source),
        Term("expansion", model.expansion, "", _expansion_text(asic), source),
        Term("lossless MTU", LOSSLESS_MTU_BYTES, "B", "added after the expansion", LUA),
        Term(
            "rounded up",
            value,
            "B",
            f"({total:,.1f} B · {model.expansion:g} + 1,024 B) to whole KiB",
            source,
        ),
    )
    return Derived(value, "B", f"formula of {asic.name}", (*parts, *steps), source)


def _peer_response(model: XoffModel, wire: Wire, source: str) -> Term:
    if model.peer_response_bytes is not None:
        return Term("peer response", model.peer_response_bytes, "B", "flat, all speeds", source)
    return _quanta_term(wire)


def _quanta_term(wire: Wire) -> Term:
    quanta, of_speed = pause.nearest_quanta(wire.speed_gbps)
    text = f"{quanta} quanta · 64 B"
    if of_speed != wire.speed_gbps:
        text += f" (those of {of_speed}G: no figure for {wire.speed_gbps}G)"
    return Term("peer response", quanta * QUANTUM_BYTES, "B", text, pause.SOURCE)


def _expansion_text(asic: Asic) -> str:
    if asic.cell_bytes is None:
        return "worst-case cell expansion"
    return f"worst case: a small frame takes a whole cell of {asic.cell_bytes} B"


def _linear(asic: Asic, wire: Wire) -> Derived:
    model = asic.xoff_model
    source = _model_source(model, "fitted to published rows")
    rate = f"{short_bytes_text(wire.bytes_per_s)}/s"
    parts = (
        Term("fixed part", model.fixed_bytes, "B", "packets and pipeline", source),
        Term(
            "response",
            wire.bytes_per_s * model.response_s,
            "B",
            f"{rate} · {model.response_s * 1e6:g} µs",
            source,
        ),
        Term(
            "on the cable",
            model.ns_per_m * 1e-9 * wire.cable_m * wire.bytes_per_s,
            "B",
            f"{model.ns_per_m:g} ns/m · {wire.cable_m:g} m · {rate}",
            source,
        ),
    )
    total = sum(part.value for part in parts)
    cell = asic.cell_bytes or 1
    value = ceil(total * model.expansion / cell) * cell
    rounding = f"to whole cells of {cell} B" if asic.cell_bytes else "to whole bytes"
    steps = (
        Term("sum", total, "B", "sum of the above", source),
        Term("expansion", model.expansion, "", _expansion_text(asic), source),
        Term(
            "rounded up", value, "B", f"{total:,.1f} B · {model.expansion:.4g}, {rounding}", source
        ),
    )
    return Derived(value, "B", f"formula of {asic.name}", (*parts, *steps), source)


def _generic(_asic: Asic, wire: Wire) -> Derived:
    parts = (
        Term(
            "two packets", 2 * wire.mtu_bytes, "B", "2 · MTU: one begun on each side", pause.SOURCE
        ),
        Term("PFC frame", FRAMING_BYTES, "B", "64 B + 3 · 20 B of preamble and gap", pause.SOURCE),
        wire.round_trip_term(GENERIC_V_M_PER_S, "0.66 c"),
        _quanta_term(wire),
    )
    value = round(sum(part.value for part in parts))
    total = Term("sum", value, "B", "sum of the above", GENERIC_SOURCE)
    return Derived(value, "B", GENERIC_ESTIMATE, (*parts, total), GENERIC_SOURCE)


_FORMS: dict[str, Callable[[Asic, Wire], Derived]] = {
    "nvidia": _nvidia,
    "linear": _linear,
    "generic": _generic,
}
