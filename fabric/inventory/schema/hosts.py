"""``hosts:`` — the servers, their NICs and how these are attached."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from fabric.inventory.schema.base import (
    EnvValue,
    Index,
    Interface,
    Interfaces,
    Name,
    Names,
    PositiveInt,
    Section,
    Speed,
)


class HostsSection(Section):
    """Hosts that are alike. One group, or a list of groups; absent: what the topology takes."""

    names: Names | None = Field(
        default=None,
        description='names, a range such as "gpu-[1-64]" or a list of them; or count and name',
    )
    count: Annotated[int, Field(ge=1, le=1_000_000)] | None = Field(
        default=None, description="number of hosts; default: as many as the topology takes"
    )
    name: str | None = Field(
        default=None, description='pattern for count, {n} from 0, {n:03} padded: "gpu-{n}"'
    )
    per_leaf: PositiveInt | None = Field(
        default=None, description="hosts on one leaf; default: the topology kind decides"
    )
    on: Names | None = Field(
        default=None, description="only on these switches, ranges allowed; default: all with hosts"
    )
    nics: Annotated[int, Field(ge=1, le=64)] | None = Field(
        default=None,
        description="fabric NICs of each host; default: the server's, else 1 (rail: rails)",
    )
    nic: str | None = Field(
        default=None, description="NIC model of the catalogue; default: generic of that speed"
    )
    speed: Speed | None = Field(
        default=None, description="Gb/s of each cable; default: the NIC's fastest, generic: 400"
    )
    server: str | None = Field(
        default=None,
        description="server model of the catalogue: fills gpus, nics, rdma_devices, numa and "
        "gpu_of_nic",
    )
    gpus: Annotated[int, Field(ge=0, le=64)] | None = Field(
        default=None, description="GPUs of each host; default: the server's, else 8"
    )
    netdevs: list[Interface] | None = Field(
        default=None,
        description="network device of each NIC as the host must call it; default: rdma0, rdma1, …",
    )
    rdma_devices: list[Name] | None = Field(
        default=None,
        description="verbs device of each NIC; default: the server's, else mlx5_0, … on mlx5 NICs",
    )
    rails: list[Index] | None = Field(
        default=None, description="rail of each NIC; default: 0, 1, 2, …"
    )
    numa: list[Index] | None = Field(
        default=None, description="NUMA node of each NIC; default: the server's, else not known"
    )
    gpu_of_nic: list[Index] | None = Field(
        default=None,
        description="GPU beside each NIC; default: the server's, else n by n where gpus = nics",
    )
    attach: Literal["single", "bond", "dual-tor"] = Field(
        default="single", description="a NIC is one port, a bond to one leaf, or a bond to two"
    )
    members: Annotated[int, Field(ge=2, le=8)] | None = Field(
        default=None, description="bond: cables of each NIC, which are all ports of a card; 2"
    )
    member_netdevs: list[Interface] | None = Field(
        default=None,
        description="bond: network devices with a cable, NIC after NIC; default: rdma0p0, …",
    )
    port: Literal["routed", "vlan"] = Field(
        default="routed", description="the leaf's port is routed, or sits in a VLAN with an SVI"
    )
    qps_per_connection: Annotated[int, Field(ge=1, le=128)] = Field(
        default=4, description="NCCL_IB_QPS_PER_CONNECTION: each is one path through ECMP"
    )
    cross_nic: Annotated[int, Field(ge=0, le=2)] | None = Field(
        default=None, description="NCCL_CROSS_NIC; default: decided by the topology"
    )
    oob_interface: Interfaces = Field(
        default="eth0", description="management interface of the hosts, for NCCL's bootstrap"
    )
    network_config: Literal["netplan", "ifupdown"] = Field(
        default="netplan", description="system that makes the hosts' network files take effect"
    )
    dcbx: Literal["static", "firmware", "lldpad"] = Field(
        default="static",
        description="who sets PFC on the NIC: this plan, or a willing DCBX of its firmware or of "
        "lldpad that follows the switch (no switch system here speaks DCBX)",
    )
    env: dict[str, EnvValue] = Field(
        default_factory=dict, description="further environment variables, {NCCL_DEBUG: INFO}"
    )
