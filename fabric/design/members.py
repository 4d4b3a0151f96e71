"""Names of the places of a block, written as ranges: ``spine-[0-3] spine-[0-3]:2``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FREE = "*"  # a free place; no name has this sign
_LAST_NUMBER = re.compile(r"^(.*?)([0-9]+)([^0-9:]*(?::.*)?)$")
_RANGE = re.compile(r"^([^\[\]]*)\[([0-9]+)-([0-9]+)\]([^\[\]]*)$")
_TOKEN = re.compile(r"^[^\[\]\s*]+$")


def write_members(members: Sequence[str]) -> str:
    """The names in order, runs of consecutive numbers as one range, free places as ``*``."""
    tokens: list[str] = []
    run: list[str] = []
    for member in members:
        if run and not _continues(run[-1], member):
            tokens.append(_range_of(run))
            run = []
        run.append(member)
    if run:
        tokens.append(_range_of(run))
    return " ".join(tokens)


def read_members(text: str, most: int) -> tuple[str, ...]:
    """Undo ``write_members``; ``most``: how many names there may be.

    Raises:
        ValueError: a token that is neither a name, a range nor ``*``, or too many names.
    """
    names: list[str] = []
    for token in text.split():
        names.extend(_expand(token, most - len(names)))
    return tuple(names)


def _split(member: str) -> tuple[str, str, str] | None:
    """Text before, digits and text after the last number of the name (``:2`` is not its name)."""
    found = _LAST_NUMBER.match(member)
    return None if found is None else (found[1], found[2], found[3])


def _continues(before: str, member: str) -> bool:
    """Whether ``member`` is what a range goes on with after ``before``."""
    one, two = _split(before), _split(member)
    if one is None or two is None or (one[0], one[2]) != (two[0], two[2]):
        return False
    return two[1] == _number(int(one[1]) + 1, one[1])


def _number(value: int, like: str) -> str:
    """``value`` padded as ``like`` is: 009 → 010, 9 → 10."""
    return str(value).zfill(len(like)) if like.startswith("0") and len(like) > 1 else str(value)


def _range_of(run: Sequence[str]) -> str:
    first, last = _split(run[0]), _split(run[-1])
    if len(run) == 1 or first is None or last is None:
        return run[0] or FREE
    return f"{first[0]}[{first[1]}-{last[1]}]{first[2]}"


def _expand(token: str, most: int) -> Iterable[str]:
    if most < 1:
        msg = "more names than the block has places"
        raise ValueError(msg)
    if token == FREE:
        return ("",)
    found = _RANGE.match(token)
    if found is None:
        if _TOKEN.match(token):
            return (token,)
        msg = f"'{token}' is neither a name nor a range"
        raise ValueError(msg)
    low, high = int(found[2]), int(found[3])
    if not low <= high < low + most:
        msg = f"'{token}' is no range that fits the block"
        raise ValueError(msg)
    return (f"{found[1]}{_number(n, found[2])}{found[4]}" for n in range(low, high + 1))
