"""``fabric show lossless``: every number of one port with the terms it came from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.qos import FILL_SOURCE
from fabric.model.units import bytes_text, speed_text
from fabric.report.qos_text import cable_text
from fabric.report.text import Style, columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.qos import (
        BufferFit,
        Derived,
        EcnProfile,
        LosslessProfile,
        QosChain,
        QueueSettings,
        Term,
        Watchdog,
    )


def _terms_json(terms: Sequence[Term]) -> list[dict[str, object]]:
    return [
        {"name": t.name, "value": t.value, "unit": t.unit, "text": t.text, "source": t.source}
        for t in terms
    ]


def derived_json(number: Derived) -> dict[str, object]:
    """A number with its terms as plain values."""
    return {
        "value": number.value,
        "unit": number.unit,
        "basis": number.basis,
        "source": number.source,
        "terms": _terms_json(number.terms),
    }


def profile_json(profile: LosslessProfile) -> dict[str, object]:
    """A profile as plain values."""
    return {
        "name": profile.name,
        "role": profile.role,
        "asic": profile.asic,
        "speed_gbps": profile.speed_gbps,
        "cable_m": profile.cable_m,
        "configured_cable_m": profile.configured_cable_m,
        "mtu_bytes": profile.mtu_bytes,
        "size_bytes": derived_json(profile.size_bytes),
        "xoff_bytes": derived_json(profile.xoff_bytes),
        "xon_bytes": derived_json(profile.xon_bytes),
        "xon_offset_bytes": profile.xon_offset_bytes,
        "dynamic_th": profile.dynamic_th,
        "floor_bytes": profile.floor_bytes,
        "published": profile.published,
        "shared_headroom": profile.in_shared_headroom,
        "ecn": _marks_json(profile.ecn),
    }


def _marks_json(ecn: EcnProfile) -> dict[str, object]:
    """Bytes with their terms; where the system counts percent, nothing but that."""
    if ecn.fill is not None:
        return {
            "kmin_percent": ecn.fill.kmin_percent,
            "kmax_percent": ecn.fill.kmax_percent,
            "pmax_percent": ecn.fill.pmax_percent,
            "source": FILL_SOURCE,
        }
    return {
        "kmin_bytes": derived_json(ecn.kmin_bytes),
        "kmax_bytes": derived_json(ecn.kmax_bytes),
        "pmax_percent": ecn.pmax_percent,
    }


def fit_json(fit: BufferFit) -> dict[str, object]:
    """A buffer fit as plain values."""
    return {
        "device": fit.device,
        "need_bytes": fit.need_bytes,
        "headroom_pool_bytes": fit.headroom_pool_bytes,
        "pool_bytes": fit.pool_bytes,
        "chip_bytes": fit.chip_bytes,
        "used_fraction": fit.used_fraction,
        "verdict": fit.verdict,
        "terms": _terms_json(fit.terms),
    }


def chain_json(chain: QosChain) -> dict[str, object]:
    """A port's chain as plain values."""
    return {
        "device": chain.device,
        "port": chain.port,
        "dscp_to_tc": list(chain.dscp_to_tc),
        "tc_to_queue": list(chain.tc_to_queue),
        "tc_to_dscp": list(chain.tc_to_dscp),
        "tc_to_pg": list(chain.tc_to_pg),
        "pfc_priority_to_queue": list(chain.pfc_priority_to_queue),
        "pfc_priority_to_pg": list(chain.pfc_priority_to_pg),
        "pfc_priorities": list(chain.pfc_priorities),
        "watchdog_priorities": list(chain.watchdog_priorities),
        "lossless_pgs": list(chain.lossless_pgs),
        "xoff_bytes": list(chain.xoff_bytes),
        "queues": [
            {
                "queue": q.queue,
                "scheduler": q.scheduler,
                "weight": q.weight,
                "max_rate_bytes_per_s": q.max_rate_bytes_per_s,
                "ecn": q.ecn,
                "kmin_bytes": q.kmin_bytes,
                "kmax_bytes": q.kmax_bytes,
                "kmin_percent": q.kmin_percent,
                "kmax_percent": q.kmax_percent,
                "pmax_percent": q.pmax_percent,
                "lossless_buffer": q.lossless_buffer,
            }
            for q in chain.queues
        ],
        "mtu_bytes": chain.mtu_bytes,
    }


def _number_lines(title: str, number: Derived, style: Style) -> list[str]:
    value = bytes_text(number.value) if number.unit == "B" else f"{number.value:,} {number.unit}"
    lines = [f"  {title}  {style.paint(value, 'bold')}  ({number.basis})"]
    rows = [
        (term.name, f"{term.value:,.10g} {term.unit}".strip(), term.text) for term in number.terms
    ]
    return lines + columns(rows, right=(1,), indent=6)


def _sources(numbers: Sequence[Derived]) -> list[str]:
    """Every source of these numbers once, in order."""
    found: dict[str, None] = {}
    for number in numbers:
        found.update(dict.fromkeys(t.source for t in number.terms if t.source))
        if number.source:
            found[number.source] = None
    return list(found)


