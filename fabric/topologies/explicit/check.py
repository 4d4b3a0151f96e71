"""Everything impossible about an explicit topology."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.finding import Problem
from fabric.topologies._parts.placement import nearest
from fabric.topologies._parts.shape import too_large

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.topologies.explicit.params import CableEntry, Params, SwitchEntry

# A device's name becomes a folder and a host name: no separators, and not only dots.
_NAME = re.compile(r"(?=.*[A-Za-z0-9])[A-Za-z0-9._-]+")

MAX_LENGTH_M = 100_000  # as of every kind of link; no Ethernet optic reaches further unamplified

_Path = tuple[str | int, ...]


def problems_of(params: Params) -> tuple[Problem, ...]:
    """RCE006, RCE011, RCE012, RCE013 and RCE102, in the order of the inventory."""
    if not params.switches:
        message = "an explicit topology needs at least one switch"
        return (Problem("RCE011", ("topology", "switches"), message, "name the switches"),)
    return (
        *_switch_problems(params),
        *_cable_problems(params),
        *_port_problems(params),
        *too_large(
            len(params.switches),
            sum(max(cable.count, 0) for cable in params.cables)
            + sum(max(switch.endpoints, 0) for switch in params.switches),
        ),
    )


def _switch_problems(params: Params) -> Iterator[Problem]:
    first: dict[str, int] = {}
    for number, switch in enumerate(params.switches):
        path: _Path = ("topology", "switches", number)
        if switch.name in first:
            message = f"{switch.name} is the name of switches {first[switch.name]} and {number}"
            fix = "give every switch a name of its own"
            yield Problem("RCE012", (*path, "name"), message, fix, subject=switch.name)
        first.setdefault(switch.name, number)
        yield from _entry_problems(switch, path)


def _entry_problems(switch: SwitchEntry, path: _Path) -> Iterator[Problem]:
    for key, text in (("name", switch.name), ("role", switch.role)):
        if text is not None and not _NAME.fullmatch(text):
            message = f"{key} {text!r} is not made of letters, digits, '-', '_' and '.'"
            yield Problem("RCE006", (*path, key), message, "use other characters")
    for key, count in (("tier", switch.tier), ("endpoints", switch.endpoints)):
        if count < 0:
            message = f"{switch.name}: {key} is {count}; it is at least 0"
            yield Problem("RCE011", (*path, key), message, f"{key}: 0", subject=switch.name)
    if switch.endpoints > 0 and switch.tier > 0:
        message = (
            f"{switch.name} has {switch.endpoints} endpoints on tier {switch.tier}; "
            "endpoints stand on tier 0"
        )
        fix = "tier: 0, or no endpoints"
        yield Problem("RCE011", (*path, "endpoints"), message, fix, subject=switch.name)


def _cable_problems(params: Params) -> Iterator[Problem]:
    names = {switch.name: None for switch in params.switches}
    for number, cable in enumerate(params.cables):
        path: _Path = ("topology", "cables", number)
        for key, name in (("a", cable.a), ("b", cable.b)):
            if name not in names:
                message = f"cable {cable.a}–{cable.b}: there is no switch {name}"
                fix = nearest(name, tuple(names)) or "name it under switches"
                yield Problem("RCE012", (*path, key), message, fix, subject=name)
        yield from _impossible(cable, path)


def _impossible(cable: CableEntry, path: _Path) -> Iterator[Problem]:
    name = f"cable {cable.a}–{cable.b}"
    if cable.a == cable.b:
        fix = "name two switches"
        yield Problem("RCE013", path, f"{name} leads back to its own switch", fix, subject=cable.a)
    if cable.count < 1:
        fix = "count: 1, or leave the cable out"
        yield Problem("RCE013", (*path, "count"), f"{name}: count is {cable.count}", fix)
    if cable.speed is not None and cable.speed < 1:
        fix = "a speed in Gb/s, such as 400"
        yield Problem("RCE013", (*path, "speed"), f"{name}: speed is {cable.speed}", fix)
    if cable.length is not None and not 0 < cable.length <= MAX_LENGTH_M:
        fix = f"a length in metres, at most {MAX_LENGTH_M:,}"
        yield Problem("RCE013", (*path, "length"), f"{name}: length is {cable.length:g}", fix)
    if cable.count > 1 and (cable.a_port or cable.b_port):
        message = f"{name} names a port for {cable.count} cables"
        yield Problem("RCE013", (*path, "count"), message, "write each cable by itself")


def _port_problems(params: Params) -> Iterator[Problem]:
    taken: dict[tuple[str, str], int] = {}
    for number, cable in enumerate(params.cables):
        for key, end in (("a_port", (cable.a, cable.a_port)), ("b_port", (cable.b, cable.b_port))):
            device, port = end
            if port is None:
                continue
            if (device, port) in taken:
                other = params.cables[taken[device, port]]
                message = (
                    f"{device} {port} is used by two cables: {other.a}–{other.b} and "
                    f"{cable.a}–{cable.b}"
                )
                path = ("topology", "cables", number, key)
                yield Problem("RCE102", path, message, "one port, one cable", subject=device)
            taken.setdefault((device, port), number)
