"""OS10's configuration as a tree of lines, its ports by their full names."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.reading.sections import indented

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.reading.sections import Line

_SPAN = re.compile(r"(\d+)(?:-(\d+))?")
_RANGE = re.compile(r"range\s+(?P<kind>[A-Za-z-]+)\s*(?P<list>[\d/:,\s-]+)", re.IGNORECASE)
_PORTS = re.compile(r"(?P<stem>(?:\d+/)*(?:\d+:)?)(?P<low>\d+)(?:-(?P<to>[\d/:]+))?")
_MOST = 4096  # ports of one range


def config_of(text: str) -> Line:
    """The whole configuration as one section."""
    return indented(text, comments=("!",))


def texts_below(line: Line) -> Iterator[str]:
    """All lines below, at any depth: generators indent the lines of a port unevenly."""
    for child in line.below:
        yield child.text
        yield from texts_below(child)


def port_lines(config: Line) -> dict[str, list[str]]:
    """Lines of each interface in order. A section that comes again goes on where it ended."""
    found: dict[str, list[str]] = {}
    for rest, section in config.all("interface"):
        for name in port_names(rest):
            found.setdefault(name, []).extend(texts_below(section))
    return found


def port_names(text: str) -> list[str]:
    """``Ethernet 1/1/44`` → ``ethernet1/1/44``; ``range ethernet1/1/1-1/1/4`` → the four."""
    span = _RANGE.fullmatch(text.strip())
    if span is None:
        bare = "".join(text.split()).lower()
        return [] if bare.startswith("breakout") else [bare]
    kind, names = span["kind"].lower(), []
    for part in "".join(span["list"].split()).split(","):
        found = _PORTS.fullmatch(part)
        if found is None:
            continue
        last = re.split(r"[/:]", found["to"])[-1] if found["to"] else found["low"]
        low, high = int(found["low"]), int(last or found["low"])
        names += [f"{kind}{found['stem']}{n}" for n in range(low, min(high, low + _MOST) + 1)]
    return names


def numbers(text: str, below: int) -> list[int] | None:
    """``0-2,4-6`` or ``0-2, 4-6`` as numbers; ``None``: something else, or one out of range."""
    found: list[int] = []
    for part in "".join(text.split()).split(","):
        span = _SPAN.fullmatch(part)
        if span is None:
            return None
        low, high = int(span[1]), int(span[2] or span[1])
        if high >= below or low > high:
            return None
        found += range(low, high + 1)
    return found
