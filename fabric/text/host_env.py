"""Variables for NCCL, UCX and NVSHMEM, and what a launcher of nccl-tests needs.

Sources: NVIDIA/nccl 5067397c src/misc/param.cc (how nccl.conf is read) and src/transport/net_ib;
openucx/ucx 9466d104 src/uct/ib; NVIDIA/nvshmem 2d7d25f env_defs.h.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.model.qos import tos_byte

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import HostModel


@dataclass(frozen=True, slots=True)
class Setting:
    """One variable. ``note`` has no equals sign: NCCL before 2.27 would take it for a variable."""

    name: str
    value: str
    note: str

    @property
    def quoted(self) -> str:
        """The value as one word of a shell."""
        return "'" + self.value.replace("'", "'\\''") + "'"


@dataclass(frozen=True, slots=True)
class Launch:
    """How many ranks run where. ``numa``: (NUMA node, local ranks as a shell pattern)."""

    hosts: int
    ranks_per_host: int
    numa: tuple[tuple[int, str], ...]


def nccl_settings(model: HostModel) -> tuple[Setting, ...]:
    """Return NCCL's variables, ours first, the user's values in place of ours."""
    users = dict(model.env)
    ours = [
        replace(setting, value=users[setting.name], note=_USERS)
        if setting.name in users
        else setting
        for setting in _nccl(model)
    ]
    names = {setting.name for setting in ours}
    extra = [Setting(name, value, _USERS) for name, value in model.env if name not in names]
    return (*ours, *extra)


_USERS = "from the inventory"


def _nccl(model: HostModel) -> Iterator[Setting]:
    tos = str(tos_byte(model.roce.dscp))
    devices = _devices(model)
    if devices:
        yield Setting(
            "NCCL_IB_HCA",
            "=" + ",".join(devices),
            "exactly these; without the leading sign mlx5_1 would take mlx5_10 too",
        )
    yield Setting(
        "NCCL_IB_TC",
        tos,
        "the whole byte, DSCP times 4, not the DSCP; unset is class 0, which is lossy",
    )
    yield Setting(
        "NCCL_IB_FIFO_TC", tos, "the receiver's small messages; 2.22 and 2.23 send them in class 0"
    )
    yield Setting(
        "NCCL_IB_SL", "0", "from 2.26 on it would follow the communicator's traffic class otherwise"
    )
    yield from _gid(model, "NCCL_IB_", "from 2.21 on; older ones need NCCL_IB_GID_INDEX")
    yield Setting(
        "NCCL_IB_QPS_PER_CONNECTION",
        str(model.qps_per_connection),
        "each queue pair is one UDP source port, so one path of ECMP",
    )
    yield Setting("NCCL_CROSS_NIC", str(model.cross_nic), model.cross_nic_reason)
    yield Setting(
        "NCCL_SOCKET_IFNAME",
        f"={model.oob_interface}",
        "bootstrap goes over management; exactly this name",
    )


def others_settings(model: HostModel) -> tuple[Setting, ...]:
    """Return the variables of UCX and NVSHMEM, which do not read NCCL's."""
    return tuple(_others(model))


def _others(model: HostModel) -> Iterator[Setting]:
    tos = str(tos_byte(model.roce.dscp))
    devices = _devices(model)
    if devices:
        yield Setting("UCX_NET_DEVICES", ",".join(f"{d}:1" for d in devices), "device and port")
    yield Setting(
        "UCX_IB_TRAFFIC_CLASS", tos, "the whole byte; by itself UCX takes the device's, else 106"
    )
    yield Setting(
        "NVSHMEM_IB_TRAFFIC_CLASS", tos, "the whole byte; unset is class 0, which is lossy"
    )
    yield Setting("NVSHMEM_IB_SL", "0", "priority follows the DSCP")
    yield from _gid(model, "NVSHMEM_IB_", "instead of a GID index")
    if model.rdma_family == "ipv6" and model.gid_range is not None:
        yield Setting(
            "UCX_IB_ROCE_SUBNETS",
            model.gid_range,
            "GIDs of this fabric's hosts; by itself UCX takes an IPv4 one first, and releases "
            "before this variable may take a link-local one",
        )
    yield Setting(
        "NVSHMEM_BOOTSTRAP_UID_SOCK_IFNAME", f"={model.oob_interface}", "bootstrap over management"
    )


def _gid(model: HostModel, prefix: str, note: str) -> Iterator[Setting]:
    """How to find the right GID: an index differs between hosts and moves with VLANs and VFs."""
    family = "AF_INET6" if model.rdma_family == "ipv6" else "AF_INET"
    yield Setting(f"{prefix}ROCE_VERSION_NUM", "2", f"GIDs of RoCE v2: {note}")
    yield Setting(f"{prefix}ADDR_FAMILY", family, "GIDs of this family")
    if model.gid_range is not None:
        yield Setting(f"{prefix}ADDR_RANGE", model.gid_range, "GIDs of this fabric's hosts")


def _devices(model: HostModel) -> tuple[str, ...]:
    """All RDMA devices, or none where the inventory leaves one open: half a list misleads."""
    names = tuple(nic.rdma_device for nic in model.nics)
    known = tuple(name for name in names if name is not None)
    return known if len(known) == len(names) else ()


def launch(model: HostModel) -> Launch | None:
    """Return how to start nccl-tests over all hosts like this one; ``None`` without GPUs."""
    if model.gpus == 0:
        return None
    hosts = sum(names.count for names in model.test_hosts)
    return Launch(hosts, model.gpus, _numa_of_ranks(model))


def _numa_of_ranks(model: HostModel) -> tuple[tuple[int, str], ...]:
    """NUMA node of each local rank, which is its GPU; empty unless known for every GPU."""
    node_of = {nic.gpu: nic.numa for nic in model.nics if nic.gpu is not None}
    ranks: dict[int, list[str]] = {}
    for gpu in range(model.gpus):
        node = node_of.get(gpu)
        if node is None:
            return ()
        ranks.setdefault(node, []).append(str(gpu))
    return tuple((node, " | ".join(gpus)) for node, gpus in sorted(ranks.items()))
