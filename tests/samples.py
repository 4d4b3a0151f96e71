"""Small hand-made values for tests of single rooms."""

from __future__ import annotations

from dataclasses import replace

from fabric.model.hardware import (
    Asic,
    BreakoutMode,
    BufferPool,
    BufferProfile,
    BufferTable,
    Cage,
    HeadroomRow,
    Nic,
    Sku,
    SwitchModel,
    XoffModel,
)
from fabric.model.intent import (
    AddressingPolicy,
    CableLengths,
    ConnectionPolicy,
    DeviceHardware,
    EcnPolicy,
    Hardware,
    HostGroup,
    Intent,
    ManagementPolicy,
    RocePolicy,
)
from fabric.model.names import link_id
from fabric.model.platform import Capabilities, FileSpec, PlatformSpec, WatchdogRange
from fabric.model.qos import ClassMap, Rise, TrafficClass, Watchdog
from fabric.model.topology import (
    End,
    Host,
    HostPort,
    Link,
    Port,
    Position,
    Shape,
    Switch,
    Topology,
)


def sample_spec(name: str = "sonic", *, lossless: bool = True) -> PlatformSpec:
    capabilities = Capabilities(
        lossless=lossless,
        ecn=lossless,
        watchdog=lossless,
        unnumbered=True,
        rate_cap=lossless,
        per_port_maps=lossless,
        load_balancing=("ecmp",),
        max_ecmp_paths=64,
        mtu_max_bytes=9216,
        mtu_counts_l2_header=False,
        max_lossless_priorities=2,
    )
    return PlatformSpec(
        name=name,
        title=name,
        kind="switch",
        template_version="1",
        os_versions=("202505",),
        confidence="read",
        experimental=False,
        netmiko_type="linux",
        files=(FileSpec("frr.conf", "/etc/frr/frr.conf", "frr.conf.j2", "text", "!"),),
        capabilities=capabilities,
        watchdog=WatchdogRange((100, 1000), (100, 5000), (100, 60000)) if lossless else None,
        name_max_length=63,
        owns=(),
        ignores=(),
    )


def sample_asic() -> Asic:
    return Asic(
        name="spectrum-2",
        vendor="NVIDIA",
        family="mellanox",
        cell_bytes=144,
        buffer_bytes=34_287_552,
        max_lossless_priorities=2,
        xoff_model=XoffModel(
            "nvidia", expansion=2.25, peer_response_bytes=3891, mac_phy_delay_bytes=819.2
        ),
        xon_bytes=19_456,
        xon_doubles_on_8_lanes=False,
        pfc_to_pg_map=True,
    )


def sample_sn3700() -> SwitchModel:
    modes = (
        BreakoutMode("1x200G[100G,50G,40G,25G,10G,1G]", 1, (200, 100, 50, 40, 25, 10), 4, "etp{c}"),
        BreakoutMode("2x100G[50G,25G,10G,1G]", 2, (100, 50, 25, 10), 2, "etp{c}{s}"),
    )
    cages = tuple(
        Cage(n, "QSFP56", 200, 4, tuple(range(4 * (n - 1), 4 * n)), 4 * (n - 1), modes)
        for n in range(1, 33)
    )
    rows = tuple(
        HeadroomRow(speed, cable, 19_456 + xoff, 19_456, xoff, 0)
        for speed, cable, xoff in (
            (100, 5, 33_792),
            (100, 40, 44_032),
            (100, 300, 117_760),
            (200, 5, 35_840),
            (200, 40, 55_296),
            (200, 300, 203_776),
        )
    )
    pools = (
        BufferPool("ingress_lossless_pool", "ingress", "dynamic", 14_542_848),
        BufferPool("ingress_lossy_pool", "ingress", "dynamic", 14_542_848),
        BufferPool("egress_lossless_pool", "egress", "dynamic", 34_287_552),
        BufferPool("egress_lossy_pool", "egress", "dynamic", 14_542_848),
    )
    profiles = (
        BufferProfile("ingress_lossless_profile", "ingress_lossless_pool", 0, dynamic_th=7),
        BufferProfile("ingress_lossy_profile", "ingress_lossy_pool", 0, dynamic_th=3),
        BufferProfile("egress_lossless_profile", "egress_lossless_pool", 0, dynamic_th=7),
        BufferProfile("egress_lossy_profile", "egress_lossy_pool", 9216, dynamic_th=7),
        BufferProfile("q_lossy_profile", "egress_lossy_pool", 0, dynamic_th=3),
    )
    tables = tuple(BufferTable(place, pools, profiles) for place in ("t0", "t1"))
    return SwitchModel(
        name="nvidia-sn3700",
        vendor="NVIDIA",
        asic=sample_asic(),
        cages=cages,
        usable_cages=tuple(range(1, 33)),
        skus=(Sku("ACS-MSN3700", rows, tables, (200,)),),
        default_sku="ACS-MSN3700",
        sonic_platform="x86_64-mlnx_msn3700-r0",
        max_logical_ports=None,
        naming=(("sonic", "Ethernet{number}"),),
        buffer_limit_bytes=None,
    )


