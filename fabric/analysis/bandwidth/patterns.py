"""Who sends to whom in one trial: endpoints by number among those attached."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.bandwidth.demand import NoGroupsError

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.network import Ints

BISECTION, PERMUTATION, ADVERSARIAL = "bisection", "permutation", "adversarial"
PATTERNS = (BISECTION, PERMUTATION, ADVERSARIAL)


def drawn(plant: Plant, word: str, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Sources and targets.

    ``bisection``: random halves, a random matching, both directions; of an odd count one endpoint
    stays idle. ``permutation``: everybody sends to one other. ``adversarial``: endpoints of group i
    to endpoints of group i + 1, drawn one to one.

    Raises:
        NoGroupsError: adversarial without groups.
    """
    attached = plant.attached
    if word == BISECTION:
        order = random.permutation(attached)
        half = len(order) // 2
        one, other = order[:half], order[half : 2 * half]
        return np.concatenate((one, other)), np.concatenate((other, one))
    if word == PERMUTATION:
        return attached, attached[_derangement(len(attached), random)]
    return _from_group_to_group(plant, random)


def _derangement(count: int, random: np.random.Generator) -> Ints:
    """A random permutation in which nobody sends to itself."""
    if count < 2:  # noqa: PLR2004 - there is nobody else
        return np.arange(0)
    while True:
        order = random.permutation(count)
        if (order != np.arange(count)).all():
            return order


def _from_group_to_group(plant: Plant, random: np.random.Generator) -> tuple[Ints, Ints]:
    attached = plant.attached
    group = plant.network.group[plant.leaf[attached, 0]]
    present = np.unique(group)
    if len(present) < 2 or (present < 0).any():  # noqa: PLR2004 - from one to another
        msg = "the switches are not in several groups"
        raise NoGroupsError(msg)
    source, target = [], []
    for number, here in enumerate(present):
        there = present[(number + 1) % len(present)]
        ours, theirs = attached[group == here], random.permutation(attached[group == there])
        source.append(ours)
        target.append(np.resize(theirs, len(ours)))
    return np.concatenate(source), np.concatenate(target)
