"""FRR's running configuration as state: contexts with lines, merged and taken back line by line.

Contexts nest by words, not by indentation (FRRouting doc/user/basic.rst). What ``show
running-config`` leaves out and the order of its parts: bgpd/bgp_vty.c, lib/vty.c.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

Context: TypeAlias = tuple[str, ...]  # the lines that lead into it
Tree: TypeAlias = dict[Context, list[str]]

_OPENERS = ("interface ", "router bgp ", "route-map ", "vrf ", "line vty")
_INNER = ("address-family ",)
_LEAVERS = frozenset({"exit", "exit-address-family", "quit"})
_HEADS = ("frr version", "frr defaults", "hostname", "log", "service", "no ", "ip forwarding")
_ORDER = (
    "interface ",
    "router bgp ",
    "ip prefix-list",
    "ipv6 prefix-list",
    "bgp as-path",
    "bgp community-list",
    "route-map ",
)
# Of these a context has one at a time: a second replaces the first.
_SINGLE = re.compile(
    r"(frr version|frr defaults|hostname|bgp router-id|description|maximum-paths(?: ibgp)?|"
    r"timers bgp|log syslog|bgp cluster-id|"
    r"neighbor \S+ (?:remote-as|description|timers(?! connect)|timers connect|password|update-source|route-map \S+ (?=in|out)|interface|ebgp-multihop)|"  # noqa: E501
    r"set community|on-match|bgp max-med)\b"
)
# As the profile has them by itself, so that they are not shown (bgpd/bgp_vty.c FRR_CFG_DEFAULT_*).
_DEFAULTS: Mapping[str, frozenset[str]] = {
    "datacenter": frozenset(
        {
            "no bgp ebgp-requires-policy",
            "bgp log-neighbor-changes",
            "bgp deterministic-med",
            "bgp network import-check",
        }
    ),
    "traditional": frozenset({"bgp ebgp-requires-policy", "bgp network import-check"}),
}


def read(text: str) -> list[tuple[Context, str, int]]:
    """Each line with its context and number; lines that open a context are of the outer one."""
    found: list[tuple[Context, str, int]] = []
    context: Context = ()
    for number, raw in enumerate(text.splitlines(), 1):
        line = " ".join(raw.split())
        if not line or line.startswith(("!", "#")) or line == "end":
            continue
        if line in _LEAVERS:
            context = context[:-1]
            continue
        bare = line.removeprefix("no ")
        if line.startswith(_OPENERS):
            context = (line,)
            found.append(((), line, number))
        elif line.startswith(_INNER) and context and context[0].startswith("router bgp"):
            context = (context[0], line)
            found.append((context[:1], line, number))
        else:
            if context and _is_outer(bare):
                context = ()
            found.append((context, line, number))
    return found


def _is_outer(line: str) -> bool:
    """Whether a line can stand at the top alone, so that it ends a context."""
    return line.startswith(
        (
            "hostname ",
            "ip prefix-list ",
            "ipv6 prefix-list ",
            "ip route ",
            "ipv6 route ",
            "router bgp ",
            "route-map ",
            "interface ",
            "bgp as-path ",
            "bgp session-dscp ",
            "bgp community-list ",
            "service ",
            "log ",
            "frr ",
        )
    )


class FrrConfig:
    """The configuration in force in the daemons."""

    def __init__(self, text: str = "") -> None:
        self.tree: Tree = {(): []}
        self.load(text)

    def load(self, text: str) -> None:
        """Merge lines, as ``vtysh -f`` does."""
        for context, line, _ in read(text):
            self.apply(context, line)

    def apply(self, context: Context, line: str) -> None:
        """One line in a context."""
        if line.startswith(_OPENERS) and not context:
            self.tree.setdefault((line,), [])
        elif line.startswith(_INNER):
            self.tree.setdefault((*context, line), [])
        elif line.startswith("no ") and self._takes_back(context, line[3:]):
            return
        elif line.startswith("no neighbor ") and not self._knows(context, line.split()[2]):
            return  # "% Create the peer-group or interface first" (bgpd/bgp_vty.c)
        else:
            self._add(context, line)

    def _add(self, context: Context, line: str) -> None:
        lines = self.tree.setdefault(context, [])
        if line in lines:
            return
        if found := _SINGLE.match(line):
            same = [each for each in lines if (old := _SINGLE.match(each)) and old[0] == found[0]]
            if same and "route-map" not in found[0]:
                lines[lines.index(same[0])] = line
                return
        inverse = line[3:] if line.startswith("no ") else f"no {line}"
        if inverse in lines:
            lines.remove(inverse)
            if line.startswith("no ") or inverse.startswith("no "):
                return
        lines.append(line)

    def _takes_back(self, context: Context, line: str) -> bool:
        """Remove what ``no`` names: a context with all in it, or lines; whether there was any."""
        if not context and (line,) in self.tree:
            if line.startswith("interface "):
                self.tree[(line,)] = []
            self.tree = {each: lines for each, lines in self.tree.items() if each[:1] != (line,)}
            return True
        if not context and line.startswith(("router bgp", "route-map ")):
            gone = [each for each in self.tree if each and each[0].startswith(line)]
            self.tree = {each: lines for each, lines in self.tree.items() if each not in gone}
            return bool(gone)
        lines = self.tree.get(context, [])
        gone_lines = [each for each in lines if each == line or each.startswith(line + " ")]
        if peer := re.fullmatch(
            r"neighbor (\S+)(?: interface.*| remote-as \S+| peer-group)?", line
        ):
            return self._drop_neighbour(context, peer[1], line)
        for each in gone_lines:
            lines.remove(each)
        return bool(gone_lines)

    def _knows(self, context: Context, peer: str) -> bool:
        head = f"neighbor {peer} "
        return any(each.startswith(head) for each in self.tree.get(context[:1], []))

    def _drop_neighbour(self, context: Context, peer: str, line: str) -> bool:
        """``no neighbor X`` takes all lines of X, in the address families too."""
        lines = self.tree.get(context, [])
        known = any(each == line or each.startswith(line + " ") for each in lines)
        if known:
            for inner, some in self.tree.items():
                if inner[:1] == context[:1]:
                    some[:] = [each for each in some if not each.startswith(f"neighbor {peer} ")]
        return known

    def show(self, version: str, hostname: str) -> str:
        """What ``show running-config`` prints between its header and ``end``."""
        top = self.tree[()]
        profile = next((x.split()[2] for x in top if x.startswith("frr defaults")), "traditional")
        own = [x for x in top if not x.startswith(("frr version", "frr defaults", "hostname"))]
        name = next((x for x in top if x.startswith("hostname")), f"hostname {hostname}")
        lines = [f"frr version {version}", f"frr defaults {profile}", name]
        lists = [x for x in own if x.startswith(_ORDER)]
        lines += [x for x in own if x not in lists] + ["!"]
        for prefix in _ORDER:
            plain = sorted((x for x in lists if x.startswith(prefix)), key=_sequence)
            lines += [*plain, "!"] if plain else []
            contexts = [each for each in self.tree if len(each) == 1 and each[0].startswith(prefix)]
            if not prefix.startswith("router"):
                contexts.sort(key=_natural)
            for each in contexts:
                lines += self._section(each, _DEFAULTS[profile])
        return "\n".join(lines) + "\n"

    def _section(self, context: Context, hidden: frozenset[str]) -> list[str]:
        inner = [each for each in self.tree if len(each) == 2 and each[:1] == context]  # noqa: PLR2004
        own = [line for line in self.tree[context] if line not in hidden]
        if context[0].startswith("interface ") and not own:
            return []
        lines = [context[0], *(f" {line}" for line in own)]
        for each in inner:
            told = "no bgp default ipv4-unicast" in self.tree[context]
            shown = [x for x in self.tree[each] if told or not _activates(each, x)]
            if shown:
                lines += [" !", f" {each[1]}", *(f"  {x}" for x in shown), " exit-address-family"]
        return [*lines, "exit", "!"]


def _activates(context: Context, line: str) -> bool:
    """IPv4 unicast is active unless ``no bgp default ipv4-unicast``, and then not shown."""
    return context[1].startswith("address-family ipv4 unicast") and bool(
        re.fullmatch(r"neighbor \S+ activate", line)
    )


def _sequence(line: str) -> tuple[str, int]:
    found = re.search(r" seq (\d+) ", line)
    return line.split(" seq ", maxsplit=1)[0], int(found[1]) if found else 0


def _natural(context: Context) -> list[tuple[int, str]]:
    return [(int(part) if part.isdigit() else -1, part) for part in re.split(r"(\d+)", context[0])]
