"""The inventory with every default filled in and every name resolved to its value."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.model.qos import FillLevels

if TYPE_CHECKING:
    from fabric.model.finding import Location, Suppression
    from fabric.model.hardware import BufferTable, HeadroomRow, Nic, ServerModel, SwitchModel
    from fabric.model.platform import PlatformSpec
    from fabric.model.qos import ClassMap, Rise, Watchdog


@dataclass(frozen=True, slots=True)
class DeviceHardware:
    """Model and system of one role or one device. ``sku`` None: the model's default.

    ``unknown``: ``model``, ``platform`` or both, where the user named one that there is not and a
    stand-in takes its place, only to look for what else is wrong.
    """

    platform: PlatformSpec
    model: SwitchModel
    sku: str | None = None
    os_version: str | None = None
    facts: DeviceFacts | None = None
    extra: str | None = None  # free snippet appended to the config
    unknown: tuple[str, ...] = ()
    syntax: str | None = None  # family of the system's commands; None: it has no families


@dataclass(frozen=True, slots=True)
class DeviceFacts:
    """What only the box knows, recorded in ``facts/<device>.json`` beside the inventory."""

    mac: str | None = None
    hwsku: str | None = None
    platform: str | None = None
    database_version: str | None = None
    lanes: tuple[tuple[str, tuple[int, ...]], ...] = ()
    source: str = ""
    buffers: BufferTable | None = None  # pools and stock profiles as the box has them
    headroom: tuple[HeadroomRow, ...] = ()  # its lossless profiles by speed and cable


@dataclass(frozen=True, slots=True)
class Hardware:
    """``default`` for every switch, ``roles`` over it, ``devices`` over both."""

    default: DeviceHardware
    roles: tuple[tuple[str, DeviceHardware], ...] = ()
    devices: tuple[tuple[str, DeviceHardware], ...] = ()

    def of(self, device: str, role: str) -> DeviceHardware:
        """The hardware of one switch: its own, else its role's, else the default."""
        for name, hardware in self.devices:
            if name == device:
                return hardware
        for name, hardware in self.roles:
            if name == role:
                return hardware
        return self.default


@dataclass(frozen=True, slots=True)
class HostGroup:
    """Hosts that are alike. Tuples by NIC are as long as ``nics``."""

    name: str
    names: tuple[str, ...]
    nics: int
    nic: Nic
    speed_gbps: int  # of each cable
    attach: str  # single, bond or dual-tor
    port_mode: str  # routed or vlan
    netdevs: tuple[str, ...]
    rdma_devices: tuple[str | None, ...]
    rails: tuple[int, ...]
    gpus: int
    gpu_of_nic: tuple[int | None, ...]
    numa_of_nic: tuple[int | None, ...]
    qps_per_connection: int
    cross_nic: int | None  # None: decided by the topology
    oob_interface: str  # management NIC, for NCCL's bootstrap
    network_config: str  # netplan or ifupdown
    per_leaf: int | None = None  # hosts on one leaf; None: the topology kind decides
    on: tuple[str, ...] = ()  # only on these switches; empty: every switch with hosts
    server: ServerModel | None = None
    env: tuple[tuple[str, str], ...] = ()  # the user's own NCCL variables
    dcbx: str = "static"  # firmware, lldpad: who follows the switch; static: nobody
    location: Location | None = field(default=None, compare=False)
    members: int = 1  # cables of each NIC; more than one: it is a bond
    member_netdevs: tuple[str, ...] = ()  # bond: those that have the cables, NIC after NIC

    @property
    def cables(self) -> int:
        """Cables of a host."""
        return self.nics * self.members

    @property
    def dual_tor(self) -> bool:
        """Whether the n-th member of every bond leads to the n-th leaf of a pair."""
        return self.attach == "dual-tor"

    def cabled(self, nic: int) -> tuple[str, ...]:
        """Netdevs that the cables of a NIC lead to."""
        first = nic * self.members
        return self.member_netdevs[first : first + self.members] or (self.netdevs[nic],)


@dataclass(frozen=True, slots=True)
class CableLengths:
    """Metres by link kind, ``default`` for the rest; per-cable lengths stand in the topology."""

    default_m: float
    by_kind: tuple[tuple[str, float], ...] = ()

    def of(self, kind: str) -> float:
        """Length of cables of this kind."""
        return dict(self.by_kind).get(kind, self.default_m)


# Juniper's validated AI fabric on QFX5240: fill-level [ 55 90 ], drop-probability [ 0 100 ]
# (Juniper/jvd, data_center/aidc/aiml_multitenancy_backend).
DEFAULT_FILL = FillLevels(55, 90, 100)


@dataclass(frozen=True, slots=True)
class EcnPolicy:
    """``None``: computed from speed and RTT, clamped below the pause threshold.

    ``fill``: for systems that count percent; ``fill_stated``: whether the inventory gives it.
    """

    kmin_bytes: int | None
    kmax_bytes: int | None
    pmax_percent: int
    rtt_us: float
    fill: FillLevels = DEFAULT_FILL
    fill_stated: bool = False


