"""From who is cabled to whom to which port: blueprint → topology.

Ports that lead down take cages from the first on, ports that lead up from the last on, so that
neither growing hosts nor growing spines move the other. Where a graph gives no natural positions
the lock keeps the ports, so that a cable added in the middle moves none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.design.cabling import cabling
from fabric.design.port_families import Ported, families, give_ports
from fabric.design.port_lock import kept_places, lock_problems
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
            (RCE009), NICs of one name (RCE012), a lock that contradicts itself (RCE206).
    """
    kept = kept_places(lock)
    cables = cabling(blueprint, intent, kept)
    ported = Ported()
    for family in families(blueprint, intent):
        give_ports(family, cables, lock, ported)
    found = (
        *_nic_problems(intent.host_groups),
        *lock_problems(kept, (cable.id for cable in cables.cables)),
        *ported.problems,
    )
    if found:
        # Leaves and spines of one model find the same fault with a speed.
        raise ProblemError(tuple(dict.fromkeys(found)))
    topology = Topology(
        kind=blueprint.kind,
        switches=tuple(_switch(node, ported.ports[node.name]) for node in blueprint.switches),
        hosts=_hosts(blueprint.hosts, intent.host_groups),
        links=tuple(_link(cable, ported) for cable in cables.cables),
        shape=blueprint.shape,
    )
    return topology, tuple(ported.rows)


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
        if len(set(group.netdevs)) < len(group.netdevs)
    ]


def _switch(node: SwitchNode, ports: tuple[Port, ...]) -> Switch:
    return Switch(node.name, node.role, node.position, ports, node.asn, node.group_name)


def _hosts(nodes: Iterable[HostNode], groups: Sequence[HostGroup]) -> tuple[Host, ...]:
    """All hosts of a group share their NICs."""
    ports_of = {group.name: _host_ports(group) for group in groups}
    return tuple(Host(n.name, n.group, n.index, ports_of[n.group]) for n in nodes)


def _host_ports(group: HostGroup) -> tuple[HostPort, ...]:
    return tuple(
        HostPort(
            index=nic,
            netdev=group.netdevs[nic],
            rdma_device=group.rdma_devices[nic],
            speed_gbps=group.speed_gbps,
            rail=group.rails[nic],
            numa=group.numa_of_nic[nic],
            gpu=group.gpu_of_nic[nic],
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
    )
