"""``show running-config`` and ``… all``: what the switch is set to for RoCE, and its BGP."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.platforms.arista_eos.readers.config_qos import qos_maps, qos_of, watchdog_defaults
from fabric.reading.sections import indented

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Line

_OURS = re.compile(
    r"^! (?:device: .*EOS-|boot system flash:)|^qos profile |^\s+service-profile |"
    r"^service routing protocols model |^management api http-commands|^(?:no )?aaa root|"
    r"^transceiver qsfp |^qos map (?:dscp|cos|traffic-class) .* to |"
    r"^priority-flow-control (?:all|pause) |^\s+neighbor \S+ peer group |^daemon TerminAttr|"
    r"^!RANCID-CONTENT-TYPE: arista|"  # EOS indents by three blanks, its kin by one, two or four
    r"^interface (?:Ethernet|Port-Channel|Management|Loopback|Vlan|Vxlan)[\d/.]+\n {3}[a-z]|"
    r"^router bgp [\d.]+\n {3}[a-z]",
    re.MULTILINE,
)
_OTHERS = re.compile(
    r"^(?:feature |version \d|switchname |frr version|install feature-set)", re.MULTILINE
)
_BGP = re.compile(r"router bgp (?P<local_as>[\d.]+)")
_NEIGHBOUR = re.compile(r"neighbor (?P<name>\S+) (?P<words>.+)")


def running(output: str) -> Reading:
    """``hostname``, QoS maps, ``qos_profiles``, ``interfaces``, PFC and watchdog, BGP."""
    if not _OURS.search(output) or _OTHERS.search(output):
        return Reading()
    tree = indented(output)
    facts: dict[str, Json] = {}
    if hostname := tree.rest("hostname"):
        facts["hostname"] = hostname
    facts |= qos_maps(tree)
    profiles: dict[str, Json] = {name: qos_of(line) for name, line in tree.all("qos profile")}
    if profiles:
        facts["qos_profiles"] = profiles
    ports: dict[str, Json] = {}
    for name, line in tree.all("interface"):
        if fact := _interface(line):
            ports[name] = fact
    facts["interfaces"] = ports
    facts |= watchdog_defaults(tree)
    for line in tree.below:
        if bgp := _BGP.fullmatch(line.text):
            facts |= {"local_as": bgp["local_as"], **_bgp(line)}
    return Reading(facts)


def _interface(line: Line) -> dict[str, Json]:
    fact: dict[str, Json] = dict(qos_of(line))
    if (mtu := line.rest("mtu")) and mtu.isdecimal():
        fact["mtu"] = int(mtu)
    for key, word in (("qos_profile", "service-profile"), ("description", "description")):
        if said := line.rest(word):
            fact[key] = said
    if line.has("shutdown"):
        fact["admin"] = "down"
    return fact


def _bgp(bgp: Line) -> dict[str, Json]:
    groups: dict[str, str] = {}
    member: dict[str, str] = {}
    named: dict[str, str] = {}
    for line in bgp.below:
        found = _NEIGHBOUR.fullmatch(line.text)
        if found is None:
            continue
        words = found["words"].replace("peer-group", "peer group").split()
        if words == ["peer", "group"]:
            groups[found["name"]] = ""
        elif words[:2] == ["peer", "group"]:
            member[found["name"]] = words[2]
        elif words[0] == "remote-as":
            named[found["name"]] = words[-1]
    peers: dict[str, Json] = {}
    for name in dict.fromkeys((*member, *named)):
        remote_as = named.get(name) or named.get(member.get(name, ""))
        if name not in groups and name not in member.values() and name != "interface":
            peers[name] = {"remote_as": remote_as} if remote_as else {}
    families = [line for _, line in bgp.all("address-family")]
    networks = [r.split()[0] for line in (bgp, *families) for r, _ in line.all("network") if r]
    facts: dict[str, Json] = {"peers": peers, "networks": list(dict.fromkeys(networks))}
    if router_id := bgp.rest("router-id"):
        facts["router_id"] = router_id
    return facts
