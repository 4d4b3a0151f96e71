"""Cables of a lab as people write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.live.lab.errors import lab_error
from fabric.live.lab.find import node_of
from fabric.model.names import link_id

if TYPE_CHECKING:
    from fabric.live.lab.layout import Layout, Node, Port


class Cable(NamedTuple):
    """A cable by its two ends; ``a`` is the one that was named first."""

    a: Node
    a_port: Port
    b: Node
    b_port: Port


def cable(layout: Layout, word: str) -> Cable:
    """``A:B`` the first cable between two nodes, ``A:B:n`` the n-th, ``A/PORT`` that in a port.

    Raises:
        LabError: there is no such cable.
    """
    if ":" in word:
        first, second, *number = word.split(":")
        a, b = node_of(layout, first), node_of(layout, second)
        if len(number) > 1 or not all(n.isdecimal() and int(n) for n in number):
            msg = f"{word}: a cable is A:B or A:B:n"
            raise lab_error(msg, "as in leaf-0:spine-1:2")
        wanted = link_id(a.name, b.name, int(number[0]) if number else 1)
        port = next((p for p in a.ports if p.link == wanted), None)
    else:
        first, slash, name = word.partition("/")
        if not slash:
            msg = f"{word}: a cable is A:B, A:B:n or A/PORT"
            raise lab_error(msg, "as in leaf-0:spine-1")
        a = node_of(layout, first)
        port = a.port(name)
    if port is None:
        peers = list(dict.fromkeys(p.peer for p in a.ports))
        msg = f"there is no cable {word}"
        hint = f"{a.name} has cables to {', '.join(peers)}"
        raise lab_error(msg, hint)
    return _whole(layout, a, port)


def _whole(layout: Layout, a: Node, port: Port) -> Cable:
    b = node_of(layout, port.peer)
    far = b.port(port.peer_netdev)
    if far is None:
        msg = f"cable {port.link} has one end"
        raise lab_error(msg)
    return Cable(a, port, b, far)


def other_ports(node: Node, port: Port) -> list[Port]:
    """The other ports of a node."""
    return [one for one in node.ports if one.netdev != port.netdev]
