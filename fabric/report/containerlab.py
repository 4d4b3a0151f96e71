"""A topology file of containerlab: containers and cables as YAML.

The form is that of containerlab's documentation (Topology definition, Nodes, Network) and of its
JSON schema. Strings are quoted as in JSON, which YAML reads as it stands: no word becomes a number
or a truth value.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

# clab.schema.json: names of the topology and of nodes.
_NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9._-]*\Z")


@dataclass(frozen=True, slots=True)
class Group:
    """Nodes alike: an image is exchanged in one place. ``sysctls``: set before a node starts."""

    name: str
    kind: str  # containerlab's word
    image: str
    sysctls: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Container:
    """A node. ``binds``: file beside the topology, path inside; ``commands``: run at the end."""

    name: str
    group: str
    management: str
    binds: tuple[tuple[str, str], ...] = ()
    startup_config: str = ""
    commands: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Wire:
    """A cable: (node, device inside it) of both ends. ``mtu_bytes``: of both devices at first."""

    ends: tuple[tuple[str, str], tuple[str, str]]
    mtu_bytes: int


@dataclass(frozen=True, slots=True)
class ContainerLab:
    """A whole topology. ``network``: of management, as ``subnet``; ``notes``: comments on top."""

    name: str
    network: str
    subnet: str
    groups: tuple[Group, ...]
    nodes: tuple[Container, ...]
    wires: tuple[Wire, ...]
    notes: tuple[str, ...] = ()


def is_name(text: str) -> bool:
    """Whether containerlab takes a name for a topology or a node."""
    return bool(_NAME.match(text))


def topology_text(lab: ContainerLab) -> str:
    """The topology file: the same lab gives the same bytes."""
    return "".join(f"{line}\n" for line in _lines(lab))


def _lines(lab: ContainerLab) -> Iterator[str]:
    yield from (f"# {note}" for note in lab.notes)
    yield f"name: {_quoted(lab.name)}"
    yield "mgmt:"
    yield f"  network: {_quoted(lab.network)}"
    yield f"  ipv4-subnet: {_quoted(lab.subnet)}"
    yield "topology:"
    yield "  groups:"
    for group in lab.groups:
        yield f"    {_quoted(group.name)}:"
        yield f"      kind: {_quoted(group.kind)}"
        yield f"      image: {_quoted(group.image)}"
        if group.sysctls:
            yield "      sysctls:"
            yield from (f"        {_quoted(key)}: {_quoted(to)}" for key, to in group.sysctls)
    yield "  nodes:"
    for node in lab.nodes:
        yield from _node_lines(node)
    yield "  links:"
    for wire in lab.wires:
        ends = ", ".join(_quoted(":".join(end)) for end in wire.ends)
        yield f"    - endpoints: [{ends}]"
        yield f"      mtu: {wire.mtu_bytes}"


def _node_lines(node: Container) -> Iterator[str]:
    yield f"    {_quoted(node.name)}:"
    yield f"      group: {_quoted(node.group)}"
    yield f"      mgmt-ipv4: {_quoted(node.management)}"
    if node.startup_config:
        yield f"      startup-config: {_quoted(node.startup_config)}"
        yield "      enforce-startup-config: true"  # else one of an earlier start stays
    if node.binds:
        yield "      binds:"
        yield from (f"        - {_quoted(':'.join(bind))}" for bind in node.binds)
    if node.commands:
        yield "      exec:"
        yield from (f"        - {_quoted(command)}" for command in node.commands)


def _quoted(text: str) -> str:
    return json.dumps(text)
