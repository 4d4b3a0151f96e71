"""How sonic-cli's configuration is compared, and how its lines are typed and taken back.

The ``no`` forms are those of sonic-net/sonic-mgmt (spytest/apis), which drives such switches; where
it has none, it is ``no`` and the whole line.
"""

from __future__ import annotations

import re

from fabric.changing.remediation import Negation, Typing
from fabric.changing.sections import Grammar

# Ports and cages that a plan does not name stay as they are: all switches print all of theirs.
NAMED = r"interface (Eth(ernet)? ?|breakout port )\S+"
# A port has a section also when nothing stands below; the others are on unless `no` is said, and
# some releases do not print what is so by default.
SILENT = (
    r"^interface Eth(ernet)? ?\S+$|^priority-flow-control watchdog counter-poll$"
    r"|^router bgp \d+ > network import-check$"
)
_QUOTED = re.compile(r'^(description) "(.*)"$')
_NAME = re.compile(r"^(interface (?:Eth(?:ernet)?|Loopback|Vlan|PortChannel)) (?=\d)")


def _normal(line: str) -> str:
    """Quotes around descriptions and a blank before the number of an interface mean nothing."""
    return _NAME.sub(r"\1", _QUOTED.sub(r"\1 \2", line))


GRAMMAR = Grammar(
    comments=("!", "exit"),
    last="",
    normal=_normal,
    implied=r"^interface \S+ > no shutdown$",  # ports that are up say nothing
)
TYPING = Typing(
    grammar=GRAMMAR,
    order=(
        r"^interface breakout ",
        r"^(hostname|ip load-share) ",
        r"^qos map ",
        r"^qos wred-policy ",
        r"^qos scheduler-policy ",
        r"^priority-flow-control ",
        r"^bgp community-list ",
        r"^ip(v6)? prefix-list ",
        r"^route-map ",
        r"^interface (Loopback|Vlan)",
        r"^interface PortChannel",
        r"^interface ",
        r"^ip(v6)? route ",
        r"^router ",
    ),
    negations=(
        Negation(r"hostname .+", "no hostname", gives_way=True),
        Negation(r"(interface breakout port \S+) mode \S+", r"no \1", gives_way=True),
        Negation(r"(ip load-share hash seed) \d+", r"no \1", gives_way=True),
        Negation(
            r"(priority-flow-control watchdog polling-interval) \d+", r"no \1", gives_way=True
        ),
        Negation(
            r"(description|mtu|speed|fec|cable-length|min-links) .+", r"no \1", gives_way=True
        ),
        Negation(
            r"(priority-flow-control watchdog (?:action|restore-time)) \S+",
            r"no \1",
            gives_way=True,
        ),
        Negation(r"(priority-flow-control watchdog) on .+", r"\1 off", gives_way=True),
        Negation(r"(green) .+|(ecn) \S+", r"no \1\2", gives_way=True),
        Negation(r"(type|weight|meter-type|cir|pir) \S+", r"no \1", gives_way=True),
        Negation(r"(router-id|remote-as|timers) .+", r"no \1", gives_way=True),
        Negation(r"(maximum-paths|allowas-in) \d+", r"no \1", gives_way=True),
        Negation(r"(queue \d+ wred-policy) \S+", r"no \1"),
        Negation(r"(scheduler-policy|qos-map \S+|channel-group) \S+", r"no \1"),
        Negation(r"(switchport access Vlan) \d+", r"no \1"),
        Negation(r"((?:dscp|traffic-class|pfc-priority) \S+) .+", r"no \1", below="^qos map "),
        Negation(r"router bgp \d+", "no router bgp"),
        # On where nothing is said (see SILENT): `no` would turn them off.
        Negation("priority-flow-control watchdog counter-poll|network import-check", ""),
    ),
    stays=r"^interface Eth",
    opens=(
        r"^(interface (?!breakout )|qos (map|wred-policy|scheduler-policy) |router "
        r"|route-map \S+ (permit|deny) )[^>]*$"
        r"|^qos scheduler-policy \S+ > queue \d+$"
        r"|> (neighbor|peer-group|address-family) [^>]*$"
    ),
)
