"""What has failed, as people write it: cables by their ends, devices by name."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

from fabric.model.names import link_id, natural_sorted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.topology import Topology


_SHOWN = 8


class Failures(NamedTuple):
    """Cable ids and switch names."""

    cables: frozenset[str]
    switches: frozenset[str]


class FailureError(ValueError):
    """Words that name nothing; ``problems``: (message, fix) of each."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        super().__init__("; ".join(message for message, _ in problems))
        self.problems = problems


def failures(topology: Topology, words: Iterable[str]) -> Failures:
    """``A:B`` the first cable between two devices, ``A:B:n`` the n-th (from 1), ``A:B:*`` all.

    Ends in either order, one of them may be a host; ``A/PORT`` the cable in a port of a switch or
    a host; ``A`` the switch.

    Raises:
        FailureError: all words that name no cable and no switch of the fabric.
    """
    cables: set[str] = set()
    switches: set[str] = set()
    problems: list[tuple[str, str]] = []
    for word in words:
        try:
            if ":" in word:
                cables.update(_cables(topology, word))
            elif "/" in word and not topology.is_switch(word):
                cables.add(_in_port(topology, word))
            else:
                switches.add(_switch(topology, word))
        except _UnknownError as error:
            problems.append((f"--fail {word}: {error}", error.fix))
    if problems:
        raise FailureError(problems)
    return Failures(frozenset(cables), frozenset(switches))


class _UnknownError(Exception):
    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


def _is_host(topology: Topology, name: str) -> bool:
    return any(host.name == name for host in topology.hosts)


def _switch(topology: Topology, name: str) -> str:
    if topology.is_switch(name):
        return name
    if _is_host(topology, name):
        links = topology.links_of(name)
        msg = f"{name} is a host, and what fails is a switch or a cable"
        raise _UnknownError(msg, _cables_of(name, [link.id for link in links]))
    names = [switch.name for switch in topology.switches]
    msg = f"there is no switch {name}"
    raise _UnknownError(msg, _near(name, names, "fabric show devices"))


def _cables_of(name: str, ids: list[str]) -> str:
    rest = len(ids) - _SHOWN
    shown = ", ".join(ids[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
    return f"its cables are {shown}" if ids else f"{name} has no cable"


def _device(topology: Topology, name: str) -> str:
    """A switch or a host."""
    if topology.is_switch(name) or _is_host(topology, name):
        return name
    names = [switch.name for switch in topology.switches]
    names += [host.name for host in topology.hosts]
    msg = f"there is no switch and no host {name}"
    raise _UnknownError(msg, _near(name, names, "fabric show devices"))


def _near(word: str, known: list[str], command: str) -> str:
    found = difflib.get_close_matches(word, known, 3, 0.5)
    hint = f"did you mean {', '.join(found)}? " if found else ""
    return f"{hint}`{command}` lists them"


def _cables(topology: Topology, word: str) -> list[str]:
    a, b, *number = word.split(":")
    if len(number) > 1:
        msg = "a cable is A:B, A:B:n or A:B:*"
        raise _UnknownError(msg, "as in leaf-0:spine-1:2")
    ends = (_device(topology, a), _device(topology, b))
    links = topology.links_of(ends[0])
    between = [link for link in links if link.other(ends[0]).device == ends[1]]
    if not between:
        near = natural_sorted({link.other(ends[0]).device for link in links})
        near.sort(key=lambda name: not topology.is_switch(name))
        rest = len(near) - _SHOWN
        shown = ", ".join(near[:_SHOWN]) + (f" and {rest} more" if rest > 0 else "")
        msg = f"no cable joins {a} and {b}"
        raise _UnknownError(msg, f"{ends[0]} has cables to {shown or 'nothing'}")
    which = number[0] if number else "1"
    if which == "*":
        return [link.id for link in between]
    ids = {link.id for link in between}
    if not which.isdecimal() or int(which) < 1 or link_id(*ends, int(which)) not in ids:
        plural = "s join" if len(between) > 1 else " joins"
        msg = f"{len(between)} cable{plural} {a} and {b}, there is no number {which}"
        raise _UnknownError(msg, f"a number up to {len(between)}, or {a}:{b}:* for all of them")
    return [link_id(*ends, int(which))]


def _in_port(topology: Topology, word: str) -> str:
    device, _, port = word.partition("/")
    link = topology.link_at(_device(topology, device), port)
    if link is None:
        ports = [x.end(device).port for x in topology.links_of(device)]
        msg = f"{device} has no cable in port {port}"
        command = "fabric show hosts"
        if topology.is_switch(device):
            command = f"fabric show ports {device}"
        raise _UnknownError(msg, _near(port, ports, command))
    return link.id
