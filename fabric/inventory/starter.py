"""The commented inventory that ``fabric init`` writes."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING

from fabric import catalog, topologies
from fabric.files.yaml_scalars import refused_everywhere, resolve
from fabric.inventory.hardware import catalog_problem
from fabric.inventory.presets import preset_names
from fabric.model.finding import Problem, ProblemError

if TYPE_CHECKING:
    from fabric.model.hardware import SwitchModel

_UNKNOWN, _TOO_MANY = "RCE009", "RCE016"
_GENERIC_PORTS = 64  # a generic switch has as many ports as are used; size it like a common one
_PLAIN = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*\Z")

_RANGES = {
    "explicit": "l[0-3]",
    "dragonfly": "router-0-[0-3]",
    "dragonfly-plus": "leaf-0-[0-3]",
}
_LONGEST = {
    "leaf-spine": "leaf-spine",
    "fat-tree": "agg-core",
    "dragonfly": "global",
    "dragonfly-plus": "global",
}
_FIRST = {
    "leaf-spine": "leaf-0",
    "fat-tree": "edge-0-0",
    "dragonfly": "router-0-0",
    "dragonfly-plus": "leaf-0-0",
}

_TEXT = """\
# {fabric}: {hosts} hosts, {speed}G each. Written by `fabric init`; change what you like.
# Every key has a default: `fabric plan` shows what follows, `fabric schema` describes all keys.
fabric: {fabric}
{topology}
platforms:              # for: default, a role ({roles}) or a device, also a range like {range}
  default: {{platform: {platform}, model: {model}}}

hosts:                  # one group, or a list of groups
  {{count: {hosts}, name: "gpu-{{n}}", nics: 1, nic: {nic}, speed: {speed}}}

links: {{speed: {speed}}}    # Gb/s between switches
cables: {{default: 5}}    # metres; or by kind of link: {{host: 3, {length}: 30}}

roce:
  preset: nvidia        # or {presets}
  # dscp: 26            # marking of RoCE data; priority, traffic class and queue are one number
  # priority: 3
  # cnp_dscp: 48
  # cnp_priority: 6
  # mtu: {{switch: 9216, host: 9000, rdma: 4096}}

# addressing:
#   family: ipv6        # or dual; IPv6 pools follow from the fabric's name unless written
#   links: unnumbered   # BGP without addresses between switches
#   pools: {{loopbacks: 10.255.0.0/16, links: 10.254.0.0/16, hosts: 10.0.0.0/12}}

