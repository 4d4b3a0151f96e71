"""Headroom, marking and fit on the QoS page, with where each number comes from."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.model.qos import FILL_SOURCE
from fabric.model.roce_packet import (
    FAMILIES,
    FAMILY_NAMES,
    overhead_bytes,
    overhead_text,
    wire_efficiency,
)
from fabric.model.units import bytes_text, speed_text
from fabric.report.qos_text import cable_text, table

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.qos import BufferFit, EcnProfile, LosslessProfile


def number_lines(design: Design) -> list[str]:
    """Return the numbers of every profile and whether the headroom fits."""
    return [*_headroom(design), *_marking(design), *_fits(design), *_efficiency(design)]


def _efficiency(design: Design) -> list[str]:
    """How much of the line rate is payload, for either family; the one in use says so."""
    used, mtu = design.intent.addressing.rdma_family, design.intent.roce.rdma_mtu_bytes
    speeds = sorted({port.speed_gbps for host in design.topology.hosts for port in host.ports})
    header = ("RDMA over", "RDMA MTU", "beside it", "efficiency", "payload at most", "terms")
    rows = []
    for family in FAMILIES:
        share = wire_efficiency(mtu, family)
        goodput = ", ".join(f"{float(share * n):.1f} of {speed_text(n)}" for n in speeds)
        name = FAMILY_NAMES[family] + (" (this fabric)" if family == used else "")
        rows.append(
            (
                name,
                mtu,
                f"{overhead_bytes(family)} B",
                f"{float(share):.4f}",
                goodput,
                f"{mtu} / ({mtu} + {overhead_text(family)})",
            )
        )
    note = "Full packets inside a message, untagged; its first and last may have longer headers."
    return ["## Efficiency on the wire", "", *table(header, rows), "", note, ""]


def _headroom(design: Design) -> list[str]:
    ports = Counter(port.profile for port in design.lossless.ports)
    header = ("profile", "ASIC", "speed", "cable", "ports", "xoff", "xon", "size", "alpha", "basis")
    rows = [
        (
            p.name,
            p.asic,
            speed_text(p.speed_gbps),
            cable_text(p),
            ports[p.name],
            bytes_text(p.xoff_bytes.value),
            bytes_text(p.xon_bytes.value),
            bytes_text(p.size_bytes.value),
            f"2^{p.dynamic_th}",
            p.xoff_bytes.basis,
        )
        for p in design.lossless.profiles
    ]
    if not rows:
        return ["## Headroom", "", "No switch of this fabric has PFC: nothing is lossless.", ""]
    return ["## Headroom", "", *table(header, rows), "", *_sources(design)]


def _marking(design: Design) -> list[str]:
    header = ("profile", "Kmin", "Kmax", "Pmax", "basis of Kmin", "basis of Kmax")
    rows = [(p.name, *_marks(p.ecn)) for p in design.lossless.profiles]
    note = [f"Fill levels: {FILL_SOURCE}.", ""]
    filled = any(p.ecn.fill for p in design.lossless.profiles)
    lines = ["## Marking (ECN)", "", *table(header, rows), "", *(note if filled else ())]
    return lines if rows else []


def _marks(ecn: EcnProfile) -> tuple[str, ...]:
    """Kmin, Kmax, Pmax and the basis of the first two."""
    if ecn.fill is not None:
        low, high, most = ecn.fill.kmin_percent, ecn.fill.kmax_percent, ecn.fill.pmax_percent
        basis = "fill level of the queue's buffer"
        return (f"{low} %", f"{high} %", f"{most} %", basis, basis)
    return (
        bytes_text(ecn.kmin_bytes.value),
        bytes_text(ecn.kmax_bytes.value),
        f"{ecn.pmax_percent} %",
        ecn.kmin_bytes.basis,
        ecn.kmax_bytes.basis,
    )


def _sources(design: Design) -> list[str]:
    """Where the headroom comes from, each source once."""
    found: dict[str, list[LosslessProfile]] = {}
    for profile in design.lossless.profiles:
        xoff = profile.xoff_bytes
        for text in dict.fromkeys([*(term.source for term in xoff.terms), xoff.source]):
            if text:
                found.setdefault(text, []).append(profile)
    lines = [f"- {text}: {', '.join(p.name for p in users)}" for text, users in found.items()]
    return ["Sources:", "", *lines, ""] if lines else []


def _fits(design: Design) -> list[str]:
    alike: dict[tuple[object, ...], list[BufferFit]] = {}
    roles = {switch.name: switch.role for switch in design.topology.switches}
    for fit in design.lossless.fits:
        key = (roles[fit.device], fit.need_bytes, *_pools(fit), fit.verdict)
        alike.setdefault(key, []).append(fit)
    if not alike:
        return []
    header = ("switches", "need", "must fit into", "ingress pool", "chip", "verdict")
    rows = [
        (
            f"{len(fits)} {key[0]} ({_first_and_last(fits)})",
            bytes_text(fits[0].need_bytes),
            *_pools(fits[0]),
            fits[0].verdict,
        )
        for key, fits in alike.items()
    ]
    return ["## Does the headroom fit", "", *table(header, rows), ""]


def _pools(fit: BufferFit) -> tuple[str, str, str]:
    """What the need must fit into, the ingress pool, the chip."""
    return room_text(fit), _size(fit.pool_bytes), _size(fit.chip_bytes)


def _size(value: int | None) -> str:
    return "not known" if value is None else bytes_text(value)


def room_text(fit: BufferFit) -> str:
    """The headroom pool; where each port has its own headroom, what the pools leave of the chip."""
    if fit.headroom_pool_bytes is not None:
        return f"headroom pool {bytes_text(fit.headroom_pool_bytes)}"
    if fit.room_bytes is not None:
        reserved = bytes_text(fit.reserved_bytes)
        return f"{bytes_text(fit.room_bytes)} beside the pools, with {reserved} reserved"
    return "not known"


def _first_and_last(fits: list[BufferFit]) -> str:
    names = natural_sorted(fit.device for fit in fits)
    return names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
