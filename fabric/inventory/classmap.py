"""Stated classes → a complete 64-entry map, or why no switch can honour them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.inventory.markings import CONTROL_PRIORITIES
from fabric.model.finding import Problem
from fabric.model.qos import ClassMap, TrafficClass

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.inventory.markings import Stated

_ALL = 100
_QUEUES = 8
_UNMARKED = {"default", "control"}  # takes the rest; may have lost both of its DSCPs
_RULE = "RCE020"


def class_map(classes: tuple[Stated, ...], problems: list[Problem]) -> ClassMap | None:
    """The map; ``None`` when a problem was found or something about a class is not known.

    DSCPs that nobody states are default's.
    """
    before = len(problems)
    if len(classes) > _QUEUES:
        names = ", ".join(stated.name for stated in classes)
        message = f"{len(classes)} classes, but a port has {_QUEUES} queues: {names}"
        problems.append(Problem(_RULE, ("roce", "classes"), message, "merge classes"))
        return None
    problems.extend(_shared_dscps(classes))
    problems.extend(_shared_queues(classes))
    problems.extend(_lossless_where_never(classes))
    weights = _weights(classes, problems)
    priorities = {c.name: c.priority for c in classes if c.priority is not None}
    marked = all(stated.dscps for stated in classes if stated.name not in _UNMARKED)
    if len(problems) > before or len(priorities) < len(classes) or not marked:
        return None
    taken = {dscp for stated in classes for dscp in stated.dscps}
    rest = tuple(dscp for dscp in range(64) if dscp not in taken)
    return ClassMap(
        tuple(
            TrafficClass(
                name=stated.name,
                dscps=rest if stated.name == "default" else tuple(sorted(stated.dscps)),
                priority=priorities[stated.name],
                traffic_class=priorities[stated.name],
                queue=priorities[stated.name],
                priority_group=priorities[stated.name] if stated.lossless else 0,
                lossless=stated.lossless,
                scheduler=stated.scheduler,
                weight=weights.get(stated.name),
                max_rate_percent=stated.max_rate_percent,
            )
            for stated in classes
        )
    )


def _shared_dscps(classes: tuple[Stated, ...]) -> Iterator[Problem]:
    owner: dict[int, Stated] = {}
    for stated in sorted(classes, key=lambda c: c.name == "control", reverse=True):
        if len(set(stated.dscps)) < len(stated.dscps):
            message = f"class {stated.name} names a DSCP twice"
            yield Problem(_RULE, stated.dscp_path, message, "name it once")
        for dscp in dict.fromkeys(stated.dscps):
            other = owner.setdefault(dscp, stated)
            if other is not stated:
                path = max(other.dscp_path, stated.dscp_path, key=len)
                fix = "give each class its own DSCPs"
                yield Problem(_RULE, path, _same_dscp(dscp, other, stated), fix)


def _same_dscp(dscp: int, first: Stated, second: Stated) -> str:
    if first.name == "control":
        return (
            f"DSCP {dscp} is {'CS6' if dscp == 48 else 'CS7'}, "  # noqa: PLR2004 - CS6
            f"network control of the switches themselves; {second.name} cannot have it"
        )
    return f"DSCP {dscp} is in two classes, {first.name} and {second.name}"


def _shared_queues(classes: tuple[Stated, ...]) -> Iterator[Problem]:
    owner: dict[int, Stated] = {}
    for stated in sorted(classes, key=lambda c: c.name == "control", reverse=True):
        if stated.priority is None:
            continue
        other = owner.setdefault(stated.priority, stated)
        if other is stated or _said_below(stated, other):
            continue
        path = max(other.priority_path, stated.priority_path, key=len)
        message = f"{other.name} and {stated.name} share priority and queue {stated.priority}"
        if "cnp" in {other.name, stated.name} and (other.lossless or stated.lossless):
            message += ": CNP would be paused exactly when it is needed"
        yield Problem(_RULE, path, message, "give each class its own priority")


def _said_below(one: Stated, other: Stated) -> bool:
    """Lossless on the default's or control's queue: told with its consequence."""
    lossless = one.lossless or other.lossless
    return lossless and bool({"default", "control"} & {one.name, other.name})


def _lossless_where_never(classes: tuple[Stated, ...]) -> Iterator[Problem]:
    with_cnp = next(stated.priority for stated in classes if stated.name == "cnp")
    for stated in classes:
        if not stated.lossless:
            continue
        if stated.priority == 0:
            message = (
                f"{stated.name} is lossless on priority 0, which is the default class's: "
                "all unmarked traffic would be paused with it"
            )
            yield Problem(_RULE, stated.priority_path, message, "use priority 3")
        if stated.priority in CONTROL_PRIORITIES and stated.priority != with_cnp:
            message = (
                f"{stated.name} is lossless on priority {stated.priority}; 6 and 7 belong to CNP "
                "and network control, which must never be paused"
            )
            yield Problem(_RULE, stated.priority_path, message, "use a priority from 1 to 5")
        if 0 in stated.dscps:
            message = (
                f"{stated.name} is lossless with DSCP 0, which unmarked traffic carries: "
                "the default class would be paused with it"
            )
            yield Problem(_RULE, stated.dscp_path, message, "mark RoCE, for example DSCP 26")


def _weights(classes: tuple[Stated, ...], problems: list[Problem]) -> dict[str, int]:
    """Shares of the DWRR classes; what is not given gets an equal part of what is left."""
    sharing = [stated for stated in classes if stated.scheduler == "dwrr" and not stated.follows]
    given = {stated.name: stated.weight for stated in sharing if stated.weight is not None}
    open_names = [stated.name for stated in sharing if stated.weight is None]
    left = _ALL - sum(given.values())
    if left < len(open_names):
        path = next((s.path for s in reversed(sharing) if s.weight is not None), ("roce",))
        parts = " + ".join(f"{name} {weight}" for name, weight in given.items())
        message = f"the weights of the DWRR classes, {parts}, add up to {_ALL - left} of {_ALL}"
        if open_names:
            message += f" and leave too little for {', '.join(open_names)}"
        problems.append(Problem("RCE022", path, message, "give weights that add up to 100"))
        return {}
    part, more = divmod(left, len(open_names)) if open_names else (0, 0)
    shares = {name: part + (number < more) for number, name in enumerate(open_names)}
    return _with_followers({**given, **shares}, classes)


def _with_followers(shares: dict[str, int], classes: tuple[Stated, ...]) -> dict[str, int]:
    """Raised classes weigh as much as the class that rises, and all of them 100 again.

    So RoCE keeps at least the share that was asked for on a cable that carries one of its
    classes alone.
    """
    raised = {stated.name: shares[stated.follows] for stated in classes if stated.follows}
    if not raised:
        return shares
    weights = {**shares, **raised}
    total = sum(weights.values())
    scaled = {name: max(1, weight * _ALL // total) for name, weight in weights.items()}
    lost = {name: weight * _ALL % total for name, weight in weights.items()}
    rest = _ALL - sum(scaled.values())
    for name in sorted(weights, key=lambda n: -lost[n])[: max(0, rest)]:
        scaled[name] += 1
    return scaled
