"""The ports of a config, each with its speed and the QoS entries that hold for it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms.nokia_srl.tree import below, by_key, entries, number, word

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.nokia_srl.tree import Tree

_SPEED = re.compile(r"(\d+)(G|T)")
_SUBINTERFACE = re.compile(r"(.+)\.\d+")


@dataclass(frozen=True, slots=True)
class Port:
    """An Ethernet port. ``holder``: itself, or the LAG that has MTU and QoS for it.

    ``qos``: the entry of the holder, ``classifiers``: those of its subinterface.
    """

    name: str
    holder: str
    admin_up: bool
    speed_gbps: int | None
    mtu_bytes: int | None
    qos: Tree
    classifiers: Tree


def ports(config: Tree) -> Iterator[Port]:
    """Ethernet ports in natural order; a cage that is split is none, its children are."""
    interfaces = by_key(config, "interface", key="name")
    whole, parts = _qos_entries(config)
    for name in natural_sorted(interfaces):
        port = interfaces[name]
        if not name.startswith("ethernet-") or "breakout-mode" in port:
            continue
        ethernet = below(port, "ethernet")
        holder = word(ethernet, "aggregate-id") or name
        parent = below(interfaces.get(name.rpartition("/")[0], {}), "breakout-mode")
        speed = word(ethernet, "port-speed") or word(parent, "breakout-port-speed")
        yield Port(
            name=name,
            holder=holder,
            admin_up=word(port, "admin-state") != "disable",
            speed_gbps=_gbps(speed),
            mtu_bytes=number(interfaces.get(holder, {}), "mtu"),
            qos=whole.get(holder, {}),
            classifiers=below(parts.get(holder, {}), "input", "classifiers"),
        )


def _qos_entries(config: Tree) -> tuple[dict[str, Tree], dict[str, Tree]]:
    """QoS of interfaces, and of their subinterfaces: by what they refer to, else by their id."""
    whole: dict[str, Tree] = {}
    parts: dict[str, Tree] = {}
    for entry in entries(config, "qos", "interfaces", "interface"):
        ref, name = below(entry, "interface-ref"), word(entry, "interface-id") or ""
        split = _SUBINTERFACE.fullmatch(name)
        if not ref and split:
            parts[split[1]] = entry
        elif "subinterface" in ref:
            parts[word(ref, "interface") or ""] = entry
        else:
            whole[word(ref, "interface") or name] = entry
    return whole, parts


def _gbps(text: str | None) -> int | None:
    found = _SPEED.fullmatch(text or "")
    return int(found[1]) * (1000 if found[2] == "T" else 1) if found else None
