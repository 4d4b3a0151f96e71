"""What NVUE writes short: ``swp1-4,6``, ``swp1-2s0-3``, ``vlan10,20``, ``0-3,5``."""

from __future__ import annotations

import re
from itertools import product

_LONGEST = 4096  # names out of one range; more is no switch
_PIECE = re.compile(r"[0-9]+(?:-[0-9]+)?|[^0-9]+")
_SPAN = re.compile(r"([0-9]+)-([0-9]+)")
_PREFIX = re.compile(r"[A-Za-z_]+")
_NUMBERS = re.compile(r"[0-9]+(?:-[0-9]+)?")


def names(text: str) -> tuple[str, ...]:
    """Interfaces: ``swp1-2s0-1,5`` → swp1s0, swp1s1, swp2s0, swp2s1, swp5. Others as they are.

    A part that begins with a digit takes the letters of the part before it.
    """
    found: list[str] = []
    prefix = ""
    for part in text.split(","):
        whole = f"{prefix}{part}" if part[:1].isdigit() else part
        letters = _PREFIX.match(whole)
        prefix = letters[0] if letters else prefix
        found.extend(_expanded(whole))
    return tuple(found) if len(found) <= _LONGEST else (text,)


def _expanded(text: str) -> list[str]:
    choices = [_values(piece) for piece in _PIECE.findall(text)]
    count = 1
    for choice in choices:
        count *= len(choice)
    return ["".join(parts) for parts in product(*choices)] if 0 < count <= _LONGEST else [text]


def _values(piece: str) -> list[str]:
    span = _SPAN.fullmatch(piece)
    if span is None:
        return [piece]
    low, high = int(span[1]), int(span[2])
    return [str(n) for n in range(low, high + 1)] if low <= high < low + _LONGEST else [piece]


def codes(text: str, below: int) -> tuple[int, ...]:
    """Numbers of a list such as ``0-3,5``.

    Raises:
        ValueError: it holds something else, or a number from ``below`` on.
    """
    found: list[int] = []
    for part in text.split(","):
        low, _, high = part.partition("-")
        ends = (int(low), int(high or low)) if _NUMBERS.fullmatch(part) else (0, below)
        if ends[1] >= below or ends[0] > ends[1]:
            msg = f"{part!r} is no number or range below {below}"
            raise ValueError(msg)
        found.extend(range(ends[0], ends[1] + 1))
    return tuple(found)