def sample_nic(speed_gbps: int = 100) -> Nic:
    return Nic(
        name="connectx-6",
        vendor="NVIDIA",
        driver="mlx5",
        ports=((1, speed_gbps),),
        rdma_mtu_bytes=4096,
        default_roce_dscp=26,
        default_roce_priority=3,
        default_cnp_dscp=48,
        default_cnp_priority=6,
        trust_default="pcp",
        out_of_order=False,
    )


def sample_class_map() -> ClassMap:
    rest = tuple(d for d in range(64) if d not in (26, 48, 56))
    return ClassMap(
        (
            TrafficClass("default", rest, 0, 0, 0, 0, lossless=False, scheduler="dwrr", weight=50),
            TrafficClass("roce", (26,), 3, 3, 3, 3, lossless=True, scheduler="dwrr", weight=50),
            TrafficClass(
                "cnp", (48,), 6, 6, 6, 0, lossless=False, scheduler="strict", max_rate_percent=10
            ),
            TrafficClass("control", (56,), 7, 7, 7, 0, lossless=False, scheduler="strict"),
        )
    )


def sample_roce() -> RocePolicy:
    return RocePolicy(
        preset="nvidia",
        preset_source="linux-host reference",
        dscp=26,
        priority=3,
        cnp_dscp=48,
        cnp_priority=6,
        class_map=sample_class_map(),
        trust="dscp",
        ecn=EcnPolicy(None, None, 5, 20.0),
        watchdog=Watchdog(enabled=True, poll_ms=100, detect_ms=200, restore_ms=400, action="drop"),
        dynamic_th=None,
        switch_mtu_bytes=9216,
        host_mtu_bytes=9000,
        rdma_mtu_bytes=4096,
        rtt_us=20.0,
        bgp_dscp=56,
    )


def sample_rising_roce() -> RocePolicy:
    """RoCE on DSCP 26 and priority 3 rises to 34 and 4 on global cables."""
    rest = tuple(d for d in range(64) if d not in (26, 34, 48, 56))
    classes = (
        TrafficClass("default", rest, 0, 0, 0, 0, lossless=False, scheduler="dwrr", weight=34),
        TrafficClass("roce", (26,), 3, 3, 3, 3, lossless=True, scheduler="dwrr", weight=33),
        TrafficClass("roce-raised", (34,), 4, 4, 4, 4, lossless=True, scheduler="dwrr", weight=33),
        TrafficClass(
            "cnp", (48,), 6, 6, 6, 0, lossless=False, scheduler="strict", max_rate_percent=10
        ),
        TrafficClass("control", (56,), 7, 7, 7, 0, lossless=False, scheduler="strict"),
    )
    rise = Rise(("global",), ("roce", "roce-raised"), "a cycle of global and local cables")
    return replace(sample_roce(), class_map=ClassMap(classes), rise=rise)


