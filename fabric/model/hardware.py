"""Hardware facts as values: ASICs, switch models, NICs. Every block carries its source."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Confidence(StrEnum):
    """How sure a figure is."""

    MEASURED = "measured"
    READ = "read"
    VENDOR_DOC = "vendor-doc"
    THIRD_PARTY = "third-party"
    DERIVED = "derived"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a figure comes from."""

    text: str
    confidence: Confidence


@dataclass(frozen=True, slots=True)
class XoffModel:
    """Parameters of the headroom formula of one ASIC.

    ``form``: ``nvidia`` (⌈(1024 + E·(MTU + 2·L·R/v + mac_phy + peer + T))/1024⌉·1024),
    ``linear`` (E·(fixed_bytes + R·response_s + ns_per_m·L·R)) or
    ``generic`` (2·MTU + 124 + 2·L·R/v + quanta·64, no cell expansion).
    """

    form: str
    expansion: float = 1.0  # E: worst-case cell expansion
    peer_response_bytes: int | None = None  # None: 802.3 pause quanta of the speed
    mac_phy_delay_bytes: float = 0.0
    tile_bytes_per_gbps: float = 0.0  # T = speed · this
    fixed_bytes: float = 0.0
    response_s: float = 0.0
    ns_per_m: float = 0.0
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Asic:
    """A switching chip. ``None`` = not known."""

    name: str
    vendor: str
    family: str
    cell_bytes: int | None
    buffer_bytes: int | None  # largest pool or static limit seen configured on the chip
    max_lossless_priorities: int
    xoff_model: XoffModel
    xon_bytes: int | None  # below: XON; ×2 on 8-lane ports where xon_doubles_on_8_lanes
    xon_doubles_on_8_lanes: bool = False
    pfc_to_pg_map: bool = False  # SONiC writes that map for this family
    source: Source | None = None
    max_port_headroom_bytes: int | None = None  # sum over the lossless priorities of one port


@dataclass(frozen=True, slots=True)
class HeadroomRow:
    """One published row: what a port of this speed and cable needs; alpha = 2^threshold."""

    speed_gbps: int
    cable_m: int
    size_bytes: int
    xon_bytes: int
    xoff_bytes: int
    threshold: int
    xon_offset_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class BufferPool:
    """A shared buffer pool of a chip as the system configures it."""

    name: str
    direction: str  # ingress, egress or both
    mode: str  # dynamic or static
    size_bytes: int
    xoff_bytes: int | None = None  # shared headroom


@dataclass(frozen=True, slots=True)
class BufferProfile:
    """A named share of a pool; exactly one of ``dynamic_th`` (alpha = 2^n) and ``static_th``."""

    name: str
    pool: str
    size_bytes: int
    dynamic_th: int | None = None
    static_th_bytes: int | None = None
    xon_bytes: int | None = None
    xoff_bytes: int | None = None
    xon_offset_bytes: int | None = None


_LOSSLESS_POOL = "ingress_lossless_pool"
_REFERRED = {"ingress_lossy_profile", "egress_lossless_profile", "egress_lossy_profile"}


@dataclass(frozen=True, slots=True)
class BufferTable:
    """Pools and stock profiles of a SKU in one place in the fabric (``t0`` leaf, ``t1`` above)."""

    place: str
    pools: tuple[BufferPool, ...]
    profiles: tuple[BufferProfile, ...]

    @property
    def is_complete(self) -> bool:
        """Whether it has the pool and the profiles that rows of ports refer to.

        Some published tables get them from elsewhere on the box, so they are not known from it.
        """
        names = {profile.name for profile in self.profiles}
        return names >= _REFERRED and any(pool.name == _LOSSLESS_POOL for pool in self.pools)


@dataclass(frozen=True, slots=True)
class BreakoutMode:
    """One way to split a cage, in SONiC's words: ``2x400G[200G,100G]``."""

    text: str
    children: int
    speeds_gbps: tuple[int, ...]  # each child can run at any of these; first = the mode's own
    lanes_each: int
    alias: str  # pattern; {c} cage, {n} child from 1, {s} child letter; empty: port name
    switchable: bool = True  # False: the SKU's fixed split; the box offers no breakout to choose


@dataclass(frozen=True, slots=True)
class Cage:
    """A front-panel cage. ``lanes`` are absolute lane numbers in child order; empty = not known."""

    number: int
    kind: str
    speed_gbps: int
    lane_count: int
    lanes: tuple[int, ...] = ()
    first_port_number: int | None = None  # N of SONiC's EthernetN of the unsplit port
    modes: tuple[BreakoutMode, ...] = ()
    names: tuple[tuple[str, str], ...] = ()  # (system, name of the unsplit port there)