def profile_lines(profile: LosslessProfile, style: Style) -> list[str]:
    """The derivation of one profile."""
    what = f"{speed_text(profile.speed_gbps)}, {cable_text(profile)}, MTU {profile.mtu_bytes}"
    lines = [f"{profile.name}: {what}, {profile.asic}", ""]
    lines += _number_lines("xoff", profile.xoff_bytes, style)
    lines += _number_lines("xon ", profile.xon_bytes, style)
    lines += _number_lines("size", profile.size_bytes, style)
    if profile.xon_offset_bytes is not None:
        lines.append(f"  xon offset  {bytes_text(profile.xon_offset_bytes)}")
    lines.append(
        f"  floor  {bytes_text(profile.floor_bytes)}  (MTU + 2·L·R/v: nothing can stop these bytes)"
    )
    lines.append(f"  alpha  2^{profile.dynamic_th} = {2.0**profile.dynamic_th:g}")
    lines += [*_mark_lines(profile.ecn, style), "", "  sources"]
    marks = () if profile.ecn.fill else (profile.ecn.kmin_bytes, profile.ecn.kmax_bytes)
    numbers = (profile.xoff_bytes, profile.xon_bytes, profile.size_bytes, *marks)
    for source in (*_sources(numbers), *((FILL_SOURCE,) if profile.ecn.fill else ())):
        lines += wrapped(source, style, indent=6, first="    · ")
    return lines


def _mark_lines(ecn: EcnProfile, style: Style) -> list[str]:
    if ecn.fill is not None:
        return [f"  marking  {ecn.fill.text}", f"  Pmax  {ecn.fill.pmax_percent} %"]
    lines = _number_lines("Kmin", ecn.kmin_bytes, style)
    lines += _number_lines("Kmax", ecn.kmax_bytes, style)
    return [*lines, f"  Pmax  {ecn.pmax_percent} %"]


def chain_lines(chain: QosChain, dscps: tuple[tuple[str, int], ...]) -> list[str]:
    """The path of named DSCPs through one port; what they leave with where the port re-marks."""
    leaving = ("DSCP out",) if chain.remarks else ()
    rows = [("class", "DSCP", "TC", "queue", *leaving, "PG", "scheduler", "PFC", "ECN")]
    for name, dscp in dscps:
        tc = chain.dscp_to_tc[dscp]
        queue = None if tc is None else chain.tc_to_queue[tc]
        group = None if tc is None else chain.tc_to_pg[tc]
        settings = None if queue is None else chain.queues[queue]
        paused = any(chain.pfc_priority_to_queue[p] == queue for p in chain.pfc_priorities)
        rows.append(
            (
                name,
                str(dscp),
                _or_dash(tc),
                _or_dash(queue),
                *((_or_dash(None if tc is None else chain.tc_to_dscp[tc]),) if leaving else ()),
                _or_dash(group),
                "–"
                if settings is None or settings.scheduler is None
                else f"{settings.scheduler} {settings.weight or ''}".strip(),
                "paused" if paused else "never paused",
                _marking_text(settings),
            )
        )
    return columns(rows)


def _marking_text(settings: QueueSettings | None) -> str:
    if settings is None or not settings.ecn:
        return "off"
    if settings.kmin_percent is not None:
        levels = f"{settings.kmin_percent} … {settings.kmax_percent} % full"
    else:
        levels = f"{settings.kmin_bytes:,} … {settings.kmax_bytes:,} B"
    return f"{levels}, {settings.pmax_percent} %"


def _or_dash(value: int | None) -> str:
    return "–" if value is None else str(value)


def fit_lines(fit: BufferFit, style: Style) -> list[str]:
    """Need of headroom against pool and chip of one switch."""
    known = [
        f"{name} {bytes_text(value)}"
        for name, value in (
            ("headroom pool", fit.headroom_pool_bytes),
            ("room beside the pools", fit.room_bytes if not fit.headroom_pool_bytes else None),
            ("ingress pool", fit.pool_bytes),
            ("chip", fit.chip_bytes),
        )
        if value is not None
    ]
    lines = wrapped(
        f"headroom of {fit.device}: need {bytes_text(fit.need_bytes)}; "
        f"{', '.join(known) or 'pool and chip not known'} → {fit.verdict}",
        style,
        indent=4,
        first="  ",
    )
    return lines + columns(
        [(t.name, f"{t.value:,.10g} {t.unit}".strip(), t.text) for t in fit.terms],
        right=(1,),
        indent=6,
    )


def watchdog_text(watchdog: Watchdog) -> str:
    """The watchdog in one sentence."""
    if not watchdog.enabled:
        return "PFC watchdog: off"
    return (
        f"PFC watchdog: polls every {watchdog.poll_ms} ms, detects after {watchdog.detect_ms} ms, "
        f"restores after {watchdog.restore_ms} ms, action {watchdog.action}"
    )
