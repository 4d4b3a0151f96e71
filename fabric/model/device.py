"""What a template sees: one switch or one host, system-neutral, made on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.hardware import BufferPool, BufferProfile, Nic
    from fabric.model.intent import DeviceFacts, RocePolicy
    from fabric.model.platform import PlatformSpec
    from fabric.model.qos import ClassMap, LosslessProfile, QosChain, Watchdog
    from fabric.model.topology import Position
    from fabric.model.underlay import BgpSession, Speaker


@dataclass(frozen=True, slots=True)
class Interface:
    """A port of a switch. ``use``: ``host``, ``fabric`` or ``unused`` (then admin down).

    ``profile`` None: no lossless profile (system without PFC). ``chain`` names no device: ports
    alike of many switches have one.
    """

    name: str
    alias: str
    description: str
    use: str
    admin_up: bool
    speed_gbps: int
    mtu_bytes: int
    fec: str | None
    lanes: tuple[int, ...]
    number: int | None
    cage: int
    child: int
    children: int
    breakout: str | None
    addresses: tuple[str, ...]  # with length; v4 first
    unnumbered: bool
    peer_device: str | None
    peer_port: str | None
    cable_m: float
    profile: LosslessProfile | None
    chain: QosChain
    vlan: int | None = None
    lane_count: int | None = None  # None: not known
    lag: int | None = None  # number of the port-channel that it is a member of


@dataclass(frozen=True, slots=True)
class Svi:
    """A VLAN with an address on the leaf."""

    vlan: int
    addresses: tuple[str, ...]
    ports: tuple[str, ...]
    name: str = ""  # its interface, as the system calls it
    mtu_bytes: int = 0


@dataclass(frozen=True, slots=True)
class PortChannel:
    """A LACP port-channel towards a bond. QoS belongs to its members, addresses to it.

    ``mac``, ``lacp_key``: where the bond ends on two leaves, what both have in common. The MAC is
    the gateway's and the LACP system's; ``None``: the switch's own.
    """

    name: str
    number: int
    description: str
    ports: tuple[str, ...]
    addresses: tuple[str, ...]
    vlan: int | None
    mtu_bytes: int
    min_links: int
    mac: str | None = None
    lacp_key: int | None = None


@dataclass(frozen=True, slots=True)
class Buffers:
    """Pools and profiles of the SKU for this role; ``None`` in DeviceModel: not known."""

    pools: tuple[BufferPool, ...]
    profiles: tuple[BufferProfile, ...]
    table: str  # which published table, for the note


@dataclass(frozen=True, slots=True)
class DeviceModel:
    """One switch. Nothing in it depends on the system but names of ports and the buffer table."""

    fabric: str
    name: str
    role: str
    position: Position
    platform: PlatformSpec
    model_name: str
    asic: str
    asic_family: str
    sku: str | None
    sonic_platform: str | None
    pfc_to_pg_map: bool
    facts: DeviceFacts | None
    interfaces: tuple[Interface, ...]
    svis: tuple[Svi, ...]
    loopback_v4: str | None  # with /32
    loopback_v6: str | None
    speaker: Speaker
    sessions: tuple[BgpSession, ...]
    bgp_keepalive_s: int
    bgp_hold_s: int
    bfd: bool
    bgp_dscp: int
    class_map: ClassMap
    profiles: tuple[LosslessProfile, ...]
    buffers: Buffers | None
    watchdog: Watchdog
    load_balancing: str
    hash_seed: int
    routing_mode: str  # SONiC: split or unified
    management_address: str | None
    management_gateway: str | None
    management_interface: str
    extra: str | None
    lags: tuple[PortChannel, ...] = ()
    syntax: str | None = None  # family of the system's commands, where it has families

    @property
    def used_interfaces(self) -> tuple[Interface, ...]:
        """Ports with a cable."""
        return tuple(i for i in self.interfaces if i.use != "unused")


@dataclass(frozen=True, slots=True)
class HostNic:
    """One NIC of a host with what its scripts need."""

    index: int
    netdev: str
    rdma_device: str | None
    speed_gbps: int
    rail: int
    numa: int | None
    gpu: int | None
    leaf: str
    leaf_port: str
    addresses: tuple[str, ...]  # with length
    gateways: tuple[str, ...]  # the leaf's addresses, without length, same families
    table: int  # routing table number of this NIC
    cable_m: float
    on_link: tuple[str, ...] = ()  # prefixes that other hosts of the leaf share with it
    members: tuple[str, ...] = ()  # bond: the netdevs that have the cables
    second_leaf: str = ""  # dual-ToR: where the second member leads
    second_leaf_port: str = ""
    dual_tor: bool = False


@dataclass(frozen=True, slots=True)
class NameRange:
    """``count`` names that count up from ``prefix`` + ``first``; ``digits`` 0: not padded.

    ``first`` None: one name without a number, ``prefix`` itself.
    """

    prefix: str
    first: int | None
    digits: int
    count: int

    def name(self, index: int) -> str:
        """Return the name at ``index``, from 0; beyond ``count`` the next one of the series."""
        if self.first is None:
            return self.prefix if index == 0 else ""
        return f"{self.prefix}{self.first + index:0{self.digits}d}"

    @property
    def text(self) -> str:
        """As Slurm writes it: ``gpu-[1-64]``."""
        if self.first is None or self.count == 1:
            return self.name(0)
        low, high = (self.name(i)[len(self.prefix) :] for i in (0, self.count - 1))
        return f"{self.prefix}[{low}-{high}]"


@dataclass(frozen=True, slots=True)
class HostModel:
    """One host: its settings must agree with the switches'."""

    fabric: str
    name: str
    group: str
    nic: Nic
    nics: tuple[HostNic, ...]
    aggregates: tuple[str, ...]  # fabric's host prefixes, routed through each NIC's own table
    roce: RocePolicy
    class_map: ClassMap
    mtu_bytes: int
    gpus: int
    qps_per_connection: int
    cross_nic: int
    cross_nic_reason: str
    oob_interface: str
    network_config: str
    family: str  # ipv4, ipv6 or dual
    rdma_family: str  # ipv4 or ipv6: whose GIDs RDMA uses
    gid_range: str | None  # prefix that holds this fabric's host addresses of that family
    env: tuple[tuple[str, str], ...]
    load_balancing: str
    test_hosts: tuple[NameRange, ...] = ()  # of peers, those with as many GPUs, in rank order
    dcbx: str = "static"  # static, firmware or lldpad
