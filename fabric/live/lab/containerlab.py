"""The same lab for containerlab: what a node of a lab is told goes into its container instead.

A switch runs FRR in the frrouting image with the files that `fabric lab` gives its switches; what
a lab's start script sets (kernel, ports, addresses of hosts) stands in a script that containerlab
runs when a node's cables are there. Where asked, a system whose own container and its names of
ports are documented takes the plan's own text instead.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fabric.live.lab import containers, management, requirements
from fabric.live.lab.errors import LabError, lab_error
from fabric.live.lab.planned import FRR, layout_of
from fabric.live.lab.words import Words
from fabric.report.containerlab import ContainerLab, Group, Wire, is_name, topology_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from fabric.live.lab.containers import Files, Vendor
    from fabric.live.lab.layout import Layout, Node, Port
    from fabric.model.design import Design
    from fabric.report.containerlab import Container

_TAKEN = ("eth0", "lo")  # containerlab's way to a node
# Docker switches IPv6 off where its network has none, and FRR does not ask twice for an address.
_IPV6 = (("net.ipv6.conf.all.disable_ipv6", "0"), ("net.ipv6.conf.default.disable_ipv6", "0"))
_NAME_HINT = "letters, digits, '-', '_' and '.', a letter or digit first"


class Export(NamedTuple):
    """``lab`` and its files by path; ``topology``: path of the one that names all others."""

    lab: ContainerLab
    topology: str
    files: Files
    stands_in: tuple[str, ...]  # titles of the systems in whose place FRR runs


def export(
    design: Design,
    roots: tuple[Path, ...],
    *,
    vendor: bool = False,
    images: Mapping[str, str] | None = None,
) -> Export:
    """A design as containers. ``images``: by system, or ``host``, in place of the usual ones.

    Raises:
        LabError: containers cannot have what the design has.
        fabric.text.TemplateFault: a template is wrong.
    """
    name, network = design.intent.name, _management_network(design)
    layout = layout_of(design, name, "", network)
    own = _vendors(design) if vendor else {}
    problems = list(_problems(design, layout, own))
    if problems:
        raise LabError(problems)
    words, files = Words(design, roots), dict[str, str]()
    nodes = tuple(_container(node, own, words, files) for node in layout.nodes)
    lab = ContainerLab(
        name=name,
        network=f"fabric-{name}",
        subnet=network,
        groups=_groups(nodes, images or {}),
        nodes=nodes,
        wires=tuple(_wire(layout, own, node, port) for node, port in layout.cables),
        notes=(f"Fabric {name} for containerlab: containerlab deploy -t {name}.clab.yml",),
    )
    topology = f"{name}.clab.yml"
    return Export(lab, topology, {topology: topology_text(lab), **files}, _stands_in(design, own))


def _management_network(design: Design) -> str:
    """A network that meets none of the fabric's; fabrics side by side mostly get different ones."""
    used = list(management.fabric_networks(design))
    free = [
        network
        for network in management.networks()
        if not any(network.version == one.version and network.overlaps(one) for one in used)
    ]
    if not free:
        msg = "addresses clash: no network is left for management"
        raise lab_error(msg, "give the fabric other pools")
    drawn = int.from_bytes(hashlib.sha256(design.intent.name.encode()).digest()[:8])
    return str(free[drawn % len(free)])


def _vendors(design: Design) -> dict[str, Vendor]:
    """Switches that take their system's own container."""
    hardware = design.intent.hardware
    systems = {s.name: hardware.of(s.name, s.role).platform.name for s in design.topology.switches}
    known = containers.VENDORS
    return {name: known[system] for name, system in systems.items() if system in known}


def _stands_in(design: Design, own: Mapping[str, Vendor]) -> tuple[str, ...]:
    hardware = design.intent.hardware
    others = [s for s in design.topology.switches if s.name not in own]
    specs = [hardware.of(s.name, s.role).platform for s in others]
    return tuple(dict.fromkeys(spec.title for spec in specs if spec.name != FRR))


def _problems(
    design: Design, layout: Layout, own: Mapping[str, Vendor]
) -> Iterator[tuple[str, str]]:
    yield from requirements.unfit(design, _TAKEN)
    for name in (layout.name, *(node.name for node in layout.nodes)):
        if not is_name(name):
            yield f"containerlab takes no name {name!r}", _NAME_HINT
    for node in layout.nodes:
        for port in node.ports if node.name in own else ():
            if own[node.name].netdev(port.name) is None:
                said = f"{node.name} {port.name}: its container has no port of that name"
                yield said, "--images frr: FRR takes its place"


def _groups(nodes: tuple[Container, ...], images: Mapping[str, str]) -> tuple[Group, ...]:
    known = {name: Group(name, "linux", image, _IPV6) for name, image in containers.IMAGES.items()}
    known |= {name: Group(name, one.kind, one.image) for name, one in containers.VENDORS.items()}
    used = [known[name] for name in dict.fromkeys(node.group for node in nodes)]
    return tuple(replace(group, image=images.get(group.name, group.image)) for group in used)


def _container(node: Node, own: Mapping[str, Vendor], words: Words, files: Files) -> Container:
    vendor = own.get(node.name)
    if vendor is None:
        return containers.of_linux(node, words, files)
    return containers.of_vendor(node, vendor, words, files)


def _wire(layout: Layout, own: Mapping[str, Vendor], node: Node, port: Port) -> Wire:
    peer, far = layout.far(port)
    ends = (
        containers.end(node, port, own.get(node.name)),
        containers.end(peer, far, own.get(peer.name)),
    )
    return Wire(ends, max(port.mtu_bytes, far.mtu_bytes))
