"""Labs by what people call them: the inventory that they were built from, or their name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.connections import Connection
from fabric.live.lab import boot, nodes, state
from fabric.live.lab.errors import lab_error

if TYPE_CHECKING:
    from fabric.live.connections import Connections
    from fabric.live.lab.layout import Layout, Node
    from fabric.live.lab.state import State

_SSH_PORT = 22


def known_as(word: str) -> tuple[str, ...]:
    """Names of labs with a folder that the word means: by inventory or by name."""
    path = str(Path(word).resolve())
    known = {name: state.read(name) for name in state.names()}
    by_inventory = [name for name, one in known.items() if one and one.layout.inventory == path]
    return tuple(by_inventory or [name for name in known if name == word])


def running(name: str) -> State:
    """The state of a lab that is up.

    Raises:
        LabError: there is none, or it is not whole.
    """
    found = state.read(name)
    if found is None:
        up = ", ".join(state.names())
        msg, hint = f"lab {name} is not up", f"up are {up}" if up else "`fabric lab up` first"
        raise lab_error(msg, hint)
    if found.phase != state.UP:
        msg, hint = f"lab {name} is half-built", f"`fabric lab down {name}`, then up again"
        raise lab_error(msg, hint)
    return found


def node_of(layout: Layout, name: str) -> Node:
    """A node by name.

    Raises:
        LabError: the lab has none of that name.
    """
    node = layout.node(name)
    if node is None:
        import difflib  # noqa: PLC0415 — only when it happens

        names = [one.name for one in layout.nodes]
        near = difflib.get_close_matches(name, names, 3)
        hint = f"did you mean {', '.join(near)}?" if near else f"it has {_few(names)}"
        msg = f"lab {layout.name} has no node {name}"
        raise lab_error(msg, hint)
    return node


def _few(names: list[str], most: int = 8) -> str:
    return ", ".join(names[:most]) + (" …" if len(names) > most else "")


def connections(layout: Layout) -> Connections:
    """How each node is reached by SSH."""
    key, hosts = state.key_file(layout.name), state.known_hosts(layout.name)
    return {
        node.name: Connection(
            node.name, node.management, _SSH_PORT, boot.USER, str(key), str(hosts)
        )
        for node in layout.nodes
    }


def condition(name: str) -> tuple[str, list[tuple[Node, int | None]]]:
    """``up``, ``down`` or ``partial``, and each node with its process 1."""
    found = state.read(name)
    spaces = set(nodes.namespaces(name))
    if found is None:
        return ("partial" if spaces or state.folder(name).exists() else "down"), []
    listed = [(node, nodes.first_process(name, node)) for node in found.layout.nodes]
    whole = all(pid is not None and node.namespace in spaces for node, pid in listed)
    return ("up" if whole and found.phase == state.UP else "partial"), listed
