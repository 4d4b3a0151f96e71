"""Files of observed facts from networks and tables of our own."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network
    from fabric.model.observed import ObservedFabric

Facts = dict[str, Any]


def observed(path: Path, facts: Facts) -> ObservedFabric:
    """The facts written as a file and read back."""
    from fabric.inventory.observed import read_observed  # noqa: PLC0415

    path.write_text(json.dumps(facts, indent=1), encoding="utf-8")
    return read_observed(path)


def wired(names: Iterable[str], cables: Iterable[tuple[str, str]]) -> Facts:
    """Switches without routes, with LLDP from both ends; ports count up from Ethernet0."""
    facts: Facts = {
        "schema": 1,
        "devices": {name: {"routes": {}, "neighbors": []} for name in names},
    }
    free: Counter[str] = Counter()
    for a, b in cables:
        ports = {}
        for name in (a, b):
            ports[name] = f"Ethernet{free[name]}"
            free[name] += 1
        for near, far in ((a, b), (b, a)):
            facts["devices"][near]["neighbors"].append(
                {"local_port": ports[near], "remote_host": far, "remote_port": ports[far]}
            )
    return facts


def ports_to(facts: Facts, device: str, far: str) -> list[str]:
    """Ports of a device that lead to another."""
    entries = facts["devices"][device]["neighbors"]
    return [e["local_port"] for e in entries if e["remote_host"] == far]


def route(facts: Facts, device: str, prefix: str, *hops: str) -> None:
    """A route over all cables to each of some neighbours."""
    ports = [port for hop in hops for port in ports_to(facts, device, hop)]
    facts["devices"][device]["routes"][prefix] = {
        "protocol": "bgp",
        "next_hops": [{"interface": p, "via": f"fe80::{n + 1:x}"} for n, p in enumerate(ports)],
    }


def hosts(facts: Facts, device: str, prefix: str, port: str = "Ethernet100") -> None:
    """A connected prefix with hosts."""
    facts["devices"][device]["routes"][prefix] = {"connected": port}


def of_plan(network: Network, forwarding: Forwarding) -> Facts:
    """The tables of a design: a host block a leaf (with its discard route), loopbacks, links."""
    cables = [(c.a, c.b) for bundle in network.cables for c in bundle]
    facts = wired(network.names, cables)
    for n, name in enumerate(network.names):
        facts["devices"][name]["routes"][f"10.255.{n // 256}.{n % 256}/32"] = {"connected": "lo"}
    for leaf in network.leaves.tolist():
        name = network.names[leaf]
        block = f"10.{leaf // 256}.{leaf % 256}"
        hosts(facts, name, f"{block}.0/31", "Ethernet100")
        hosts(facts, name, f"{block}.2/31", "Ethernet104")
        facts["devices"][name]["routes"][f"{block}.0/29"] = {"discard": True, "protocol": "static"}
        for switch in network.names:
            hops = forwarding.next_switches(switch, name) if switch != name else frozenset()
            if hops:
                route(facts, switch, f"{block}.0/29", *sorted(hops))
    return facts
