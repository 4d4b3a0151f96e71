"""Names and identities: natural order, link ids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

_DIGITS = re.compile(r"(\d+)")
_LONGEST_NUMBER = 64  # longer digits count nothing, and Python refuses to read thousands of them


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """Sort key under which ``leaf-2`` comes before ``leaf-10``."""
    return tuple(
        (0, int(part), part) if part.isdecimal() and len(part) <= _LONGEST_NUMBER else (1, 0, part)
        for part in _DIGITS.split(text)
        if part
    )


def natural_sorted(names: Iterable[str]) -> list[str]:
    """The names in natural order."""
    return sorted(names, key=natural_key)


def link_id(a: str, b: str, ordinal: int) -> str:
    """``a:b:n``: ends in natural order, n-th cable between the two, from 1.

    Raises:
        ValueError: if ``ordinal`` is below 1.
    """
    if ordinal < 1:
        msg = f"cables between two devices are counted from 1, not {ordinal}"
        raise ValueError(msg)
    first, second = natural_sorted((a, b))
    return f"{first}:{second}:{ordinal}"
