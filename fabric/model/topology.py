"""Who is cabled to whom: first without ports (``Blueprint``), then with them (``Topology``)."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fabric.model.names import natural_key

if TYPE_CHECKING:
    import networkx as nx

    from fabric.model.underlay import RoutePolicies


@dataclass(frozen=True, slots=True)
class Position:
    """Where a switch stands. ``tier`` 0 has hosts, higher is nearer the top."""

    tier: int
    group: int | None  # pod, group or plane; None where the kind has none
    index: int  # within (tier, group), from 0


@dataclass(frozen=True, slots=True)
class SwitchNode:
    """A switch of the blueprint. ``role``: leaf, spine, edge, agg, core, router, switch."""

    name: str
    role: str
    position: Position
    asn: int | None = None  # written by the user
    group_name: str | None = None  # pod or group as the user wrote it


@dataclass(frozen=True, slots=True)
class CableNode:
    """``count`` parallel cables between switches ``a`` (lower tier) and ``b``.

    ``a_slot``/``b_slot``: position of the bundle among the ports of that end that lead the same
    way (up or down) in a first plan, later the lock keeps the port; the n-th cable of the bundle
    (from 0) takes ``slot + n·stride``. ``a_port``/``b_port``: named by the user (then ``count`` is
    1).
    """

    a: str
    b: str
    count: int
    speed_gbps: int
    length_m: float
    kind: str  # leaf-spine, edge-agg, agg-core, spine-core, local, global, same-tier, cable
    a_slot: int | None = None
    b_slot: int | None = None
    a_stride: int = 1
    b_stride: int = 1
    a_port: str | None = None
    b_port: str | None = None
    label: str = ""  # what the user tagged the cable with
    cable_type: str = ""  # DAC, AOC, a part number: as the user wrote it


@dataclass(frozen=True, slots=True)
class HostNode:
    """A host: its n-th cable leads to ``leaves[n]``, as number ``slots[n]`` of the host ports.

    Cables are counted NIC after NIC; a NIC has one, a bond as many as members.
    """

    name: str
    group: str  # name of the host group
    index: int  # within the host group
    leaves: tuple[str, ...]
    slots: tuple[int, ...]
    rails: tuple[int, ...] = ()  # of each NIC, where the kind says; empty: as the group says


@dataclass(frozen=True, slots=True)
class Shape:
    """Closed forms of a kind with nothing failed. ``None``: this kind has none.

    ``bisection_gbps``: min cut between equal halves of the endpoints, one direction
    (validation 2.1). ``oversubscription``: per tier name, down capacity / up capacity.
    ``symmetry``: per switch a label; switches of one label are interchangeable. ``islands``:
    parts that no cable joins, by design; hosts with a NIC in each join them.
    """

    title: str  # "fat-tree k=8, 4 of 8 pods"
    endpoints: int
    bisection_gbps: float | None
    bisection_note: str  # the form used, or why there is none
    oversubscription: tuple[tuple[str, float], ...] = ()
    symmetry: tuple[tuple[str, str], ...] = ()
    up_down: bool = True  # every shortest path goes up, then down
    islands: int = 1
    ordered: bool = False  # cables within a tier are crossed between up and down, once at most


@dataclass(frozen=True, slots=True)
class Blueprint:
    """What a topology kind yields: no ports yet.

    ``route_policies``: by role, for kinds whose paths are not those of plain BGP.
    """

    kind: str
    switches: tuple[SwitchNode, ...]
    cables: tuple[CableNode, ...]
    hosts: tuple[HostNode, ...]
    shape: Shape
    route_policies: RoutePolicies = ()


@dataclass(frozen=True, slots=True)
class Port:
    """A port of a switch, in panel terms and in the system's name.

    ``lane_numbers`` empty: not known (they are the box's). ``number``: N of EthernetN.
    """

    name: str
    alias: str
    cage: int
    child: int  # from 0
    children: int
    breakout: str | None  # mode text, e.g. 2x400G[200G,100G]
    speed_gbps: int
    lane_numbers: tuple[int, ...]
    number: int | None
    used: bool = True
    side: bool = False  # a management cage: on the box, but never for hosts or fabric links


@dataclass(frozen=True, slots=True)
class Switch:
    """A switch with its ports (used and unused, in panel order)."""

    name: str
    role: str
    position: Position
    ports: tuple[Port, ...]
    asn: int | None = None
    group_name: str | None = None


@dataclass(frozen=True, slots=True)
class HostPort:
    """One NIC port of a host: ``netdev`` as the kernel names it, ``rdma_device`` as verbs does."""

    index: int
    netdev: str
    rdma_device: str | None
    speed_gbps: int
    rail: int
    numa: int | None
    gpu: int | None
    members: tuple[str, ...] = ()  # bond: the netdevs that have the cables

    @property
    def cabled(self) -> tuple[str, ...]:
        """Netdevs that a cable leads to."""
        return self.members or (self.netdev,)


@dataclass(frozen=True, slots=True)
class Host:
    """A host with its fabric NICs."""

    name: str
    group: str
    index: int
    ports: tuple[HostPort, ...]


@dataclass(frozen=True, slots=True)
class End:
    """One end of a cable."""

    device: str
    port: str


@dataclass(frozen=True, slots=True)
class Link:
    """One cable. For a host link ``a`` is the host. Otherwise ``a`` is the lower tier."""

    id: str
    a: End
    b: End
    kind: str
    speed_gbps: int
    length_m: float
    cable_id: str = ""  # label given by the user
    cable_type: str = ""

    def other(self, device: str) -> End:
        """The end that is not on ``device``."""
        return self.b if self.a.device == device else self.a

    def end(self, device: str) -> End:
        """The end on ``device``."""
        return self.a if self.a.device == device else self.b


@dataclass(frozen=True, slots=True)
class Lag:
    """Ports of one switch that face the members of one bond. ``number`` is that of the name.

    ``pair``: the two leaves that a bond ends on, each with a port-channel of its own; empty: it
    ends on ``device`` alone. ``lacp_key``: what both say in LACP; ``None``: the system's own.
    """

    device: str
    name: str
    number: int
    ports: tuple[str, ...]
    host: str
    netdev: str  # the bond
    pair: tuple[str, ...] = ()
    lacp_key: int | None = None


class TopologyError(ValueError):
    """A topology that cannot exist; ``problems`` lists all of them."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__("; ".join(problems))
        self.problems = problems


@dataclass(frozen=True)
class Topology:
    """Switches, hosts and cables, checked on construction.

    Raises:
        TopologyError: a port used twice, an unknown device or port, ends of different speed,
            a duplicate name or link id.
    """

    kind: str
    switches: tuple[Switch, ...]
    hosts: tuple[Host, ...]
    links: tuple[Link, ...]
    shape: Shape
    lags: tuple[Lag, ...] = ()
    route_policies: RoutePolicies = ()
    _by_name: dict[str, Switch | Host] = field(init=False, repr=False, compare=False)
    _links_of: dict[str, tuple[Link, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        devices: tuple[Switch | Host, ...] = (*self.switches, *self.hosts)
        object.__setattr__(self, "_by_name", {device.name: device for device in devices})
        problems = [*self._name_problems(devices), *self._link_problems()]
        if problems:
            raise TopologyError(tuple(problems))
        links_of: dict[str, list[Link]] = {device.name: [] for device in devices}
        for link in self.links:
            links_of[link.a.device].append(link)
            links_of[link.b.device].append(link)
        object.__setattr__(
            self, "_links_of", {name: tuple(links) for name, links in links_of.items()}
        )

    @staticmethod
    def _name_problems(devices: tuple[Switch | Host, ...]) -> list[str]:
        counts = Counter(device.name for device in devices)
        return [f"{name} is the name of {n} devices" for name, n in counts.items() if n > 1]

    def _speeds(self, problems: list[str]) -> dict[tuple[str, str], int]:
        """Speed of every port; ports of one name on a device are problems."""
        speeds: dict[tuple[str, str], int] = {}
        ports = [(s.name, p.name, p.speed_gbps) for s in self.switches for p in s.ports]
        ports += [(h.name, d, p.speed_gbps) for h in self.hosts for p in h.ports for d in p.cabled]
        for device, port, speed_gbps in ports:
            if (device, port) in speeds:
                problems.append(f"{device} has two ports called {port}")
            speeds[device, port] = speed_gbps
        return speeds

    def _link_problems(self) -> list[str]:
        problems: list[str] = []
        speeds = self._speeds(problems)
        taken: dict[tuple[str, str], str] = {}
        counts = Counter(link.id for link in self.links)
        problems += [f"link id {name} is used {n} times" for name, n in counts.items() if n > 1]
        for link in self.links:
            for end in (link.a, link.b):
                key = (end.device, end.port)
                if key not in speeds:
                    problems.append(f"{link.id}: {end.device} has no port {end.port}")
                elif speeds[key] != link.speed_gbps:
                    problems.append(
                        f"{link.id}: {end.device} {end.port} runs at {speeds[key]}G, "
                        f"the cable at {link.speed_gbps}G"
                    )
                if key in taken:
                    problems.append(
                        f"{end.device} {end.port} is used by {taken[key]} and by {link.id}"
                    )
                taken[key] = link.id
        return problems

    def switch(self, name: str) -> Switch:
        """The switch of that name.

        Raises:
            KeyError: there is none.
        """
        device = self._by_name[name]
        if not isinstance(device, Switch):
            raise KeyError(name)
        return device

    def host(self, name: str) -> Host:
        """The host of that name.

        Raises:
            KeyError: there is none.
        """
        device = self._by_name[name]
        if not isinstance(device, Host):
            raise KeyError(name)
        return device

    def is_switch(self, name: str) -> bool:
        """Whether ``name`` is a switch."""
        return isinstance(self._by_name.get(name), Switch)

    def links_of(self, name: str) -> tuple[Link, ...]:
        """The cables of a device.

        Raises:
            KeyError: no such device.
        """
        return self._links_of[name]

    def link_at(self, device: str, port: str) -> Link | None:
        """The cable in that port, if any."""
        return next((x for x in self.links_of(device) if x.end(device).port == port), None)

    @cached_property
    def _lags(self) -> dict[tuple[str, str], tuple[Lag, ...]]:
        found: dict[tuple[str, str], tuple[Lag, ...]] = {}
        for lag in self.lags:
            key = (lag.host, lag.netdev)
            found[key] = (*found.get(key, ()), lag)
        return found

    def lags_of(self, host: str, netdev: str) -> tuple[Lag, ...]:
        """The port-channels that face a bond: one, or one on each leaf of a pair."""
        return self._lags.get((host, netdev), ())

    def lag_of(self, host: str, netdev: str) -> Lag | None:
        """The port-channel that faces a bond, of a pair the first's; ``None``: the NIC is none."""
        return next(iter(self.lags_of(host, netdev)), None)

    @cached_property
    def fabric_links(self) -> tuple[Link, ...]:
        """Cables between switches."""
        return tuple(x for x in self.links if self.is_switch(x.a.device))

    @cached_property
    def host_links(self) -> tuple[Link, ...]:
        """Cables between a host and a switch."""
        return tuple(x for x in self.links if not self.is_switch(x.a.device))

    @cached_property
    def graph(self) -> nx.MultiGraph[str]:
        """A frozen networkx MultiGraph.

        Nodes: device names; attributes ``kind`` (``switch`` or ``host``), ``role``, ``tier``,
        ``group``, ``index`` (hosts: role ``host``, tier −1). Edges: cables, keyed by link id;
        attributes ``ports`` ({device: port}), ``speed_gbps``, ``length_m``, ``kind``.
        """
        import networkx as nx  # noqa: PLC0415 — 0.3 s that a plan does not need

        graph: nx.MultiGraph[str] = nx.MultiGraph(name=self.kind)
        for switch in self.switches:
            where = switch.position
            graph.add_node(
                switch.name,
                kind="switch",
                role=switch.role,
                tier=where.tier,
                group=where.group,
                index=where.index,
            )
        for host in self.hosts:
            graph.add_node(
                host.name, kind="host", role="host", tier=-1, group=None, index=host.index
            )
        for link in self.links:
            graph.add_edge(
                link.a.device,
                link.b.device,
                key=link.id,
                ports={link.a.device: link.a.port, link.b.device: link.b.port},
                speed_gbps=link.speed_gbps,
                length_m=link.length_m,
                kind=link.kind,
            )
        frozen: nx.MultiGraph[str] = nx.freeze(graph)
        return frozen

    def switches_in_order(self) -> list[Switch]:
        """Switches by tier, then in natural order of their names."""
        return sorted(self.switches, key=lambda s: (s.position.tier, natural_key(s.name)))
