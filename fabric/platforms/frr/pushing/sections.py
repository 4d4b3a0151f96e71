"""FRR's configuration as sections: a head at the margin and what is indented below it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fabric.model.names import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# Sections that the plan replaces. All else in frr.conf stays: passwords, users, SNMP, log files,
# management interfaces and VRFs, static routes with a next hop, other routing processes.
OWNED = (
    r"^frr defaults ",
    r"^hostname ",
    r"^log syslog",
    r"^service integrated-vtysh-config$",
    r"^no zebra nexthop kernel enable$",
    r"^interface (?!(?:eth0|mgmt.*|ma[0-9].*|docker.*)$)",
    r"^ip route \S+ blackhole$",
    r"^ipv6 route \S+ blackhole$",
    r"^ip prefix-list ANNOUNCE",
    r"^ipv6 prefix-list ANNOUNCE",
    r"^bgp as-path access-list TRANSIT ",
    r"^bgp community-list standard FABRIC",
    r"^bgp session-dscp ",
    r"^route-map FABRIC",
    r"^router bgp [0-9.]+$",
)
# What FRR prints of itself or of the kernel: no difference, and nothing to keep.
IGNORED = (
    "frr version *",
    "hostname *",
    "no hostname *",
    "service integrated-vtysh-config",
    "ip forwarding",
    "no ip forwarding",
    "ipv6 forwarding",
    "no ipv6 forwarding",
)
_PREAMBLE = ("Building configuration...", "Current configuration:")
_ENDS = frozenset({"exit", "end", "exit-vrf", "exit-address-family"})
_OWNED = tuple(re.compile(pattern) for pattern in OWNED)


@dataclass(frozen=True, slots=True)
class Section:
    """``lines``: what is below the head, as it is written, without ends and exclamation marks."""

    head: str
    lines: tuple[str, ...]

    @property
    def owned(self) -> bool:
        """Whether the plan replaces it."""
        return any(pattern.search(self.head) for pattern in _OWNED)

    @property
    def ignored(self) -> bool:
        """Whether FRR says it by itself."""
        return any(fnmatchcase(self.head, word) for word in IGNORED)

    @property
    def text(self) -> str:
        """As FRR writes it."""
        if not self.lines:
            return f"{self.head}\n"
        closing = "exit-vrf" if self.head.startswith("vrf ") else "exit"
        return "\n".join((self.head, *self.lines, closing)) + "\n"


def sections(text: str) -> tuple[Section, ...]:
    """All sections, in order; what FRR says before the first one is none."""
    heads: list[str] = []
    below: list[list[str]] = []
    for raw in text.splitlines():
        line = raw.rstrip()
        bare = line.strip()
        if not bare or bare[0] in "!#" or bare in _PREAMBLE or line in _ENDS:
            continue
        if line[0] != " ":
            heads.append(line)
            below.append([])
        elif heads:
            below[-1].append(line)
    return tuple(Section(h, tuple(b)) for h, b in zip(heads, below, strict=True))


def merged(running: str, plan: str) -> str:
    """The plan's text, and of the running one the sections that are not the plan's."""
    named = {section.head for section in sections(plan)}
    kept = [s for s in sections(running) if not (s.owned or s.ignored or s.head in named)]
    text = plan if plan.endswith("\n") else f"{plan}\n"
    return text + "".join(f"{section.text}!\n" for section in kept)


def places(text: str) -> frozenset[str]:
    """Every line with the heads above it: ``router bgp 65001 > neighbor swp1 remote-as external``.

    Order means nothing: FRR numbers what is ordered.
    """
    found = set()
    for section in sections(text):
        if not section.ignored:
            found.add(section.head)
            found.update(_below(section))
    return frozenset(found)


def _below(section: Section) -> Iterator[str]:
    above = [(0, section.head)]
    for line in section.lines:
        depth, bare = len(line) - len(line.lstrip()), line.strip()
        if bare in _ENDS:
            continue
        while above[-1][0] >= depth:
            above.pop()
        above.append((depth, bare))
        yield " > ".join(words for _, words in above)


def changes(before: Iterable[str], after: Iterable[str], sign: str = "") -> list[str]:
    """``-`` and ``+`` lines in natural order of places; ``sign`` stands before a place."""
    old, new = frozenset(before), frozenset(after)
    return [
        f"{'-' if place in old else '+'} {sign}{place}"
        for place in sorted(old ^ new, key=natural_key)
    ]
