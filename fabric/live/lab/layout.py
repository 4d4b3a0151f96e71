"""What a lab consists of: nodes, their ports and cables, and what BGP is to look like.

A layout is plain data: it is the lab's memory on disk, so that a lab can be asked, broken and taken
down without its inventory.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

SEPARATOR = ":"  # no name of a fabric or device has one, so no lab's names start with another's


@dataclass(frozen=True, slots=True)
class Port:
    """One end of a cable. ``netdev``: what the kernel calls the port called ``name``."""

    name: str
    netdev: str
    link: str
    peer: str
    peer_netdev: str
    mtu_bytes: int
    addresses: tuple[str, ...] = ()  # with length


@dataclass(frozen=True, slots=True)
class Peer:
    """A BGP session as FRR lists it: by address, or by netdev where there is none."""

    key: str
    device: str
    asn: int
    netdev: str
    families: tuple[str, ...]  # of ipv4, ipv6


@dataclass(frozen=True, slots=True)
class Node:
    """A switch or a host. ``management``: without length. ``prefixes``: what it announces."""

    name: str
    kind: str  # switch or host
    namespace: str
    management: str
    ports: tuple[Port, ...]
    peers: tuple[Peer, ...] = ()
    asn: int | None = None
    loopbacks: tuple[str, ...] = ()
    prefixes: tuple[str, ...] = ()
    bfd: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether it forwards."""
        return self.kind == "switch"

    @property
    def addresses(self) -> tuple[str, ...]:
        """All of them: management, loopbacks, ports; with length where it is not the whole."""
        own = (*self.loopbacks, *(a for port in self.ports for a in port.addresses))
        return tuple(dict.fromkeys((self.management, *own)))

    def port(self, word: str) -> Port | None:
        """The port of that name or netdev."""
        return next((p for p in self.ports if word in (p.name, p.netdev)), None)


@dataclass(frozen=True)
class Layout:
    """A whole lab. ``stands_in``: titles of the systems in whose place FRR runs."""

    name: str
    fabric: str
    inventory: str
    management_network: str
    management_root: str  # our end in the machine's own namespace, with length
    nodes: tuple[Node, ...]
    stands_in: tuple[str, ...] = ()
    _by_name: dict[str, Node] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_name", {node.name: node for node in self.nodes})

    def node(self, name: str) -> Node | None:
        """The node of that name."""
        return self._by_name.get(name)

    def far(self, port: Port) -> tuple[Node, Port]:
        """The other end of a port's cable.

        Raises:
            ValueError: there is none.
        """
        peer = self.node(port.peer)
        found = peer.port(port.peer_netdev) if peer else None
        if peer is None or found is None:
            msg = f"cable {port.link} has one end"
            raise ValueError(msg)
        return peer, found

    @property
    def switches(self) -> tuple[Node, ...]:
        """Nodes that forward."""
        return tuple(node for node in self.nodes if node.is_switch)

    @property
    def hosts(self) -> tuple[Node, ...]:
        """Nodes that do not."""
        return tuple(node for node in self.nodes if not node.is_switch)

    @property
    def cables(self) -> tuple[tuple[Node, Port], ...]:
        """Each cable once, by its first end: a host's, or that of the lower tier."""
        seen: dict[str, tuple[Node, Port]] = {}
        for node in (*self.hosts, *self.switches):
            for port in node.ports:
                seen.setdefault(port.link, (node, port))
        return tuple(seen.values())

    def value(self) -> dict[str, Any]:
        """As plain lists and dicts."""
        nodes = [asdict(node) for node in self.nodes]
        kept = ("name", "fabric", "inventory", "management_network", "management_root", "stands_in")
        return {name: getattr(self, name) for name in kept} | {"nodes": nodes}

    @classmethod
    def of_value(cls, value: dict[str, Any]) -> Layout:
        """The layout that :meth:`value` was made from."""
        fields = {key: item for key, item in value.items() if key != "nodes"}
        fields["stands_in"] = tuple(fields["stands_in"])
        return cls(**fields, nodes=tuple(_node(item) for item in value["nodes"]))


def _node(value: dict[str, Any]) -> Node:
    ports = tuple(Port(**_tuples(port)) for port in value["ports"])
    peers = tuple(Peer(**_tuples(peer)) for peer in value["peers"])
    return Node(**{**_tuples(value), "ports": ports, "peers": peers})


def _tuples(value: dict[str, Any]) -> dict[str, Any]:
    return {key: tuple(x) if isinstance(x, list) else x for key, x in value.items()}
