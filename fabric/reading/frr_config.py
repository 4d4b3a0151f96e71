"""FRR: the running configuration, of which the BGP of the default VRF is read."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.sections import indented

if TYPE_CHECKING:
    from fabric.model.reading import Json
    from fabric.reading.sections import Line

_OURS = re.compile(r"^frr (?:version|defaults) |^Current configuration:", re.MULTILINE)
_ANY = re.compile(r"^(?:hostname|interface|router|ip|ipv6|vrf|service|log|line|frr) ", re.MULTILINE)
_GLOBAL = re.compile(r"router bgp (?P<local_as>[\d.]+)(?: view \S+)?(?: as-notation \S+)?")
_NEIGHBOUR = re.compile(r"neighbor (?P<name>\S+) (?P<words>.+)")
_REMOTE_AS = re.compile(r"(?:interface (?:v6only )?)?remote-as (?P<remote_as>\S+)")
_MEMBER = re.compile(r"(?:interface (?:v6only )?)?peer-group (?P<group>\S+)")


def running_config(text: str) -> Reading:
    """``hostname``, ``local_as``, ``router_id``, ``peers``, ``networks``.

    A peer of a group has the group's ``remote-as``; words such as ``external`` stay as written.
    """
    if not _OURS.search(text) or not _ANY.search(text):
        return Reading()
    tree = indented(text)
    facts: dict[str, Json] = {}
    if version := tree.rest("frr version"):
        facts["version"] = version
    if hostname := tree.rest("hostname"):
        facts["hostname"] = hostname
    router_id = tree.rest("ip router-id") or tree.rest("router-id")
    for line in tree.below:
        bgp = _GLOBAL.fullmatch(line.text)
        if bgp:
            router_id = line.rest("bgp router-id") or router_id
            facts |= {
                "local_as": bgp["local_as"],
                "peers": _peers(line),
                "networks": _networks(line),
            }
    if router_id:
        facts["router_id"] = router_id
    return Reading(facts)


def _peers(bgp: Line) -> dict[str, Json]:
    groups: set[str] = set()
    named: dict[str, str] = {}  # remote-as of peers and groups
    member: dict[str, str] = {}
    order: dict[str, None] = {}
    for line in bgp.below:
        found = _NEIGHBOUR.fullmatch(line.text)
        if found is None:
            continue
        name, words = found["name"], found["words"]
        if words == "peer-group":
            groups.add(name)
        order.setdefault(name)
        if remote := _REMOTE_AS.match(words):
            named[name] = remote["remote_as"]
        elif group := _MEMBER.match(words):
            member[name] = group["group"]
    peers: dict[str, Json] = {}
    for name in order:
        remote_as = named.get(name) or named.get(member.get(name, ""))
        if name not in groups:
            peers[name] = {"remote_as": remote_as} if remote_as else {}
    return peers


def _networks(bgp: Line) -> list[Json]:
    """Prefixes announced in the IPv4 and IPv6 unicast families (older: without a family)."""
    families = [line for name, line in bgp.all("address-family") if name.endswith(" unicast")]
    found = [rest for line in (bgp, *families) for rest, _ in line.all("network") if rest]
    return list(dict.fromkeys(rest.split()[0] for rest in found))
