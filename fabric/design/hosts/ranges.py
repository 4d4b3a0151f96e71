"""Host lists in short: ``gpu-1 … gpu-64`` as one range, in rank order."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.device import NameRange

if TYPE_CHECKING:
    from collections.abc import Iterable

_NUMBERED = re.compile(r"(.*?)(\d+)")


def name_ranges(names: Iterable[str]) -> tuple[NameRange, ...]:
    """The names as ranges, in their order; a name without a number at its end stands alone."""
    ranges: list[NameRange] = []
    for name in names:
        last = ranges[-1] if ranges else None
        if last is not None and name == last.name(last.count):
            ranges[-1] = NameRange(last.prefix, last.first, last.digits, last.count + 1)
        else:
            ranges.append(_alone(name))
    return tuple(ranges)


def _alone(name: str) -> NameRange:
    match = _NUMBERED.fullmatch(name)
    if match is None:
        return NameRange(name, None, 0, 1)
    prefix, number = match.groups()
    padded = number.startswith("0") and len(number) > 1
    return NameRange(prefix, int(number), len(number) if padded else 0, 1)
