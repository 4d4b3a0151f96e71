"""A k-ary fat-tree as a topology with BGP, made in memory for the benchmarks."""

from __future__ import annotations

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
from fabric.model.underlay import Speaker, Underlay

_TOP_ASN, _POD_ASN, _EDGE_ASN = 4200000000, 4200000001, 4200001000
_SPEED_GBPS = 400


def fat_tree(k: int, *, pods: int | None = None) -> Topology:
    """The tree with one host an edge switch that has k/2 NIC ports; ``pods``: not all k of them.

    All cores stand, as many as k pods need.
    """
    half = k // 2
    count = k if pods is None else pods
    names = [f"p{n}" for n in range(k)]
    ports = tuple(
        Port(name, name, n, 0, 1, None, _SPEED_GBPS, (), None) for n, name in enumerate(names)
    )
    nics = tuple(HostPort(n, names[n], None, _SPEED_GBPS, 0, None, None) for n in range(half))
    switches = [
        Switch(f"core-{core}", "core", Position(2, None, core), ports)
        for core in range(half * half)
    ]
    hosts, links = [], []
    for pod in range(count):
        for i in range(half):
            edge, agg, host = f"edge-{pod}-{i}", f"agg-{pod}-{i}", f"host-{pod}-{i}"
            switches.append(Switch(edge, "edge", Position(0, pod, i), ports))
            switches.append(Switch(agg, "agg", Position(1, pod, i), ports))
            hosts.append(Host(host, "hosts", len(hosts), nics))
            for j in range(half):
                core = f"core-{i * half + j}"
                links += [
                    _link("host", j + 1, End(host, names[j]), End(edge, names[j])),
                    _link(
                        "edge-agg", 1, End(edge, names[half + j]), End(f"agg-{pod}-{j}", names[i])
                    ),
                    _link("agg-core", 1, End(agg, names[half + j]), End(core, names[pod])),
                ]
    shape = Shape(f"fat-tree k={k}", count * half * half, None, "")
    return Topology("fat-tree", tuple(switches), tuple(hosts), tuple(links), shape)


def _link(kind: str, ordinal: int, a: End, b: End) -> Link:
    return Link(link_id(a.device, b.device, ordinal), a, b, kind, _SPEED_GBPS, 3.0)


def rfc7938(topology: Topology) -> Underlay:
    """One ASN at the top, one for the middle tier of each pod, one for each edge switch."""
    speakers = []
    for n, switch in enumerate(topology.switches):
        where = switch.position
        asn = (_EDGE_ASN + n, _POD_ASN + (where.group or 0), _TOP_ASN)[where.tier]
        speakers.append(Speaker(switch.name, asn, "", ()))
    return Underlay(tuple(speakers), (), 3, 9, bfd=False, bgp_dscp=48, numbering="unnumbered")
