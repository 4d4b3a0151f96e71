"""Ranges in names: ``leaf-[0-3]``, ``gpu-[001-064]``, ``r[1-4]-l[0-3]``, ``gpu-[1-4,7]``."""

from __future__ import annotations

import re
from itertools import product

MAX_NAMES = 1_000_000  # a typing error must not fill the memory

HINT = "ranges look like leaf-[0-3], gpu-[001-064] or gpu-[1-4,7]"

_PART = re.compile(r"\[([^\[\]]*)\]")
_ITEM = re.compile(r"([0-9]{1,9})(?:-([0-9]{1,9}))?\Z")


class RangeError(ValueError):
    """A range that cannot be expanded; the text says why."""


def is_range(text: str) -> bool:
    """Whether the text has brackets at all."""
    return "[" in text or "]" in text


def expand(text: str) -> tuple[str, ...]:
    """All names of a pattern, the last range running fastest; zero padding is kept.

    Raises:
        RangeError: brackets that hold no range, a range that runs backwards, mixed padding, or
            more than ``MAX_NAMES`` names.
    """
    if not is_range(text):
        return (text,)
    pieces = _PART.split(text)
    fixed, ranges = pieces[::2], pieces[1::2]
    if any(is_range(piece) for piece in fixed):
        msg = f"{text} has a bracket without its partner"
        raise RangeError(msg)
    choices = [_values(inner, text) for inner in ranges]
    total = 1
    for values in choices:
        total *= len(values)
        if total > MAX_NAMES:
            msg = f"{text} stands for more than {MAX_NAMES:,} names"
            raise RangeError(msg)
    return tuple(
        "".join(map("".join, zip(fixed, (*picked, ""), strict=True)))
        for picked in product(*choices)
    )


def _values(inner: str, text: str) -> list[str]:
    values: list[str] = []
    for item in inner.split(","):
        match = _ITEM.match(item.strip())
        if match is None:
            msg = f"[{inner}] in {text} is no range: write [0-3] or [0-3,7]"
            raise RangeError(msg)
        values.extend(_span(match.group(1), match.group(2) or match.group(1), text))
        if len(values) > MAX_NAMES:
            break
    if len(set(values)) != len(values):
        msg = f"[{inner}] in {text} names a number twice"
        raise RangeError(msg)
    return values


def _span(first: str, last: str, text: str) -> list[str]:
    low, high = int(first), int(last)
    if high < low:
        msg = f"[{first}-{last}] in {text} runs backwards: write [{last}-{first}]"
        raise RangeError(msg)
    if high - low >= MAX_NAMES:
        msg = f"{text} stands for more than {MAX_NAMES:,} names"
        raise RangeError(msg)
    padded = (first.startswith("0") and len(first) > 1) or (last.startswith("0") and len(last) > 1)
    if padded and len(first) != len(last):
        alike = f"[{first}-{high:0{len(first)}d}]"
        msg = f"[{first}-{last}] in {text} mixes widths: pad both ends alike, {alike}"
        raise RangeError(msg)
    width = len(first) if padded else 0
    return [f"{number:0{width}d}" for number in range(low, high + 1)]


_INDEX = re.compile(r"\{n(?::0([1-9]))?\}")


def numbered(pattern: str, count: int) -> tuple[str, ...]:
    """``count`` names of a pattern with ``{n}`` (from 0) or ``{n:03}`` (padded).

    Raises:
        RangeError: the pattern has no ``{n}``, or another brace, or more than ``MAX_NAMES`` names.
    """
    if not _INDEX.search(pattern) or re.search(r"[{}]", _INDEX.sub("", pattern)):
        msg = f"{pattern} needs {{n}} where the number goes, such as gpu-{{n}} or gpu-{{n:03}}"
        raise RangeError(msg)
    if count > MAX_NAMES:
        msg = f"{count:,} names of {pattern} are more than {MAX_NAMES:,}"
        raise RangeError(msg)
    form = _INDEX.sub(lambda match: f"{{0:0{match.group(1) or 0}d}}", pattern)
    return tuple(form.format(number) for number in range(count))
