"""From who is cabled to whom to which port: blueprint → topology.

Ports that lead down take cages from the first on, ports that lead up from the last on. The lock
keeps the port of every cable, so that no growth moves one: what is new takes free ports, and where
none is left a cage in use is split further, which leaves its first port where it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.cabling import cabling
from fabric.design.port_channels import port_channels
from fabric.design.port_families import Ported, families, give_ports
from fabric.design.port_lock import kept_places, lock_problems, place_rows
from fabric.model.finding import Problem, ProblemError
from fabric.model.topology import End, Host, HostPort, Link, Switch, Topology

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.design.cabling import Cable
    from fabric.model.addressing import Lock, LockRow
    from fabric.model.intent import HostGroup, Intent
    from fabric.model.topology import Blueprint, HostNode, Port, SwitchNode


def wire(
    blueprint: Blueprint, intent: Intent, lock: Lock | None
) -> tuple[Topology, tuple[LockRow, ...]]:
    """The topology with ports, and the lock's rows of pool ``port``.

    Raises:
        ProblemError: ports that run out (RCE101, RCE104), speeds, splits or ports that a model
            does not have (RCE103, RCE014), a system of which nobody knows the port names
            (RCE009), NICs of one name (RCE012), bonds on a system without port-channels
            (RCE023), a lock that contradicts itself (RCE206).
    """
    kept = kept_places(lock)
    cables = cabling(blueprint, intent, kept)
    ported = Ported()
    for family in families(blueprint, intent):
        give_ports(family, cables, lock, ported)
    found = (
        *_nic_problems(intent.host_groups),
        *(lock_problems(kept, cables.plugs()) if kept else ()),
        *ported.problems,
    )
    if found:
        # Leaves and spines of one model find the same fault with a speed.
        raise ProblemError(tuple(dict.fromkeys(found)))
    switches = tuple(_switch(node, ported.ports[node.name]) for node in blueprint.switches)
    hosts = _hosts(blueprint.hosts, intent.host_groups)
    links = tuple(_link(cable, ported) for cable in cables.cables)
    topology = Topology(
        kind=blueprint.kind,
        switches=switches,
        hosts=hosts,
        links=links,
        shape=blueprint.shape,
        lags=port_channels(switches, hosts, links, intent),
        route_policies=blueprint.route_policies,
    )
    return topology, (*ported.rows, *place_rows(ported.places))


def _nic_problems(groups: Sequence[HostGroup]) -> list[Problem]:
    return [
        Problem(
            "RCE012",
            ("hosts", number, "netdevs"),
            f"{group.name}: two NICs of a host have the same name",
            "give every NIC a name of its own",
            subject=group.name,
        )
        for number, group in enumerate(groups)
        if len({*group.netdevs, *group.member_netdevs})
        < len(group.netdevs) + len(group.member_netdevs)
    ]


def _switch(node: SwitchNode, ports: tuple[Port, ...]) -> Switch:
    return Switch(node.name, node.role, node.position, ports, node.asn, node.group_name)


def _hosts(nodes: Iterable[HostNode], groups: Sequence[HostGroup]) -> tuple[Host, ...]:
    """All hosts of a group with the same rails share their NICs."""
    group_of = {group.name: group for group in groups}
    ports_of: dict[tuple[str, tuple[int, ...]], tuple[HostPort, ...]] = {}
    hosts: list[Host] = []
    for node in nodes:
        key = (node.group, node.rails)
        if key not in ports_of:
            ports_of[key] = _host_ports(group_of[node.group], node.rails)
        hosts.append(Host(node.name, node.group, node.index, ports_of[key]))
    return tuple(hosts)


def _host_ports(group: HostGroup, rails: tuple[int, ...]) -> tuple[HostPort, ...]:
    return tuple(
        HostPort(
            index=nic,
            netdev=group.netdevs[nic],
            rdma_device=group.rdma_devices[nic],
            speed_gbps=group.speed_gbps,
            rail=(rails or group.rails)[nic],
            numa=group.numa_of_nic[nic],
            gpu=group.gpu_of_nic[nic],
            members=group.cabled(nic) if group.members > 1 else (),
        )
        for nic in range(group.nics)
    )


def _link(cable: Cable, ported: Ported) -> Link:
    near = cable.netdev if cable.a_want is None else ported.names[cable.a][cable.a_want]
    return Link(
        id=cable.id,
        a=End(cable.a, near),
        b=End(cable.b, ported.names[cable.b][cable.b_want]),
        kind=cable.kind,
        speed_gbps=cable.speed_gbps,
        length_m=cable.length_m,
        cable_id=cable.label,
        cable_type=cable.cable_type,
    )
