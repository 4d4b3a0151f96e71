"""The classes that RoCE rises to where the topology needs it (validation 1.4)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.finding import Problem
from fabric.model.qos import Rise

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.files.yaml import Path
    from fabric.inventory.markings import Stated
    from fabric.inventory.schema import RaisedSection, RoceSection
    from fabric.topologies import Rises

# DSCP / 8 is the priority that mlx5 gives a packet by itself: 8 more is the next priority.
DSCP_STEP = 8
_LOSSLESS_PRIORITIES = range(1, 6)  # 0 is the default class's, 6 and 7 are CNP's and control's
_LAST_DSCP = 63
_RULE = "RCE020"
_PATH = ("roce", "raised")
_NAME = "roce-raised"


def with_raised(
    section: RoceSection,
    stated: tuple[Stated, ...],
    rises: Rises | None,
    refused: frozenset[Path],
    problems: list[Problem],
) -> tuple[tuple[Stated, ...], Rise | None]:
    """The classes with the raised ones behind RoCE's, and the order in which RoCE takes them.

    ``refused``: values that were written and are told already; what depends on one is not known.
    """
    written = section.raised or []
    wanted = rises.times if rises else 0
    if section.raised is not None and len(written) != wanted:
        problems.append(_wrong_number(len(written), wanted))
    if rises is None:
        return stated, None
    problems.extend(_without_rise(stated))
    problems.extend(_same_name(stated))
    made = stated
    for step in range(wanted):
        given = written[step] if step < len(written) else None
        raised = _raised(made, step, given, refused, problems)
        if wanted > 1:
            raised = replace(raised, name=f"{_NAME}-{step + 1}")
        behind = 1 + max(n for n, c in enumerate(made) if c.name == "roce" or c.follows)
        made = (*made[:behind], raised, *made[behind:])
    steps = ("roce", *(c.name for c in made if c.follows))
    return made, Rise(rises.kinds, steps, rises.reason)


def _wrong_number(found: int, wanted: int) -> Problem:
    if not wanted:
        message = "RoCE stays in one class on this topology; a raised one would cost headroom alone"
        return Problem(_RULE, _PATH, message, "leave raised out")
    classes = f"{found} class{'' if found == 1 else 'es'}"
    message = f"raised lists {classes}; on a path of this topology RoCE rises {_times(wanted)}"
    return Problem(_RULE, _PATH, message, f"list {wanted}, or leave raised out")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _without_rise(stated: tuple[Stated, ...]) -> Iterator[Problem]:
    for other in stated:
        if other.lossless and other.name != "roce":
            message = (
                f"class {other.name} is lossless, but only RoCE rises on this topology: pauses of "
                f"{other.name} could close a cycle"
            )
            fix = f"list {other.name} under roce.classes without lossless"
            yield Problem(_RULE, other.path, message, fix)


def _same_name(stated: tuple[Stated, ...]) -> Iterator[Problem]:
    for other in stated:
        if other.name.startswith(_NAME):
            message = f"{other.name} is what the class is called that RoCE rises to"
            fix = "use another name; roce.raised sets DSCP and priority of that class"
            yield Problem(_RULE, (*other.path, "name"), message, fix)


def _raised(
    stated: tuple[Stated, ...],
    step: int,
    given: RaisedSection | None,
    refused: frozenset[Path],
    problems: list[Problem],
) -> Stated:
    roce = next(c for c in stated if c.name == "roce")
    place = (*_PATH, step)
    path = roce.path if given is None else place

    def written(key: str) -> tuple[int | None, bool, Path]:
        """Value, whether it is left to us, and where a problem with it stands."""
        value: int | None = getattr(given, key, None)
        told = bool({_PATH, place, (*place, key)} & refused)
        return value, value is None and not told, path if value is None else (*place, key)

    dscp, dscp_is_ours, dscp_path = written("dscp")
    priority, priority_is_ours, priority_path = written("priority")
    if dscp_is_ours:
        dscp = _dscp(stated, roce, step, problems)
    if priority_is_ours:
        priority = _priority(stated, roce, problems)
    return replace(
        roce,
        name=_NAME,
        dscps=() if dscp is None else (dscp,),
        priority=priority,
        weight=None,
        path=path,
        dscp_path=dscp_path,
        priority_path=priority_path,
        follows="roce",
    )


def _dscp(
    stated: tuple[Stated, ...], roce: Stated, step: int, problems: list[Problem]
) -> int | None:
    """RoCE's DSCP and 8 for each step, if no class has it."""
    if not roce.dscps:
        return None
    base, more = roce.dscps[0], DSCP_STEP * (step + 1)
    owner = next((c.name for c in stated if base + more in c.dscps), None)
    if base + more > _LAST_DSCP:
        fault = f"there is no DSCP {base + more}"
    elif owner is not None:
        fault = f"DSCP {base + more} is {owner}'s"
    else:
        return base + more
    message = f"RoCE rises to DSCP {base} + {more} unless told otherwise, but {fault}"
    fix = "choose a free one: roce.raised: [{dscp: …}]"
    problems.append(Problem(_RULE, roce.dscp_path, message, fix))
    return None


def _priority(stated: tuple[Stated, ...], roce: Stated, problems: list[Problem]) -> int | None:
    """The next priority above RoCE's that no class has, else the lowest such one."""
    if roce.priority is None:
        return None
    taken = {c.priority for c in stated}
    above = [p for p in _LOSSLESS_PRIORITIES if p > roce.priority and p not in taken]
    free = above or [p for p in _LOSSLESS_PRIORITIES if p not in taken]
    if free:
        return free[0]
    message = "no priority from 1 to 5 is left for the class that RoCE rises to"
    problems.append(Problem(_RULE, roce.priority_path, message, "merge classes"))
    return None
