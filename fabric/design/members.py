"""Names of the places of a block, written as ranges: ``spine-[0-3] spine-[0-3]:2``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

FREE = "*"  # a free place; no name has this sign
_NUMBERS = re.compile(r"([0-9]+)")
_RANGE = re.compile(r"^([^\[\]]*)\[([0-9]+)-([0-9]+)\]([^\[\]]*)$")
_TOKEN = re.compile(r"^[^\[\]\s*]+$")


def write_members(members: Sequence[str]) -> str:
    """The names in order, runs that count up in one number as a range, free places as ``*``."""
    tokens: list[str] = []
    run: list[str] = []
    counts: int | None = None  # which part of the run's names is the number that counts up
    for member in members:
        step = _step(run[-1], member) if run else None
        if step is None or (counts is not None and step != counts):
            tokens += _token(run, counts)
            run, step = [], None
        run.append(member)
        counts = step
    tokens += _token(run, counts)
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


def _step(before: str, member: str) -> int | None:
    """The part of the name that is one more than before, all others being equal."""
    one, two = _NUMBERS.split(before), _NUMBERS.split(member)
    if len(one) != len(two):
        return None
    differ = [place for place, pair in enumerate(zip(one, two, strict=True)) if pair[0] != pair[1]]
    if len(differ) != 1 or differ[0] % 2 == 0:  # odd parts are the numbers
        return None
    place = differ[0]
    return place if two[place] == _number(int(one[place]) + 1, one[place]) else None


def _number(value: int, like: str) -> str:
    """``value`` padded as ``like`` is: 009 → 010, 9 → 10."""
    return str(value).zfill(len(like)) if like.startswith("0") and len(like) > 1 else str(value)


def _token(run: Sequence[str], counts: int | None) -> list[str]:
    """The run as one token; nothing for an empty run."""
    if counts is None:
        return [name or FREE for name in run]
    parts, last = _NUMBERS.split(run[0]), _NUMBERS.split(run[-1])
    parts[counts] = f"[{parts[counts]}-{last[counts]}]"
    return ["".join(parts)]


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
