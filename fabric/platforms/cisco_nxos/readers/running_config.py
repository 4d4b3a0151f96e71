"""``show running-config``, with ``all`` and without."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Facts, Reading
from fabric.platforms.cisco_nxos.lines import interfaces_of, last, tree_of
from fabric.platforms.cisco_nxos.policies import (
    DEFAULT_CLASS,
    QOS,
    applied,
    dscps_of,
    paused,
    policy_classes,
    system_policies,
)
from fabric.platforms.cisco_nxos.queuing import queue_classes
from fabric.platforms.cisco_nxos.reading import PFC_MODE, WATCHDOG, dscp_map

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.reading import Json
    from fabric.platforms.cisco_nxos.queuing import Marking, QueueClass
    from fabric.reading.sections import Line

_HOSTNAME = re.compile(r"(?:hostname|switchname) (\S+)")
_MTU = re.compile(r"mtu (\d+)")
_ROUTER = re.compile(r"router-id (\S+)")
_NEIGHBOR = re.compile(r"neighbor (\S+)(?: remote-as (\S+))?")
_REMOTE = re.compile(r"remote-as (\S+)")
_INHERIT = re.compile(r"inherit peer(?:-session)? (\S+)")
_PORT = re.compile(r"(?:Ethernet|port-channel|mgmt|Vlan|loopback)\d+[\d/.]*")
_DEFAULT = "default"


def running_config(text: str) -> Reading:
    """What the configuration holds of names, ports, QoS and BGP; what it sets beside is left.

    ``lossless`` and ``queues`` are those of the policies that ``system qos`` applies, ``queues``
    else those of the first port with a policy.
    """
    root = tree_of(text)
    hostname = last(root.below, _HOSTNAME)
    ports = {n: lines for n, lines in interfaces_of(root).items() if _PORT.fullmatch(n)}
    interfaces: dict[str, Json] = {n: _interface(n, lines) for n, lines in ports.items()}
    facts: Facts = {"hostname": hostname[1]} if hostname else {}
    facts |= {"interfaces": interfaces}
    facts |= _policies(root, ports) | _bgp(root)
    return Reading(facts)


def _interface(name: str, lines: tuple[Line, ...]) -> Facts:
    """``pfc``: whether it is forced on; ``auto``, which is also the default, does not force it."""
    mode, mtu, watched = last(lines, PFC_MODE), last(lines, _MTU), last(lines, WATCHDOG)
    can_pause = name.startswith(("Ethernet", "port-channel"))
    facts: Facts = {"pfc": mode is not None and mode[1] == "on"} if can_pause else {}
    if mode:
        facts["pfc_mode"] = mode[1]
    if mtu:
        facts["mtu"] = int(mtu[1])
    if watched:
        facts["watchdog"] = watched[1] == "on"
    policies = applied(lines)
    facts |= {"qos_policy": policies.qos} if policies.qos else {}
    return facts | ({"queuing_policy": policies.queuing} if policies.queuing else {})


def _policies(root: Line, ports: dict[str, tuple[Line, ...]]) -> Facts:
    system = system_policies(root)
    lossless: list[Json] = [*sorted(paused(root, system.network))]
    facts: Facts = {"lossless": lossless}
    if system.network:
        facts["network_qos_policy"] = system.network
    own = [applied(lines) for lines in ports.values()]
    outward = system.queuing or next((x.queuing for x in own if x.queuing), None)
    queues: dict[str, Json] = {
        str(number or _DEFAULT): _queue(said)
        for number, said in queue_classes(root, outward).items()
    }
    facts |= {"queues": queues} if queues else {}
    inward = {x.qos for x in own if x.qos} or ({system.qos} if system.qos else set())
    maps = {dscp_map(root, policy) for policy in inward}
    if len(maps) == 1 and all(_by_dscp(root, policy) for policy in inward):
        (found,) = maps
        facts["dscp_to_tc"] = {str(n): tc for n, tc in enumerate(found) if tc is not None}
    switch = last(root.below, WATCHDOG)
    return facts | ({"watchdog": {"enabled": switch[1] == "on"}} if switch else {})


def _by_dscp(root: Line, policy: str) -> bool:
    """Whether DSCPs alone decide: a class that matches a CoS or a list takes some of any DSCP."""
    names = [name for name, _ in policy_classes(root, QOS, policy) if name != DEFAULT_CLASS]
    return all(dscps_of(root, name) for name in names)


def _queue(said: QueueClass) -> Facts:
    facts: Facts = {}
    if said.remaining is not None:
        facts["bandwidth_remaining_percent"] = said.remaining
    if said.bandwidth is not None:
        facts["bandwidth_percent"] = said.bandwidth
    if said.level is not None:
        facts |= {"schedule": "strict", "priority_level": said.level}
    marking = said.marking if said.marking and said.marking.ecn else None
    return facts | ({"ecn": _ecn(marking)} if marking else {})


def _ecn(marking: Marking) -> Facts:
    said = {
        f"min_{marking.unit}": marking.low if marking.unit else None,
        f"max_{marking.unit}": marking.high if marking.unit else None,
        "probability": marking.probability,
        "weight": marking.weight,
    }
    return {key: value for key, value in said.items() if value is not None}


def _bgp(root: Line) -> Facts:
    for rest, router in root.all("router bgp"):
        templates = {
            line.text.split()[-1]: line
            for line in router.below
            if line.text.startswith("template ")
        }
        own = last(router.below, _ROUTER)
        facts: Facts = {"local_as": rest, "peers": dict(_peers(router.below, templates))}
        return facts | ({"router_id": own[1]} if own else {})
    return {}


def _peers(lines: Iterable[Line], templates: dict[str, Line]) -> dict[str, Json]:
    """Neighbours of the router and of its VRFs; one may have its AS number from a template."""
    found: dict[str, Json] = {}
    for line in lines:
        neighbor = _NEIGHBOR.fullmatch(line.text)
        if line.text.startswith("vrf "):
            found |= _peers(line.below, templates)
        elif neighbor:
            inherited = last(line.below, _INHERIT)
            base = templates.get(inherited[1]) if inherited else None
            said = last(line.below, _REMOTE) or (last(base.below, _REMOTE) if base else None)
            number = neighbor[2] or (said[1] if said else None)
            facts: Facts = {"remote_as": number} if number else {}
            found[neighbor[1]] = facts
    return found
