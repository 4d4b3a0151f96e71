"""What the templates of a Linux host are given besides the model itself."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.qos import tos_byte
from fabric.text.host_env import launch, nccl_settings, others_settings
from fabric.text.host_qos import dcb_words, dscp_priorities, pfc_list

if TYPE_CHECKING:
    from fabric.model.device import HostModel, HostNic
    from fabric.model.hardware import Nic

_ECT_0 = 2  # RFC 3168: ECN-capable


@dataclass(frozen=True, slots=True)
class Marking:
    """The spellings of one marking: DSCP, whole bytes, priority."""

    dscp: int
    priority: int
    tos: int
    tos_ect: int
    cnp_dscp: int
    cnp_priority: int
    cnp_tos: int


@dataclass(frozen=True, slots=True)
class Route:
    """A route of one NIC's own table. ``family``: 4 or 6; ``via`` empty: on the link itself."""

    family: int
    to: str
    via: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Packets from this address look up the NIC's own table."""

    family: int
    address: str


@dataclass(frozen=True, slots=True)
class NicWords:
    """One NIC as the files of a host spell it; ``cable_m`` rounded up to whole metres."""

    netdev: str
    rdma_device: str | None
    leaf: str
    leaf_port: str
    addresses: tuple[str, ...]
    table: int
    rules: tuple[Rule, ...]
    routes: tuple[Route, ...]
    cable_m: int
    numa: int | None
    members: tuple[str, ...] = ()  # bond: the netdevs that have the cables
    dual_tor: bool = False
    second: str = ""  # dual-ToR: the second leaf and its port


@dataclass(frozen=True, slots=True)
class Note:
    """A setting that this adapter has no confirmed command for."""

    what: str
    why: str


def own_words(model: HostModel) -> dict[str, object]:
    """What the templates of ``linux`` use of one host: ``nics`` and ``families``."""
    nics = tuple(_nic(nic, model.aggregates) for nic in model.nics)
    return {"nics": nics, "families": families(model)}


def families(model: HostModel) -> list[int]:
    """Address families in use, 4 before 6."""
    return sorted({_family(address) for nic in model.nics for address in nic.addresses})


def common_words(model: HostModel) -> dict[str, object]:
    """What they use besides ``host`` and that hosts of a group have in common.

    They are ``marking``, ``bonds``, ``dual_tor``, ``netdevs``, ``mlx5``, ``tools``,
    ``dscp_priorities``, ``pfc_list``, ``dcb``, ``driver_notes``, ``nccl``, ``others`` and
    ``launch``.
    """
    mlx5 = model.nic.driver == "mlx5"
    return {
        "marking": _marking(model),
        "bonds": any(nic.members for nic in model.nics),
        "dual_tor": any(nic.dual_tor for nic in model.nics),
        "netdevs": [name for nic in model.nics for name in (nic.netdev, *nic.members)],
        "mlx5": mlx5,
        "tools": f"ip ethtool pgrep {'mlnx_qos cma_roce_mode cma_roce_tos' if mlx5 else 'dcb'}",
        "dscp_priorities": dscp_priorities(model.class_map, model.roce, mlx5=mlx5),
        "pfc_list": pfc_list(model.class_map),
        "dcb": dcb_words(model.class_map),
        "driver_notes": () if mlx5 else (_cnp_note(model),),
        "nccl": nccl_settings(model),
        "others": others_settings(model),
        "launch": launch(model),
    }


def _marking(model: HostModel) -> Marking:
    roce = model.roce
    return Marking(
        dscp=roce.dscp,
        priority=roce.priority,
        tos=tos_byte(roce.dscp),
        tos_ect=tos_byte(roce.dscp, _ECT_0),
        cnp_dscp=roce.cnp_dscp,
        cnp_priority=roce.cnp_priority,
        cnp_tos=tos_byte(roce.cnp_dscp),
    )


def _nic(nic: HostNic, aggregates: tuple[str, ...]) -> NicWords:
    return NicWords(
        netdev=nic.netdev,
        rdma_device=nic.rdma_device,
        leaf=nic.leaf,
        leaf_port=nic.leaf_port,
        addresses=nic.addresses,
        table=nic.table,
        rules=tuple(Rule(_family(a), a.partition("/")[0]) for a in nic.addresses),
        routes=(
            *(Route(_family(prefix), prefix, "") for prefix in nic.on_link),
            *(
                Route(_family(prefix), prefix, gateway)
                for prefix in aggregates
                for gateway in nic.gateways
                if _family(prefix) == _family(gateway)
            ),
        ),
        cable_m=math.ceil(nic.cable_m),
        numa=nic.numa,
        members=nic.members,
        dual_tor=nic.dual_tor,
        second=f"{nic.second_leaf} {nic.second_leaf_port}" if nic.dual_tor else "",
    )


def _family(address: str) -> int:
    return 6 if ":" in address else 4


def _cnp_note(model: HostModel) -> Note:
    roce = model.roce
    wanted = f"should be DSCP {roce.cnp_dscp}, priority {roce.cnp_priority}"
    return Note(
        f"congestion control and CNP ({wanted})",
        f"the kernel has no common setting; use the vendor's tool{_default_text(model.nic)}",
    )


def _default_text(nic: Nic) -> str:
    if nic.generic or nic.default_cnp_dscp is None:
        return ""
    priority = nic.default_cnp_priority
    also = "" if priority is None else f", priority {priority}"
    return f" (by default {nic.name} has DSCP {nic.default_cnp_dscp}{also})"
