"""One host at a time: its NICs, addresses and what its software must be told."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from fabric.design.hosts.nics import host_nics
from fabric.design.hosts.ranges import name_ranges
from fabric.design.hosts.rdma import cross_nic, gid_range, islands
from fabric.model.device import HostModel

if TYPE_CHECKING:
    from fabric.model.addressing import HostSubnet
    from fabric.model.design import Design
    from fabric.model.device import NameRange
    from fabric.model.topology import Host


class HostModels:
    """Models of a design's hosts. What all hosts share is worked out once, so hosts stream."""

    def __init__(self, design: Design) -> None:
        self._design = design
        self._groups = {group.name: group for group in design.intent.host_groups}

    def of(self, name: str) -> HostModel:
        """Return the model of one host.

        Raises:
            KeyError: the design has no host of that name.
        """
        design = self._design
        host = design.topology.host(name)
        group = self._groups[host.group]
        nics = host_nics(design, host, self._subnets)
        crossing, reason = cross_nic(group, nics, self._islands)
        return HostModel(
            fabric=design.intent.name,
            name=name,
            group=group.name,
            nic=group.nic,
            nics=nics,
            aggregates=design.addressing.host_aggregates,
            roce=design.intent.roce,
            class_map=design.lossless.class_map,
            mtu_bytes=design.intent.roce.host_mtu_bytes,
            gpus=group.gpus,
            qps_per_connection=group.qps_per_connection,
            cross_nic=crossing,
            cross_nic_reason=reason,
            oob_interface=group.oob_interface,
            network_config=group.network_config,
            family=design.intent.addressing.family,
            rdma_family=design.intent.addressing.rdma_family,
            gid_range=self._gid_range,
            env=group.env,
            load_balancing=design.intent.load_balancing,
            test_hosts=self._test_hosts[group.gpus],
            dcbx=group.dcbx,
        )

    @cached_property
    def _ranked(self) -> tuple[Host, ...]:
        """Hosts leaf by leaf: a ring over the ranks then leaves each leaf once."""
        topology = self._design.topology
        place = {switch.name: n for n, switch in enumerate(topology.switches)}
        first_leaf = {
            host.name: min(
                (place[link.b.device] for link in topology.links_of(host.name)), default=0
            )
            for host in topology.hosts
        }
        return tuple(sorted(topology.hosts, key=lambda host: first_leaf[host.name]))

    @cached_property
    def _test_hosts(self) -> dict[int, tuple[NameRange, ...]]:
        """By GPUs per host: launchers want the same number of ranks on every host."""
        alike: dict[int, list[str]] = {group.gpus: [] for group in self._groups.values()}
        for host in self._ranked:
            alike[self._groups[host.group].gpus].append(host.name)
        return {gpus: name_ranges(names) for gpus, names in alike.items()}

    @cached_property
    def _subnets(self) -> dict[str, tuple[HostSubnet, ...]]:
        by_leaf: dict[str, list[HostSubnet]] = {}
        for subnet in self._design.addressing.host_subnets:
            by_leaf.setdefault(subnet.leaf, []).append(subnet)
        return {leaf: tuple(subnets) for leaf, subnets in by_leaf.items()}

    @cached_property
    def _gid_range(self) -> str | None:
        return gid_range(self._design.intent.addressing.rdma_family, self._design.addressing)

    @cached_property
    def _islands(self) -> dict[str, int]:
        return islands(self._design.topology)


def host_model(design: Design, name: str) -> HostModel:
    """Return the model of one host; for many of them keep one ``HostModels``.

    Raises:
        KeyError: the design has no host of that name.
    """
    return HostModels(design).of(name)
