"""Hand-made designs with hosts: two leaves, two spines, NICs as asked for."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fabric.model.addressing import Addressing, InterfaceAddress, Lock
from fabric.model.design import Design
from fabric.model.names import link_id
from fabric.model.qos import (
    BufferFit,
    Derived,
    EcnProfile,
    Lossless,
    LosslessProfile,
    PortLossless,
    Term,
)
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
from fabric.model.underlay import Underlay
from tests.samples import sample_intent

if TYPE_CHECKING:
    from fabric.model.intent import HostGroup, Intent


@dataclass(frozen=True)
class Wanted:
    """What a test asks for. ``leaf_of_nic``: the leaf of each NIC of the hosts in turn."""

    leaf_of_nic: tuple[tuple[str, ...], ...] = (("leaf-0",), ("leaf-0",), ("leaf-1",), ("leaf-1",))
    spines: int = 2
    v4: bool = True
    v6: bool = False
    numa: bool = False
    group: tuple[tuple[str, object], ...] = ()
    names: tuple[str, ...] = ()

    @property
    def nics(self) -> int:
        return len(self.leaf_of_nic[0])

    @property
    def family(self) -> str:
        return {(True, False): "ipv4", (False, True): "ipv6", (True, True): "dual"}[
            self.v4, self.v6
        ]


def one_leaf(nics: int) -> Wanted:
    """Four hosts, two a leaf, all NICs of a host on its leaf."""
    return Wanted(tuple((f"leaf-{n // 2}",) * nics for n in range(4)))


def made_design(wanted: Wanted) -> Design:
    """A design of four hosts, addressed by hand: /31 and /127 per NIC from 10.0.0.0 and fd00::."""
    intent = _intent(wanted)
    topology = _topology(wanted, intent.host_groups[0])
    return Design(
        intent=intent,
        topology=topology,
        addressing=_addressing(wanted, topology),
        underlay=Underlay((), (), 3, 9, bfd=False, bgp_dscp=56, numbering="numbered"),
        lossless=_lossless(intent, topology),
    )


def _intent(wanted: Wanted) -> Intent:
    intent = sample_intent()
    nics = wanted.nics
    nodes = tuple(n // 4 if wanted.numa else None for n in range(nics))
    group = replace(
        intent.host_groups[0],
        names=wanted.names or intent.host_groups[0].names,
        nics=nics,
        netdevs=tuple(f"rdma{n}" for n in range(nics)),
        rdma_devices=tuple(f"mlx5_{n}" for n in range(nics)),
        rails=tuple(range(nics)),
        gpu_of_nic=tuple(n if wanted.numa else None for n in range(nics)),
        numa_of_nic=nodes,
    )
    group = replace(group, **dict(wanted.group))  # type: ignore[arg-type]
    addressing = replace(
        intent.addressing,
        family=wanted.family,
        hosts_v4="10.0.0.0/12" if wanted.v4 else None,
        hosts_v6="fd00::/48" if wanted.v6 else None,
    )
    return replace(intent, host_groups=(group,), addressing=addressing)


def _topology(wanted: Wanted, group: HostGroup) -> Topology:
    hosts = tuple(
        Host(
            name,
            group.name,
            n,
            tuple(
                HostPort(
                    i,
                    group.netdevs[i],
                    group.rdma_devices[i],
                    100,
                    group.rails[i],
                    group.numa_of_nic[i],
                    group.gpu_of_nic[i],
                )
                for i in range(wanted.nics)
            ),
        )
        for n, name in enumerate(group.names)
    )
    leaves = sorted({leaf for leaves in wanted.leaf_of_nic for leaf in leaves})
    used = dict.fromkeys(leaves, 0)
    links = []
    for host, its_leaves in zip(hosts, wanted.leaf_of_nic, strict=True):
        ordinal = dict.fromkeys(leaves, 0)
        for port, leaf in zip(host.ports, its_leaves, strict=True):
            ordinal[leaf] += 1
            end = End(leaf, f"p{used[leaf]}")
            used[leaf] += 1
            name = link_id(host.name, leaf, ordinal[leaf])
            links.append(Link(name, End(host.name, port.netdev), end, "host", 100, 4.5))
    for n in range(wanted.spines):
        for place, leaf in enumerate(leaves):
            a = End(leaf, f"p{used[leaf]}")
            used[leaf] += 1
            b = End(f"spine-{n}", f"p{place}")
            links.append(Link(link_id(leaf, b.device, 1), a, b, "leaf-spine", 100, 40.0))
    switches = (
        *(
            Switch(leaf, "leaf", Position(0, None, n), _ports(used[leaf]))
            for n, leaf in enumerate(leaves)
        ),
        *(
            Switch(f"spine-{n}", "spine", Position(1, None, n), _ports(len(leaves)))
            for n in range(wanted.spines)
        ),
    )
    shape = Shape("made", len(hosts), None, "made by hand")
    return Topology("leaf-spine", switches, hosts, tuple(links), shape)


def _ports(count: int) -> tuple[Port, ...]:
    return tuple(Port(f"p{n}", f"p{n}", n, 0, 1, None, 100, (), None) for n in range(count))


def _addressing(wanted: Wanted, topology: Topology) -> Addressing:
    interfaces = []
    for n, link in enumerate(topology.host_links):
        for end, offset in ((link.b, 0), (link.a, 1)):
            number = 2 * n + offset
            interfaces.append(
                InterfaceAddress(
                    end.device,
                    end.port,
                    f"10.0.0.{number}/31" if wanted.v4 else None,
                    f"fd00::{number + 0x10:x}/127" if wanted.v6 else None,
                )
            )
    aggregates = (*(["10.0.0.0/25"] if wanted.v4 else []), *(["fd00::/64"] if wanted.v6 else []))
    return Addressing(
        loopbacks=(),
        interfaces=tuple(interfaces),
        host_subnets=(),
        host_aggregates=aggregates,
        asns=(),
        asn_scheme="unique",
        asn_reason="made",
        pools=(),
        lock=Lock("sample"),
    )


def _lossless(intent: Intent, topology: Topology) -> Lossless:
    profile = LosslessProfile(
        name="leaf-100-5",
        role="leaf",
        asic="spectrum-2",
        speed_gbps=100,
        cable_m=4.5,
        configured_cable_m=5,
        mtu_bytes=9216,
        size_bytes=Derived(19_456, "B", "published row"),
        xoff_bytes=Derived(
            33_792,
            "B",
            "published row",
            (Term("xoff", 33_792, "B", "100G, 5 m", "ACS-MSN3700 row 100000 5m"),),
            "ACS-MSN3700 pg_profile_lookup.ini",
        ),
        xon_bytes=Derived(19_456, "B", "published row"),
        xon_offset_bytes=None,
        dynamic_th=0,
        floor_bytes=9_329,
        ecn=EcnProfile(Derived(400_000, "B", "formula"), Derived(1_600_000, "B", "formula"), 5),
        published=True,
        in_shared_headroom=False,
    )
    ports = tuple(
        PortLossless(link.b.device, link.b.port, profile.name) for link in topology.host_links
    )
    fits = tuple(
        BufferFit(switch.name, 202_752, None, 14_542_848, 34_287_552, "ok")
        for switch in topology.switches
        if switch.role == "leaf"
    )
    return Lossless(
        intent.roce.class_map,
        (profile,),
        ports,
        fits,
        intent.roce.watchdog,
        ("a note of the stage",),
    )
