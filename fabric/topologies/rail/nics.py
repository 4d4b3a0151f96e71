"""Which rail each NIC of a host is on."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.model.finding import Problem, ProblemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.model.intent import HostGroup

_TEXT_AT_MOST = 4  # rails that a message names


def rails_of_nics(groups: Sequence[HostGroup], rails: int) -> Mapping[str, tuple[int, ...]]:
    """By host group the rail of each NIC: NIC r on rail r, unless the group says otherwise.

    With k NICs a rail, NICs that are neighbours share it (two ports of one adapter serve one
    GPU): NIC n is on rail n // k.

    Raises:
        ProblemError: RCE016, NICs that do not spread evenly over the rails.
    """
    found: dict[str, tuple[int, ...]] = {}
    problems: list[Problem] = []
    for number, group in enumerate(groups):
        each, rest = divmod(group.nics, rails)
        if rest or not each:
            problems.append(_uneven(group, rails, number))
            continue
        written = group.rails
        if each > 1 and written == tuple(range(group.nics)):  # what is filled in by default
            written = tuple(nic // each for nic in range(group.nics))
        found[group.name] = written
        problems += _misplaced(group, written, rails, number)
    if problems:
        raise ProblemError(tuple(problems))
    return found


def _uneven(group: HostGroup, rails: int, number: int) -> Problem:
    each, rest = divmod(group.nics, rails)
    nics = "1 NIC" if group.nics == 1 else f"{group.nics} NICs"
    message = (
        f"{group.name}: {nics} a host for {rails} rails: every rail takes the same number, and "
        f"{group.nics} = {each} × {rails} + {rest}"
    )
    fix = f"nics: {rails * max(1, each)}, or rails: {group.nics}"
    return Problem("RCE016", ("hosts", number, "nics"), message, fix, subject=group.name)


def _misplaced(
    group: HostGroup, written: tuple[int, ...], rails: int, number: int
) -> list[Problem]:
    """RCE016 for rails of the user's own that do not exist or have more NICs than others."""
    each = group.nics // rails
    counts = Counter(written)
    if all(counts[rail] == each for rail in range(rails)):
        return []
    beyond = sorted(rail for rail in counts if rail >= rails)
    if beyond:
        message = f"{group.name}: there is no rail {beyond[0]}: rails are 0 to {rails - 1}"
    else:
        odd = [rail for rail in range(rails) if counts[rail] != each]
        parts = [f"rail {rail} has {counts[rail]}" for rail in odd[:_TEXT_AT_MOST]]
        message = f"{group.name}: every rail takes {each} of the NICs, but {', '.join(parts)}"
    fix = "name every rail equally often, or leave rails out"
    return [Problem("RCE016", ("hosts", number, "rails"), message, fix, subject=group.name)]
