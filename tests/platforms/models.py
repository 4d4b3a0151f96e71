"""Small designs whose device models the tests of the systems render.

Two leaves, two spines, four cages a switch: cage 1 of a leaf is split for two hosts, cages 2 and 3
lead to the spines, cage 4 is unused; a spine's cages 1 and 2 lead to the leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.catalog import platform_spec
from fabric.design import addressing, lossless, underlay
from fabric.design.devices import DeviceModels
from fabric.design.port_channels import port_channels
from fabric.model.design import Design
from fabric.model.hardware import (
    Asic,
    BufferPool,
    BufferProfile,
    BufferTable,
    HeadroomRow,
    Sku,
    SwitchModel,
    XoffModel,
)
from fabric.model.intent import DeviceFacts, DeviceHardware, Hardware, Intent
from fabric.model.names import link_id
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
from fabric.text import Renderer
from tests.samples import sample_intent, sample_rising_roce, sample_sn3700

if TYPE_CHECKING:
    from fabric.model.device import DeviceModel

ROOT = Path(__file__).resolve().parents[2] / "templates"
WHOLE = "1x200G[100G,50G,40G,25G,10G,1G]"
HALVES = "2x100G[50G,25G,10G,1G]"


@dataclass(frozen=True)
class Case:
    """What is told apart; the rest follows from the samples."""

    platform: str = "sonic"
    numbering: str = "numbered"
    mode: str = "split"
    bfd: bool = False
    hardware: str = "sn3700"
    facts: DeviceFacts | None = None
    extra: str | None = None
    port: str = "routed"
    bond: bool = False
    dual_tor: bool = False
    family: str = "ipv4"
    rise: bool = False  # the cables between switches are global ones of a dragonfly

    def model(self, name: str) -> DeviceModel:
        return DeviceModels(design(self)).of(name)

    def files(self, name: str) -> dict[str, str]:
        return dict(_files(self, name))


@cache
def _files(case: Case, name: str) -> tuple[tuple[str, str], ...]:
    return tuple((f.name, f.text) for f in _renderer().device(case.model(name)).files)


@cache
def _renderer() -> Renderer:
    return Renderer((ROOT,))


def design(case: Case) -> Design:
    topology, intent = small_topology(case.hardware, rise=case.rise), _intent(case)
    if case.bond:
        topology = _bonded(topology, intent)
    if case.dual_tor:
        topology = _on_two_leaves(topology, intent)
    addresses = addressing.allocate(topology, intent, None)
    return Design(
        intent,
        topology,
        addresses,
        underlay.derive(topology, addresses, intent),
        lossless.derive(topology, intent),
    )


def _intent(case: Case) -> Intent:
    spec = platform_spec(case.platform, (ROOT,))
    intent = sample_intent(platform=spec)
    model = {"sn3700": sample_sn3700, "broadcom": broadcom, "unknown": unknown}[case.hardware]()
    hardware = DeviceHardware(spec, model, facts=case.facts, extra=case.extra)
    return replace(
        intent,
        roce=sample_rising_roce() if case.rise else intent.roce,
        hardware=Hardware(hardware),
        sonic_routing_mode=case.mode,
        host_groups=tuple(replace(group, port_mode=case.port) for group in intent.host_groups),
        addressing=replace(
            intent.addressing,
            link_numbering=case.numbering,
            bfd=case.bfd,
            family=case.family,
            loopbacks_v6="fd00:255::/64",
            links_v6="fd00:254::/64",
            hosts_v6="fd00:100::/56",
        ),
    )


def broadcom() -> SwitchModel:
    """Like the Dell Z9664F: lossy traffic in the lossless pool, shared headroom, static egress."""
    pools = (
        BufferPool("ingress_lossless_pool", "ingress", "dynamic", 113_620_296, 50_653_696),
        BufferPool("egress_lossless_pool", "egress", "static", 113_620_296),
    )
    profiles = (
        BufferProfile(
            "ingress_lossy_profile", "ingress_lossless_pool", 0, static_th_bytes=113_620_296
        ),
        BufferProfile(
            "egress_lossless_profile", "egress_lossless_pool", 0, static_th_bytes=113_620_296
        ),
        BufferProfile("egress_lossy_profile", "egress_lossless_pool", 0, dynamic_th=2),
    )
    rows = (
        HeadroomRow(100, 5, 9144, 9144, 129_032, 0, 9144),
        HeadroomRow(100, 40, 9144, 9144, 142_240, 0, 9144),
    )
    tables = tuple(BufferTable(place, pools, profiles) for place in ("t0", "t1"))
    asic = Asic(
        name="tomahawk4",
        vendor="Broadcom",
        family="broadcom",
        cell_bytes=254,
        buffer_bytes=113_620_296,
        max_lossless_priorities=2,
        xoff_model=XoffModel("linear", 3.024, fixed_bytes=20_600, response_s=2.15e-6, ns_per_m=10),
        xon_bytes=9144,
    )
    return replace(
        sample_sn3700(),
        name="dell-z9664f",
        vendor="Dell",
        asic=asic,
        skus=(Sku("DellEMC-Z9664f-O64", rows, tables, (100,)),),
        default_sku="DellEMC-Z9664f-O64",
        sonic_platform="x86_64-dell_z9664f-r0",
    )


def unknown() -> SwitchModel:
    """A generic model: neither SKU nor lanes."""
    return replace(
        broadcom(),
        name="generic",
        skus=(),
        default_sku=None,
        sonic_platform=None,
        cages=(),
        usable_cages=(),
        generic=True,
    )


def small_topology(hardware: str, *, rise: bool = False) -> Topology:
    kind = "global" if rise else "leaf-spine"
    lanes_known = hardware != "unknown"
    leaves = [
        Switch(f"leaf-{n}", "leaf", Position(0, None, n), _ports("hhup", lanes_known))
        for n in range(2)
    ]
    spines = [
        Switch(f"spine-{n}", "spine", Position(1, None, n), _ports("uu--", lanes_known))
        for n in range(2)
    ]
    hosts = tuple(
        Host(f"gpu-{n}", "hosts", n, (HostPort(0, "rdma0", "mlx5_0", 100, 0, None, None),))
        for n in range(4)
    )
    links = [
        _link(End(f"gpu-{n}", "rdma0"), End(f"leaf-{n // 2}", f"Ethernet{n % 2 * 2}"), "host", 5.0)
        for n in range(4)
    ]
    links += [
        _link(
            End(f"leaf-{leaf}", f"Ethernet{4 + 4 * spine}"),
            End(f"spine-{spine}", f"Ethernet{4 * leaf}"),
            kind,
            30.0,
        )
        for leaf in range(2)
        for spine in range(2)
    ]
    shape = Shape("leaf-spine 2×2", 4, None, "sample")
    return Topology("leaf-spine", (*leaves, *spines), hosts, tuple(links), shape)


def _bonded(topology: Topology, intent: Intent) -> Topology:
    """One host a leaf instead of two, with both cables in a bond."""
    nic = HostPort(0, "rdma0", "mlx5_bond_0", 100, 0, None, None, members=("rdma0p0", "rdma0p1"))
    hosts = tuple(Host(f"gpu-{n}", "hosts", n, (nic,)) for n in range(2))
    host_links = [
        replace(
            link,
            id=link_id(f"gpu-{n // 2}", link.b.device, n % 2 + 1),
            a=End(f"gpu-{n // 2}", nic.members[n % 2]),
        )
        for n, link in enumerate(topology.host_links)
    ]
    links = (*host_links, *topology.fabric_links)
    lags = port_channels(topology.switches, hosts, links, intent)
    return replace(topology, hosts=hosts, links=links, lags=lags)


def _on_two_leaves(topology: Topology, intent: Intent) -> Topology:
    """Two hosts with a bond each; its members lead to the same port of both leaves."""
    nic = HostPort(0, "rdma0", "mlx5_bond_0", 100, 0, None, None, members=("rdma0p0", "rdma0p1"))
    hosts = tuple(Host(f"gpu-{n}", "hosts", n, (nic,)) for n in range(2))
    host_links = [
        _link(End(f"gpu-{n}", nic.members[m]), End(f"leaf-{m}", f"Ethernet{2 * n}"), "host", 5.0)
        for n in range(2)
        for m in range(2)
    ]
    links = (*host_links, *topology.fabric_links)
    lags = port_channels(topology.switches, hosts, links, intent)
    return replace(topology, hosts=hosts, links=links, lags=lags)


def _link(a: End, b: End, kind: str, length_m: float) -> Link:
    return Link(link_id(a.device, b.device, 1), a, b, kind, 100, length_m)


def _ports(uses: str, lanes_known: bool) -> tuple[Port, ...]:
    """``hh`` on the first cage: split for two hosts. Four cages of four lanes."""
    split = uses.startswith("hh")
    first = (
        (_port(1, 0, 2, lanes_known), _port(1, 1, 2, lanes_known))
        if split
        else (_port(1, 0, 1, lanes_known),)
    )
    return (*first, *(_port(cage, 0, 1, lanes_known, used=cage < 4) for cage in (2, 3, 4)))


def _port(cage: int, child: int, children: int, lanes_known: bool, *, used: bool = True) -> Port:
    each = 4 // children
    start = 4 * (cage - 1) + each * child
    return Port(
        name=f"Ethernet{start}",
        alias=f"etp{cage}{'ab'[child]}" if children > 1 else f"etp{cage}",
        cage=cage,
        child=child,
        children=children,
        breakout=(HALVES if children > 1 else WHOLE) if lanes_known else None,
        speed_gbps=100,
        lane_numbers=tuple(range(start, start + each)) if lanes_known else (),
        number=start,
        used=used,
    )