@dataclass(frozen=True, slots=True)
class RocePolicy:
    """The lossless policy, everything explicit."""

    preset: str
    preset_source: str
    dscp: int
    priority: int
    cnp_dscp: int
    cnp_priority: int
    class_map: ClassMap
    trust: str  # dscp
    ecn: EcnPolicy
    watchdog: Watchdog
    dynamic_th: int | None  # None: the SKU's row
    switch_mtu_bytes: int
    host_mtu_bytes: int
    rdma_mtu_bytes: int
    rtt_us: float
    xoff_bytes: int | None = None  # the user's own headroom for every port
    bgp_dscp: int = 48  # what the switches mark their own BGP packets with
    rise: Rise | None = None  # None: RoCE stays in one class
    location: Location | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class AddressingPolicy:
    """Pools and schemes. A pool is ``None`` where its family is not in use.

    ``loopbacks_v4`` gives the router ids as well, so it is there with IPv6 alone too.
    """

    family: str  # ipv4, ipv6 or dual
    link_numbering: str  # numbered or unnumbered
    loopbacks_v4: str | None
    loopbacks_v6: str | None
    links_v4: str | None
    links_v6: str | None
    hosts_v4: str | None
    hosts_v6: str | None
    host_subnets: str  # per-nic (/31 and /127) or per-leaf
    asn_scheme: str  # auto, rfc7938, unique or explicit
    asn_base: int
    bgp_keepalive_s: int
    bgp_hold_s: int
    bfd: bool
    max_paths: int
    location: Location | None = field(default=None, compare=False)
    rdma_in_dual: str | None = None  # ipv4 or ipv6; None: ipv4
    rail_aggregates: bool = False  # IPv4; IPv6 always has them

    @property
    def families(self) -> tuple[str, ...]:
        """Those in use, IPv4 first."""
        return ("ipv4", "ipv6") if self.family == "dual" else (self.family,)

    @property
    def has_v4(self) -> bool:
        """Whether ports and loopbacks have IPv4 addresses."""
        return self.family != "ipv6"

    @property
    def has_v6(self) -> bool:
        """Whether ports and loopbacks have IPv6 addresses."""
        return self.family != "ipv4"

    @property
    def rdma_family(self) -> str:
        """ipv4 or ipv6: whose addresses RDMA uses."""
        return (self.rdma_in_dual or "ipv4") if self.family == "dual" else self.family


@dataclass(frozen=True, slots=True)
class ManagementPolicy:
    """Out-of-band management. ``addresses``: per device, with prefix length. Never a secret."""

    interface: str
    gateway: str | None
    addresses: tuple[tuple[str, str], ...] = ()

    def address_of(self, device: str) -> str | None:
        """Management address of a device, if the inventory gives one."""
        return dict(self.addresses).get(device)


@dataclass(frozen=True, slots=True)
class DeviceConnection:
    """What is different for one device; ``None``: as for all. ``jump_host`` ``none``: direct."""

    device: str
    user: str | None = None
    port: int | None = None
    key_file: str | None = None
    jump_host: str | None = None
    cli: str | None = None


@dataclass(frozen=True, slots=True)
class ConnectionPolicy:
    """How to log in, by reference: names of keys, variables and commands, never a secret.

    ``None``: what ssh_config says, else the default of SSH. ``ask``: the password is typed at the
    terminal. ``jump_host``: as ProxyJump of ssh_config. ``ssh_config``: a file, ``none``, or
    ``None`` for the user's own. ``cli``: who speaks at a prompt, ``fabric`` or ``netmiko``.
    """

    user: str | None = None
    port: int | None = None
    key_file: str | None = None
    agent: bool = True
    password_env: str | None = None
    password_command: str | None = None
    keyring_service: str | None = None
    ask: bool = False
    jump_host: str | None = None
    ssh_config: str | None = None
    cli: str = "fabric"
    devices: tuple[DeviceConnection, ...] = ()

    def of(self, device: str) -> DeviceConnection:
        """What is different for this device."""
        found = (each for each in self.devices if each.device == device)
        return next(found, DeviceConnection(device))

    def cli_of(self, device: str) -> str:
        """Who speaks at the prompt of this device: ``fabric`` or ``netmiko``."""
        return self.of(device).cli or self.cli


@dataclass(frozen=True, slots=True)
class Targets:
    """What the bandwidth is meant to be; ``None``: nothing is.

    ``oversubscription``: most down / up capacity of a tier. ``effective_percent``: least mean rate
    of a NIC over random bisections with ``qps`` QPs a pair (``None``: as the hosts are set).
    ``worst_leaf_percent``: least uplink capacity of a leaf after any single failure.
    """

    oversubscription: float | None = None
    effective_percent: float | None = None
    qps: int | None = None
    worst_leaf_percent: float | None = None
    location: Location | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Intent:
    """What the user wants. ``topology_params``: the frozen ``Params`` of the topology kind."""

    name: str
    topology_kind: str
    topology_params: object
    hardware: Hardware
    host_groups: tuple[HostGroup, ...]
    cables: CableLengths
    fabric_speed_gbps: int  # of switch–switch cables unless the cable says otherwise
    roce: RocePolicy
    addressing: AddressingPolicy
    management: ManagementPolicy
    connection: ConnectionPolicy
    load_balancing: str  # ecmp, dlb, spray or adaptive
    hash_seeds: tuple[tuple[str, int], ...]  # by role
    sonic_routing_mode: str  # split or unified
    suppressions: tuple[Suppression, ...]
    racks: tuple[tuple[str, str], ...] = ()  # device → rack
    source: str = ""  # the inventory's name as the user gave it
    locations: tuple[tuple[str, str], ...] = ()  # device → place in its rack
    targets: Targets = Targets()

    def group(self, name: str) -> HostGroup:
        """The host group of that name."""
        return next(g for g in self.host_groups if g.name == name)
