"""Sentences about ports that cannot be had."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.design.port_fill import ports_of
from fabric.design.port_wants import ACROSS, group_order
from fabric.model.finding import Problem
from fabric.model.units import count_text, speed_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.design.port_fill import Filled
    from fabric.design.port_panel import Panel
    from fabric.design.port_wants import Group, Want
    from fabric.model.topology import Port

_SPEED_KEYS = {"hosts": "hosts.speed", "links": "links.speed", "topology": "the cable's speed"}


def speed_problem(panel: Panel, speed_gbps: int, path: tuple[str | int, ...]) -> Problem:
    """RCE103: no cage of the model runs at a speed."""
    found = {s for cage in panel.bays for mode in cage.modes for s in mode.speeds_gbps}
    speeds = ", ".join(speed_text(speed) for speed in sorted(found, reverse=True))
    name = panel.model.name
    message = f"{name} has no port of {speed_text(speed_gbps)}"
    fix = f"its ports run at {speeds}: set {_SPEED_KEYS.get(str(path[0]), 'the speed')}"
    return Problem("RCE103", path, message, fix, subject=name)


def room_problem(who: str, panel: Panel, wants: Sequence[Want], filled: Filled) -> Problem:
    """RCE101: ``leaf needs 40×400G down + 32×400G up = 72, has 64``; cages where speeds differ.

    ``filled``: what found a port with every cage split as far as it goes.
    """
    counts = Counter(want.group for want in wants)
    groups = sorted(counts, key=group_order)
    speeds = {speed for _, speed in groups}
    arithmetic = _in_cages(panel, counts) if len(speeds) > 1 else None
    if arithmetic is None:
        parts = " + ".join(_count_text(group, counts[group]) for group in groups)
        arithmetic = f"{parts} = {len(wants)}, has {len(wants) - filled.missing}"
    message = f"{who} needs {arithmetic}"
    return Problem("RCE101", ("topology",), message, _fix(panel), subject=who)


def move_problem(
    who: str, panel: Panel, names: Sequence[str], wants: Sequence[Want], filled: Filled
) -> Problem:
    """RCE101: there would be room, but only if cables that are plugged in changed their port."""
    left = Counter(w.group for w, p in zip(wants, filled.places, strict=True) if p is None)
    parts = " + ".join(_count_text(group, left[group]) for group in sorted(left, key=group_order))
    message = (
        f"{who} has no free port for {parts}, and no cage in use can be split further without "
        f"moving what is plugged into it"
    )
    return Problem("RCE101", ("topology",), message, f"{_fix(panel)}; {_free(names)}", subject=who)


def kept_problem(problem: Problem, names: Sequence[str]) -> Problem:
    """The same where it would not arise if cables that are plugged in changed their port."""
    message = f"{problem.message}; without moving what is plugged in it cannot be less"
    return replace(problem, message=message, fix=f"{problem.fix}; {_free(names)}")


def _free(names: Sequence[str]) -> str:
    rows = names[0] if len(names) == 1 else f"{names[0]} … {names[-1]}"
    return f"or take {rows} out of the lock's port rows to lay all ports out afresh"


def _fix(panel: Panel) -> str:
    return f"a larger model than {panel.model.name}, fewer hosts a switch, or more switches"


def _in_cages(panel: Panel, counts: Counter[Group]) -> str | None:
    """``128×200G down in 32 cages + 60×400G up in 30 cages = 62 cages, has 60``.

    ``None``: this count is not what it fails for, such as cages that the user split less.
    """
    parts: list[str] = []
    total = 0
    able: set[int] = set()
    for group in sorted(counts, key=group_order):
        most = panel.splits_for(group[1])[-1]
        cages = -(-counts[group] // most)
        total += cages
        able.update(bay for bay, m in enumerate(panel.modes_for(most, group[1])) if m is not None)
        parts.append(f"{_count_text(group, counts[group])} in {cages} cage{'s'[: cages > 1]}")
    if total <= len(able):
        return None
    return f"{' + '.join(parts)} = {total} cages, has {len(able)}"


def _count_text(group: Group, count: int) -> str:
    way, speed = group
    return f"{count}×{speed_text(speed)} {'same-tier' if way == ACROSS else way}"


def logical_problem(
    who: str, panel: Panel, wants: Sequence[Want], filled: Filled
) -> Problem | None:
    """RCE104: ``leaf would have 193 logical ports (1 × 1 + 32 × 2 + 32 × 4: …), …``."""
    model = panel.model
    if model.max_logical_ports is None and not model.pipelines:
        return None
    ports = ports_of(panel, wants, filled)
    limit = model.max_logical_ports
    if limit is None or len(ports) <= limit:
        return _pipeline_problem(who, panel, ports)
    cages = Counter({port.cage: port.children for port in ports}.values())
    parts = " + ".join(f"{n} × {children}" for children, n in sorted(cages.items()))
    message = (
        f"{who} would have {count_text(len(ports))} logical ports ({parts}: management and free "
        f"ports included), {panel.model.name} carries {count_text(limit)}"
    )
    return Problem("RCE104", ("topology",), message, _fix(panel), subject=who)


def _pipeline_problem(who: str, panel: Panel, ports: Sequence[Port]) -> Problem | None:
    """RCE104: ``leaf would have 16 logical ports in cages 1 and 4, …``: they share a pipeline."""
    model = panel.model
    most = model.max_ports_per_pipeline
    if most is None:
        return None
    counts = Counter(port.cage for port in ports)
    for cages in model.pipelines:
        total = sum(counts[cage] for cage in cages)
        if total > most:
            *some, last = (str(cage) for cage in cages)
            message = (
                f"{who} would have {total} logical ports in cages {', '.join(some)} and {last}, "
                f"which share a pipeline; {model.name} carries {most} in each (free ports included)"
            )
            return Problem("RCE104", ("topology",), message, _fix(panel), subject=who)
    return None


def who_needs(role: str, of_role: int, names: Sequence[str]) -> str:
    """The role where all its switches are alike, else the switches."""
    if len(names) == of_role and of_role > 1:
        return role
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"
