"""Checked data of the short kinds → values: ASICs, NICs, servers, cables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.hardware import (
    Asic,
    CableType,
    Confidence,
    Nic,
    ServerModel,
    Source,
    XoffModel,
)

if TYPE_CHECKING:
    from fabric.catalog.schema import (
        AsicData,
        CableData,
        NicData,
        ServerData,
        SourceData,
        XoffData,
    )


def source(data: SourceData, note: str = "") -> Source:
    """The source, with what the file's place adds to it."""
    return Source(data.text + note, Confidence(data.confidence))


def asic(name: str, note: str, data: AsicData) -> Asic:
    """The chip; ``note`` is added to its source."""
    cell, buffer, xon = data.cell_bytes, data.buffer_bytes, data.xon_bytes
    headroom = data.max_port_headroom_bytes
    return Asic(
        name=name,
        vendor=data.vendor,
        family=data.family,
        cell_bytes=cell.value if cell else None,
        buffer_bytes=buffer.value if buffer else None,
        max_lossless_priorities=data.max_lossless_priorities.value,
        xoff_model=_xoff_model(data.xoff_model),
        xon_bytes=xon.value if xon else None,
        xon_doubles_on_8_lanes=bool(xon and xon.doubles_on_8_lanes),
        pfc_to_pg_map=data.pfc_to_pg_map.value,
        source=source(data.source, note),
        max_port_headroom_bytes=headroom.value if headroom else None,
    )


def _xoff_model(data: XoffData) -> XoffModel:
    expansion = data.expansion
    return XoffModel(
        form=data.form,
        expansion=expansion.cell_bytes / expansion.frame_bytes if expansion else 1.0,
        peer_response_bytes=data.peer_response_bytes,
        mac_phy_delay_bytes=data.mac_phy_delay_bytes,
        tile_bytes_per_gbps=data.tile_bytes_per_gbps,
        fixed_bytes=data.fixed_bytes,
        response_s=data.response_us / 1e6,
        ns_per_m=data.ns_per_m,
        source=source(data.source),
    )


def nic(name: str, note: str, data: NicData) -> Nic:
    """The adapter; ``note`` is added to its source."""
    marking, trust, spray = data.marking, data.trust_default, data.out_of_order
    return Nic(
        name=name,
        vendor=data.vendor,
        driver=data.driver,
        ports=tuple((choice.count, choice.speed_gbps) for choice in data.ports.choices),
        rdma_mtu_bytes=data.rdma_mtu_bytes.value,
        default_roce_dscp=marking.roce_dscp,
        default_roce_priority=marking.roce_priority,
        default_cnp_dscp=marking.cnp_dscp,
        default_cnp_priority=marking.cnp_priority,
        trust_default=trust.value if trust else None,
        out_of_order=bool(spray and spray.value),
        generic=data.generic,
        source=source(data.source, note),
    )


def server(name: str, note: str, data: ServerData) -> ServerModel:
    """The server; ``note`` is added to its source."""
    return ServerModel(
        name=name,
        gpus=data.gpus,
        nics=len(data.nics),
        rdma_devices=tuple(row.rdma for row in data.nics if row.rdma is not None),
        numa_of_nic=tuple(row.numa for row in data.nics),
        gpu_of_nic=tuple(row.gpu for row in data.nics),
        source=source(data.source, note),
    )


def cable(name: str, note: str, data: CableData) -> CableType:
    """The cable or transceiver; ``note`` is added to its source."""
    return CableType(
        name=name,
        kind=data.kind,
        speed_gbps=data.speed_gbps,
        lane_count=data.lanes,
        plug=data.plug,
        max_m=data.max_m,
        min_m=data.min_m,
        lengths_m=tuple(data.lengths_m),
        far_plug=data.far_plug,
        legs=data.legs,
        fec=data.fec,
        source=source(data.source, note),
    )