# management:           # the switches' own addresses; a plan needs none
#   gateway: 192.0.2.254
#   addresses: {{{first}: 192.0.2.1/24}}
# connection: {{user: admin, key_file: ~/.ssh/id_ed25519}}    # never a password
"""


@dataclass(frozen=True, slots=True)
class _Plan:
    """Leaf-spine numbers: hosts on a leaf, and what makes it non-blocking."""

    leaves: int
    spines: int
    links: int
    per_leaf: int


def starter(  # noqa: PLR0913 - one argument for each question of `fabric init`
    *,
    fabric: str,
    hosts: int,
    kind: str = "leaf-spine",
    model: str = "generic",
    platform: str = "sonic",
    nic: str | None = None,
    speed: int = 400,
) -> str:
    """A starter inventory for ``hosts`` hosts, non-blocking, that loads as it is.

    Raises:
        ProblemError: an unknown model, NIC or kind, or more hosts than such a fabric takes.
    """
    try:
        switch = catalog.switch_model(model)
        adapter = catalog.nic(nic) if nic else catalog.generic_nic(speed)
    except (catalog.UnknownNameError, catalog.CatalogFileError) as error:
        raise ProblemError((catalog_problem(error, ()),)) from error
    ports = _ports(switch, speed)
    topology, roles = _topology(kind, hosts, ports)
    return _TEXT.format(
        fabric=_quoted(fabric),
        hosts=hosts,
        speed=speed,
        topology=topology,
        roles=", ".join(roles),
        range=_RANGES.get(kind, f"{roles[0]}-[0-3]"),
        platform=_quoted(platform),
        model=_quoted(switch.name),
        nic=_quoted(adapter.name),
        length=_LONGEST.get(kind, "cable"),
        presets=", ".join(preset_names()[1:]),
        first=_FIRST.get(kind, "l0"),
    )


def _quoted(text: str) -> str:
    """The text as YAML reads it back: in quotes where it looks like anything but text."""
    plain = _PLAIN.match(text) and resolve(text) == text and not refused_everywhere(text)
    return text if plain else json.dumps(text, ensure_ascii=False)


def _ports(model: SwitchModel, speed: int) -> int:
    """Ports of that speed: the best split of each cage that carries fabric links."""
    if model.generic:
        return _GENERIC_PORTS
    ports = sum(
        max((mode.children for mode in cage.modes if speed in mode.speeds_gbps), default=0)
        for cage in model.cages
        if cage.number in model.usable_cages
    )
    if model.max_logical_ports is not None:
        ports = min(ports, model.max_logical_ports)
    if ports < 2:  # noqa: PLR2004 - one down, one up
        message = f"{model.name} has no ports of {speed}G"
        raise _refusal(_UNKNOWN, message, "another speed or model")
    return ports


def _topology(kind: str, hosts: int, ports: int) -> tuple[str, tuple[str, ...]]:
    """The ``topology:`` lines and the roles of its switches."""
    match kind:
        case "leaf-spine":
            plan = _leaf_spine(hosts, ports)
            text = f"leaves: {plan.leaves}, spines: {plan.spines}, links: {plan.links}"
            line = f"topology: {{kind: leaf-spine, {text}}}    # links: parallel cables of a pair\n"
            return line, ("leaf", "spine")
        case "fat-tree":
            return _fat_tree(hosts, ports), ("edge", "agg", "core")
        case "dragonfly":
            return _dragonfly(hosts, ports), ("router",)
        case "dragonfly-plus":
            return _dragonfly_plus(hosts, ports), ("leaf", "spine")
        case "explicit":
            return _explicit(_leaf_spine(hosts, ports), hosts), ("leaf", "spine")
        case _:
            known = topologies.kinds()
            if kind in known:
                message = f"there is no starter for topology kind {kind} yet"
                fix = f"start from an example: fabric init --example 64node-{kind}"
                raise _refusal(_UNKNOWN, message, fix)
            message = f"there is no topology kind {kind}"
            raise _refusal(_UNKNOWN, message, f"known: {', '.join(known)}")


def _leaf_spine(hosts: int, ports: int) -> _Plan:
    """Fewest leaves, then fewest spines (two at least), that leave nothing oversubscribed."""
    leaves = max(1, ceil(hosts / (ports // 2)))
    per_leaf = ceil(hosts / leaves)
    for spines in range(min(2, per_leaf), per_leaf + 1):
        links = ceil(per_leaf / spines)
        if leaves * links <= ports and per_leaf + spines * links <= ports:
            return _Plan(leaves, spines, links, per_leaf)
    most = ports * (ports // 2)
    message = f"a leaf-spine of {ports}-port switches takes {most:,} hosts, not {hosts:,}"
    raise _refusal(_TOO_MANY, message, "use fat-tree")


def _fat_tree(hosts: int, ports: int) -> str:
    """Smallest even k whose k³/4 hosts suffice, with as many pods as are needed."""
    k = 2
    while k**3 // 4 < hosts:
        k += 2
    if k > ports:
        most = (ports - ports % 2) ** 3 // 4
        message = f"a fat-tree of {ports}-port switches takes {most:,} hosts, not {hosts:,}"
        raise _refusal(_TOO_MANY, message, "use switches with more ports")
    pods = ceil(hosts / (k * k // 4))
    return f"topology: {{kind: fat-tree, k: {k}, pods: {pods}}}    # k: ports of a switch\n"


def _dragonfly(hosts: int, ports: int) -> str:
    """Smallest a = 2p for which h ≤ 2p global ports carry all endpoints of a group away.

    p = h is the balanced dragonfly (Kim et al. 2008); more h where the cables do not come out even.
    """
    for p in range(1, ports):
        a = 2 * p
        g = max(2, ceil(hosts / (a * p)))
        h = _global_ports(a, g, a * p, 2 * p)
        if h and p + a - 1 + h <= ports:
            text = f"p: {p}, a: {a}, h: {h}, g: {g}"
            about = "p hosts, h global ports a router; a routers a group; g groups"
            return f"topology: {{kind: dragonfly, {text}}}    # {about}\n"
    message = f"a balanced dragonfly of {ports}-port switches takes fewer than {hosts:,} hosts"
    raise _refusal(_TOO_MANY, message, "use switches with more ports")


def _dragonfly_plus(hosts: int, ports: int) -> str:
    """Smallest r leaves and spines a group with r hosts a leaf; r to 2r global ports a spine."""
    for r in range(1, ports // 2 + 1):
        g = max(2, ceil(hosts / (r * r)))
        h = _global_ports(r, g, r * r, 2 * r)
        if h and r + h <= ports:
            text = f"p: {r}, leaves: {r}, spines: {r}, h: {h}, g: {g}"
            about = "p hosts a leaf; h global ports a spine; g groups"
            return f"topology: {{kind: dragonfly-plus, {text}}}    # {about}\n"
    message = f"a balanced dragonfly+ of {ports}-port switches takes fewer than {hosts:,} hosts"
    raise _refusal(_TOO_MANY, message, "use switches with more ports")


def _global_ports(units: int, groups: int, endpoints: int, most: int) -> int:
    """Fewest global ports a unit that carry the endpoints of a group; 0: more than ``most``."""
    for h in range(1, most + 1):
        if units * h // (groups - 1) * (groups - 1) >= endpoints:
            return h
    return 0


def _explicit(plan: _Plan, hosts: int) -> str:
    lines = ["topology:", "  kind: explicit", "  switches:    # tier 0 has endpoints"]
    left = hosts
    for number in range(plan.leaves):
        here = min(plan.per_leaf, left)
        left -= here
        lines.append(f"  - {{name: l{number}, tier: 0, endpoints: {here}}}")
    lines += [f"  - {{name: s{number}, tier: 1}}" for number in range(plan.spines)]
    lines.append("  cables:      # or cables_csv: file.csv")
    lines += [
        f"  - {{a: l{leaf}, b: s{spine}, count: {plan.links}}}"
        for leaf in range(plan.leaves)
        for spine in range(plan.spines)
    ]
    return "\n".join(lines) + "\n"


def _refusal(rule: str, message: str, fix: str) -> ProblemError:
    return ProblemError((Problem(rule, (), message, fix),))
