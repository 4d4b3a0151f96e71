"""The network of a lab's management: one that meets nobody's addresses."""

from __future__ import annotations

import json
from ipaddress import ip_interface, ip_network
from typing import TYPE_CHECKING

from fabric.live.lab import state
from fabric.live.lab.errors import LabError
from fabric.live.programs import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from ipaddress import IPv4Network, IPv6Network

    from fabric.model.design import Design

    Network = IPv4Network | IPv6Network

# RFC 2544: for tests between devices, so nobody's network. A /20 holds 4,094 nodes.
_POOL = ip_network("198.18.0.0/15")
_LENGTH = 20


def free_network(design: Design) -> str:
    """A network for management that meets no address or route of the machine, lab or fabric.

    Raises:
        LabError: none is left.
    """
    used = [*_machine_networks(), *_lab_networks(), *fabric_networks(design)]
    for network in networks():
        if not any(network.version == x.version and network.overlaps(x) for x in used):
            return str(network)
    message = f"addresses clash: no /{_LENGTH} of {_POOL} is free"
    raise LabError([(message, "take other labs down, or give the fabric other pools")])


def networks() -> Iterator[Network]:
    """Networks that a lab's management may use."""
    yield from _POOL.subnets(new_prefix=_LENGTH)


def _machine_networks() -> Iterator[Network]:
    """Addresses and routes of the machine's own namespace, without default routes."""
    for item in json.loads(run(["ip", "-j", "-4", "address", "show"])):
        for address in item.get("addr_info", ()):
            yield ip_interface(f"{address['local']}/{address['prefixlen']}").network
    for route in json.loads(run(["ip", "-j", "-4", "route", "show", "table", "all"])):
        if route["dst"] != "default":
            yield ip_network(route["dst"], strict=False)


def _lab_networks() -> Iterator[Network]:
    for name in state.names():
        known = state.read(name)
        if known is not None:
            yield ip_network(known.layout.management_network)


def fabric_networks(design: Design) -> Iterator[Network]:
    """Every address and pool of a fabric."""
    for _, prefix, _, _ in design.addressing.pools:
        try:
            yield ip_network(prefix, strict=False)
        except ValueError:  # ASNs are a pool, too
            continue
    for _, v4, v6 in design.addressing.loopbacks:
        yield from (ip_network(a) for a in (v4, v6) if a)
    for interface in design.addressing.interfaces:
        yield from (ip_interface(a).network for a in (interface.v4, interface.v6) if a)