def sample_intent(*, hosts: int = 4, platform: PlatformSpec | None = None) -> Intent:
    hardware = DeviceHardware(platform or sample_spec(), sample_sn3700(), "ACS-MSN3700")
    group = HostGroup(
        name="hosts",
        names=tuple(f"gpu-{n}" for n in range(hosts)),
        nics=1,
        nic=sample_nic(),
        speed_gbps=100,
        attach="single",
        port_mode="routed",
        netdevs=("rdma0",),
        rdma_devices=("mlx5_0",),
        rails=(0,),
        gpus=8,
        gpu_of_nic=(None,),
        numa_of_nic=(None,),
        qps_per_connection=4,
        cross_nic=None,
        oob_interface="eth0",
        network_config="netplan",
    )
    return Intent(
        name="sample",
        topology_kind="leaf-spine",
        topology_params=None,
        hardware=Hardware(hardware),
        host_groups=(group,),
        cables=CableLengths(5.0, (("leaf-spine", 40.0),)),
        fabric_speed_gbps=100,
        roce=sample_roce(),
        addressing=AddressingPolicy(
            family="ipv4",
            link_numbering="numbered",
            loopbacks_v4="10.255.0.0/16",
            loopbacks_v6=None,
            links_v4="10.254.0.0/16",
            links_v6=None,
            hosts_v4="10.0.0.0/12",
            hosts_v6=None,
            host_subnets="per-nic",
            asn_scheme="auto",
            asn_base=4_200_000_000,
            bgp_keepalive_s=3,
            bgp_hold_s=9,
            bfd=False,
            max_paths=64,
        ),
        management=ManagementPolicy("eth0", None),
        connection=ConnectionPolicy(),
        load_balancing="ecmp",
        hash_seeds=(("leaf", 10), ("spine", 25)),
        sonic_routing_mode="split",
        suppressions=(),
    )


def _ports(used: int) -> tuple[Port, ...]:
    """32 ports of 100G on unsplit 200G cages; the first ``used`` are in use."""
    return tuple(
        Port(
            name=f"Ethernet{4 * n}",
            alias=f"etp{n + 1}",
            cage=n + 1,
            child=0,
            children=1,
            breakout="1x200G[100G,50G,40G,25G,10G,1G]",
            speed_gbps=100,
            lane_numbers=tuple(range(4 * n, 4 * n + 4)),
            number=4 * n,
            used=n < used,
        )
        for n in range(32)
    )


def sample_topology(leaves: int = 2, spines: int = 2, per_leaf: int = 2) -> Topology:
    """Leaf-spine, one cable a pair, ports counted up from the first."""
    leaf_switches = tuple(
        Switch(f"leaf-{n}", "leaf", Position(0, None, n), _ports(per_leaf + spines))
        for n in range(leaves)
    )
    spine_switches = tuple(
        Switch(f"spine-{n}", "spine", Position(1, None, n), _ports(leaves)) for n in range(spines)
    )
    hosts = tuple(
        Host(f"gpu-{n}", "hosts", n, (HostPort(0, "rdma0", "mlx5_0", 100, 0, None, None),))
        for n in range(leaves * per_leaf)
    )
    links: list[Link] = []
    for n in range(leaves * per_leaf):
        leaf, slot = divmod(n, per_leaf)
        end = End(f"leaf-{leaf}", f"Ethernet{4 * slot}")
        links.append(
            Link(
                link_id(f"gpu-{n}", end.device, 1), End(f"gpu-{n}", "rdma0"), end, "host", 100, 5.0
            )
        )
    for leaf in range(leaves):
        for spine in range(spines):
            a = End(f"leaf-{leaf}", f"Ethernet{4 * (per_leaf + spine)}")
            b = End(f"spine-{spine}", f"Ethernet{4 * leaf}")
            links.append(Link(link_id(a.device, b.device, 1), a, b, "leaf-spine", 100, 40.0))
    shape = Shape("leaf-spine 2×2", leaves * per_leaf, None, "sample")
    return Topology("leaf-spine", (*leaf_switches, *spine_switches), hosts, tuple(links), shape)


def with_roce(intent: Intent, **changes: object) -> Intent:
    """The intent with fields of its RoCE policy replaced."""
    return replace(intent, roce=replace(intent.roce, **changes))  # type: ignore[arg-type]