@dataclass(frozen=True, slots=True)
class SkuPorts:
    """How a SKU itself splits some cages: ``children`` ports of ``speed_gbps`` in each."""

    cages: tuple[int, ...]
    children: int
    speed_gbps: int
    lanes_each: int
    alias: str  # pattern, as in BreakoutMode; {c1} cage + 1, {l} the child's first lane, from 1
    first_child: int = 1  # number of the first of them in its cage
    # Where this SKU numbers its ports otherwise than the cages do; empty or None: as the cages.
    port_numbers: tuple[int, ...] = ()  # by cage, N of EthernetN of the first child
    port_number_step: int | None = None  # from child to child; None: lanes_each
    first_lanes: tuple[int, ...] = ()  # by cage, lane of the first child
    lane_order: tuple[int, ...] = ()  # by child, its lane counted from the cage's first


@dataclass(frozen=True, slots=True)
class Sku:
    """A hardware SKU: headroom and pools belong to it, not to the model."""

    name: str
    headroom: tuple[HeadroomRow, ...]
    buffers: tuple[BufferTable, ...]
    port_speeds_gbps: tuple[int, ...]  # of its usable ports, fastest first
    ports: tuple[SkuPorts, ...] = ()  # its own split, management cages included


@dataclass(frozen=True, slots=True)
class SwitchModel:
    """A switch. ``cages`` is empty for ``generic``: as many ports as are used, of any speed.

    ``usable_cages``: numbers of the cages for hosts and fabric links (management SFPs left out).
    ``naming``: pairs (system, "unsplit pattern|split pattern"); ``{c}`` cage, ``{n}`` child from 1,
    ``{n0}`` child from 0, ``{s}`` child letter, ``{number}`` N of SONiC's EthernetN.
    """

    name: str
    vendor: str
    asic: Asic
    cages: tuple[Cage, ...]
    usable_cages: tuple[int, ...]
    skus: tuple[Sku, ...]
    default_sku: str | None
    sonic_platform: str | None
    max_logical_ports: int | None
    naming: tuple[tuple[str, str], ...]
    buffer_limit_bytes: int | None  # of this model, where a file states one; else the ASIC's
    generic: bool = False
    source: Source | None = None
    max_ports_per_pipeline: int | None = None  # the chip's limit on ports of cages that share one
    pipelines: tuple[tuple[int, ...], ...] = ()  # cages by pipeline; empty: not known
    syntax: tuple[tuple[str, str], ...] = ()  # (system, its syntax family on this box)

    def sku(self, name: str | None) -> Sku | None:
        """The SKU of that name, the default one for ``None``; ``None`` when there is none."""
        wanted = name or self.default_sku
        return next((sku for sku in self.skus if sku.name == wanted), None)


@dataclass(frozen=True, slots=True)
class Nic:
    """A network adapter. ``ports`` are alternatives (count, speed_gbps)."""

    name: str
    vendor: str
    driver: str  # mlx5, bnxt, … or generic
    ports: tuple[tuple[int, int], ...]
    rdma_mtu_bytes: int
    default_roce_dscp: int | None
    default_roce_priority: int | None
    default_cnp_dscp: int | None
    default_cnp_priority: int | None
    trust_default: str | None
    out_of_order: bool  # tolerates packet spraying, by a source that was read
    generic: bool = False
    source: Source | None = None

    @property
    def speeds_gbps(self) -> tuple[int, ...]:
        """Port speeds that this adapter can be bought with."""
        return tuple(sorted({speed for _, speed in self.ports}, reverse=True))


@dataclass(frozen=True, slots=True)
class ServerModel:
    """Which NIC sits by which GPU and NUMA node; indexes by NIC."""

    name: str
    gpus: int
    nics: int
    rdma_devices: tuple[str, ...]
    numa_of_nic: tuple[int, ...]
    gpu_of_nic: tuple[int, ...]
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class CableType:
    """A cable or transceiver. Lengths in metres; ``speed_gbps`` is that of the whole plug."""

    name: str
    kind: str  # dac, acc, aoc or transceiver
    speed_gbps: int
    lane_count: int
    plug: str
    max_m: float | None  # None: not known
    min_m: float | None = None
    lengths_m: tuple[float, ...] = ()  # as sold; empty: not known
    far_plug: str | None = None  # of each leg, where it differs
    legs: int = 1
    fec: str | None = None
    source: Source | None = None
