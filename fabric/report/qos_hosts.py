"""The host's side of the QoS page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from fabric.model.qos import tos_byte
from fabric.model.roce_packet import FAMILY_NAMES
from fabric.model.units import speed_text
from fabric.report.qos_text import table

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.intent import HostGroup

_PRIORITIES = range(8)


def host_lines(design: Design) -> list[str]:
    """Return what every host sets, and what differs between the groups of hosts."""
    groups = design.intent.host_groups
    if not groups:
        return []
    lines = ["## Hosts", "", *table(("setting", "value"), _common(design)), ""]
    header = ("group", "hosts", "NICs", "names", "adapter", "QPs per connection", "how it is set")
    rows = [
        (
            group.name,
            len(group.names),
            _nics(group),
            ", ".join(map(partial(_name, group), range(group.nics))),
            group.nic.name,
            group.qps_per_connection,
            _way(group),
        )
        for group in groups
    ]
    names = (
        "The network devices must bear these names (`hosts.netdevs`); nothing here renames them, "
        "and `fabric-host.sh --check` reports one that is absent."
    )
    return [*lines, *table(header, rows), "", names, "", *_own_variables(groups)]


def _common(design: Design) -> list[tuple[str, object]]:
    roce = design.intent.roce
    tos = tos_byte(roce.dscp)
    lossless = design.lossless.class_map.lossless_priorities
    pfc = ",".join("1" if priority in lossless else "0" for priority in _PRIORITIES)
    marked = ", ".join(map(str, lossless))
    return [
        ("trust", "dscp"),
        ("priority of RoCE", f"DSCP {roce.dscp} is priority {roce.priority}"),
        *_raised(design),
        ("priority of CNP", f"DSCP {roce.cnp_dscp} is priority {roce.cnp_priority}"),
        ("PFC by priority, 0 to 7", pfc),
        ("congestion control", f"notification and reaction point on for priority {marked}"),
        ("global pause", "off"),
        ("MTU", f"{roce.host_mtu_bytes} (RDMA {roce.rdma_mtu_bytes})"),
        ("traffic class of RDMA-CM, NCCL, UCX, NVSHMEM", tos),
        ("NCCL_IB_SL", 0),
        ("GID", _gid_text(design)),
    ]


def _nics(group: HostGroup) -> str:
    bond = f"bond of {group.members} × " if group.members > 1 else ""
    return f"{group.nics} · {bond}{speed_text(group.speed_gbps)}"


def _name(group: HostGroup, nic: int) -> str:
    """``rdma0``; of a bond with the devices that have its cables."""
    if group.members == 1:
        return group.netdevs[nic]
    return f"{group.netdevs[nic]} ({' '.join(group.cabled(nic))})"


def _gid_text(design: Design) -> str:
    if design.intent.addressing.family == "ipv4":
        return "RoCE v2, address of this fabric; no fixed index"
    family = FAMILY_NAMES[design.intent.addressing.rdma_family]
    return f"RoCE v2, {family} address of this fabric, never link-local; no fixed index"


def _raised(design: Design) -> list[tuple[str, object]]:
    """Hosts receive the raised classes and pause them; they send none."""
    rise = design.intent.roce.rise
    classes = [] if rise is None else [design.lossless.class_map.named(n) for n in rise.steps[1:]]
    return [
        (f"priority of {c.name} (received alone)", f"DSCP {c.dscps[0]} is priority {c.priority}")
        for c in classes
        if c is not None
    ]


def _way(group: HostGroup) -> str:
    if group.nic.driver == "mlx5":
        return "mlnx_qos, cma_roce_tos, sysfs"
    return "dcb, configfs; congestion control and CNP with the vendor's tool"


def _own_variables(groups: tuple[HostGroup, ...]) -> list[str]:
    lines = [
        f"- `{name}={value}` on the hosts of group {group.name}, from the inventory"
        for group in groups
        for name, value in group.env
    ]
    return ["Set by the user in place of or besides ours:", "", *lines, ""] if lines else []
