"""How far cages are split: as little as lets every switch of a kind have its ports."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

from fabric.design.port_fill import Effort, fill
from fabric.design.port_wants import UP, group_order

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from fabric.design.port_fill import Filled, Pins
    from fabric.design.port_panel import Panel
    from fabric.design.port_wants import Group, Splits, Want

_MOST_TRIALS = 2048  # combinations beyond that are not all tried

Wants = tuple["Want", ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """Splits by group and the ports of every different list of wants.

    ``least``: what each group would take on an empty panel.
    """

    splits: Splits
    least: Splits
    filled: Mapping[Wants, Filled]


def groups_of(wants: Iterable[Sequence[Want]]) -> list[Group]:
    """The groups that occur, in order."""
    found = {want.group for some in wants for want in some}
    return sorted(found, key=group_order)


def choose(panel: Panel, demands: Mapping[Wants, Pins], held: Splits) -> Choice:
    """The least split under which everything fits; if nothing does, the widest one.

    ``demands``: the different lists of wants, with the user's ports; every speed must be one
    that the panel can do. ``held``: splits of the lock; they are not undone while they fit, so
    that a switch which grew into them does not move its ports when it shrinks. Among equals
    the ports that lead down are split rather than those that lead up. Only when nothing else
    helps are cages in use split further; what is plugged into them stays.
    """
    groups = groups_of(demands)
    options = [panel.splits_for(speed) for _, speed in groups]
    least = dict(zip(groups, (option[0] for option in options), strict=True))
    kept = [
        [n for n in option if n >= held.get(group, 0)] or option
        for group, option in zip(groups, options, strict=True)
    ]
    trials = (
        (splits, effort)
        for effort in Effort
        for choices in ((kept, options) if kept != options else (options,))
        for splits in _combinations(groups, choices)
    )
    splits, effort = next(trials)
    filled = _filled(panel, demands, splits, effort)
    while any(some.missing for some in filled.values()):
        trial = next(trials, None)
        if trial is None:
            break
        splits, effort = trial
        filled = _filled(panel, demands, splits, effort)
    return Choice(splits, least, filled)


def afresh(panel: Panel, wants: Wants, pins: Pins) -> tuple[Wants, Filled]:
    """What would be laid out if the lock kept nothing."""
    free = tuple(want._replace(kept=None) for want in wants)
    return free, choose(panel, {free: pins}, {}).filled[free]


def _filled(
    panel: Panel, demands: Mapping[Wants, Pins], splits: Splits, effort: Effort
) -> dict[Wants, Filled]:
    return {wants: fill(panel, wants, pins, splits, effort) for wants, pins in demands.items()}


def _combinations(groups: Sequence[Group], options: Sequence[Sequence[int]]) -> Iterator[Splits]:
    """Least split first."""
    count = 1
    for option in options:
        count *= len(option)
    if count > _MOST_TRIALS:
        steps = max(len(option) for option in options)
        some = [tuple(o[min(step, len(o) - 1)] for o in options) for step in range(steps)]
    else:
        some = list(product(*options))
    ups = [number for number, group in enumerate(groups) if group[0] == UP]
    some.sort(key=lambda splits: (sum(splits), [splits[number] for number in ups], splits))
    for splits in some:
        yield dict(zip(groups, splits, strict=True))
