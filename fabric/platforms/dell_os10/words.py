"""How OS10's configuration is compared, and how its lines are typed and taken back.

The ``no`` forms are those of ansible-collections/dellemc.os10 (roles) and of Intel's
mfd-switchmanagement (QoS); where neither has one, it is ``no`` and the whole line.
"""

from __future__ import annotations

import re

from fabric.changing.remediation import Negation, Typing
from fabric.changing.sections import Grammar

# Ports and cages that a plan does not name stay as they are: all boxes print all of theirs.
NAMED = r"interface (ethernet|breakout )\S+"
# A port has a section also when nothing stands below, and switches unless it says otherwise. At a
# neighbour IPv4 is on unless `no activate` is said (running configuration of a public EVPN lab).
SILENT = (
    r"^(interface ethernet\S+|system qos)$|> switchport mode access$"
    r"|> address-family ipv4 unicast > activate$"
)
_QUOTED = re.compile(r'^(description) "(.*)"$')
_BANNER = r"^banner (?:login|motd) (?P<end>\^C|[^\w\s])(?!.*(?P=end)\s*$)"


def _normal(line: str) -> str:
    """Quotes around descriptions and spaces in lists of numbers mean nothing."""
    return _QUOTED.sub(r"\1 \2", re.sub(r"(?<=\d), +(?=\d)", ",", line))


GRAMMAR = Grammar(
    literals=((_BANNER, ""),),
    last="",
    normal=_normal,
    implied=r"^interface \S+ > no shutdown$",  # ports that are up say nothing
)
TYPING = Typing(
    grammar=GRAMMAR,
    order=(
        r"^interface breakout ",
        r"^(hostname|lldp|ip ecmp-group|mac address-table|bfd) ",
        r"^wred ",
        r"^class-map ",
        r"^trust ",
        r"^qos-map ",
        r"^policy-map ",
        r"^system qos$",
        r"^interface (vlan|loopback)",
        r"^interface ",
        r"^ip(v6)? route ",
        r"^ip (as-path|community-list) ",
        r"^ip(v6)? prefix-list ",
        r"^route-map ",
        r"^router ",
    ),
    negations=(
        Negation(r"hostname .+", "no hostname", gives_way=True),
        Negation(r"(interface breakout \S+) map \S+", r"no \1", gives_way=True),
        Negation(r"(ip ecmp-group maximum-paths) \d+", r"no \1", gives_way=True),
        Negation(r"(mac address-table aging-time) \d+", r"no \1", gives_way=True),
        Negation(r"(description|mtu|speed|timers|router-id) .+", r"no \1", gives_way=True),
        Negation(r"(advertisement-interval|remote-as) \d+", r"no \1", gives_way=True),
        Negation(r"(maximum-paths [ei]bgp) \d+", r"no \1", gives_way=True),
        Negation(r"(flowcontrol (?:receive|transmit)) \S+", r"no \1", gives_way=True),
        Negation(r"(ipv6 nd (?:max|min)-ra-interval) \d+", r"no \1", gives_way=True),
        Negation(r"(priority-flow-control) mode \S+", r"no \1", gives_way=True),
        Negation(r"(random-detect color \w+) .+", r"no \1", gives_way=True),
        Negation(r"(bandwidth percent) \d+", r"no \1", gives_way=True),
        Negation(r"(qos-map traffic-class) \S+", r"no \1", below="^interface "),
        Negation(r"(trust-map (?:dscp|dot1p)) \S+", r"no \1"),
        Negation(r"ip address \S+", "no ip address"),
        Negation(r"(switchport access vlan) \d+", r"no \1"),
        # `no switchport` makes a port a routed one, a mode of switching makes it a switched one.
        Negation(r"switchport mode \S+", "switchport mode access"),
        Negation("no switchport", "switchport mode access"),
        Negation("activate", "", below="> address-family ipv4 unicast$"),
        Negation("no activate", "activate", below="> address-family ipv4 unicast$"),
        Negation(r"(ip(?:v6)? prefix-list \S+ seq \d+) .+", r"no \1"),
        Negation(r"router bgp \d+", "no router bgp"),
    ),
    stays=r"^(interface (ethernet|mgmt)|interface vlan1$|system qos$)",
    opens=(
        r"^(interface (?!breakout )|wred |class-map |trust |qos-map |policy-map |system qos$"
        r"|route-map \S+ (permit|deny) |router )[^>]*$"
        r"|> (class|neighbor|template|address-family) [^>]*$"
    ),
)
