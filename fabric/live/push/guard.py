"""What no candidate may lose: the lines that let us in, and let us in again.

Pure functions of the configuration in force and the one that shall be.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from fabric.live.push.classes import changed_paths, matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.push import Files

# Words that take a line away, or back to what the system is shipped with.
_NEGATION = re.compile(r"(?:no|undo|default|delete)\s+")

_DISCARDS = re.compile(
    r"(?i)\b(?:route|route-static|static|static_route)\b.*\b(?:null ?0|blackhole|discard)\b"
)
_PREFIX = re.compile(r"(?<![\w.:])([\da-fA-F.:]+)[/ ]((?:\d+\.){3}\d+|\d{1,3})(?![\w.:])")
_WIDE = 8  # bits: no network of ours; nearly all that is behind a gateway


def touched(before: Files, target: Files, protected: Iterable[str]) -> tuple[str, ...]:
    """Protected lines that differ between the two, ``-`` or ``+`` in front, headers before them.

    A line added below a protected header changes that section as much as one that goes; so does
    the negation of a protected line.
    """
    patterns = [re.compile(pattern) for pattern in protected]
    found: list[str] = []
    for name in sorted({*before, *target}):
        old, new = (_matching(files.get(name, ""), patterns) for files in (before, target))
        found += [f"-{path}" for path in (old - new).elements()]
        found += [f"+{path}" for path in (new - old).elements()]
    return tuple(found)


def told(diff: Iterable[str], protected: Iterable[str]) -> tuple[str, ...]:
    """The same of a difference in the words of the system: tables and rows have no lines."""
    patterns = [re.compile(pattern) for pattern in protected]
    return tuple(
        f"{sign}{path}"
        for sign, path in changed_paths(diff)
        if any(matches(p, sign, form) for p in patterns for form in _forms(path))
    )


def swallowed(diff: Iterable[str], address: str) -> tuple[str, ...]:
    """New routes that drop what a prefix below 8 bits holds, or the network of ``address``.

    What a plan drops is of its own pools, which never hold a management address.
    """
    return tuple(
        f"{sign}{path}"
        for sign, path in changed_paths(diff)
        if sign == "+" and " > " not in path and _DISCARDS.search(path) and _swallows(path, address)
    )


def _swallows(path: str, address: str) -> bool:
    for start, length in _PREFIX.findall(path):
        try:
            network = ip_network(f"{start}/{length}", strict=False)
            if network.prefixlen < _WIDE or (address and ip_address(address) in network):
                return True
        except ValueError:  # words that only look like a prefix
            continue
    return False


def lost_words(before: Files, target: Files, words: Iterable[str]) -> tuple[str, ...]:
    """Those of ``words`` (our user, the management address) that the target no longer holds.

    File by file: that it stands in what the device boots from is not enough. A file of which the
    target does not speak is saved from the others.
    """
    lost = []
    everything = "\n".join(target.values())
    for word in words:
        pattern = re.compile(rf"(?<![\w.:-]){re.escape(word)}(?![\w:-]|\.\w)")
        if any(
            pattern.search(old) and not pattern.search(target.get(name, everything))
            for name, old in before.items()
        ):
            lost.append(word)
    return tuple(lost)


def _matching(text: str, patterns: list[re.Pattern[str]]) -> Counter[str]:
    return Counter(
        path
        for path in line_paths(text)
        if any(pattern.search(form) for pattern in patterns for form in _forms(path))
    )


def _forms(path: str) -> tuple[str, ...]:
    """The line as it is written, and what it negates."""
    negation = _NEGATION.match(path)
    return (path, path[negation.end() :]) if negation else (path,)


def line_paths(text: str) -> Iterator[str]:
    """Each line with the headers above it, ``header > line``: by indentation, or by JSON's keys."""
    if text.lstrip()[:1] in {"{", "["}:
        try:
            data = json.loads(text)
        except ValueError:
            pass  # braces of another language
        else:
            yield from _json_paths(data)
            return
    yield from _indented_paths(text)


def _json_paths(value: object, above: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _json_paths(item, (*above, str(key)))
        if not value:
            yield " > ".join(above)
    elif isinstance(value, list):
        for item in value:
            yield from _json_paths(item, above)
    else:
        yield " > ".join((*above, value if isinstance(value, str) else json.dumps(value)))


def _indented_paths(text: str) -> Iterator[str]:
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        words = line.strip().removesuffix("{").rstrip()
        if line in {"#", "!"}:  # ends a section, also where what follows is indented (Comware)
            above.clear()
        if not words or set(words) <= set("}]!#;"):
            continue
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, words))
        yield " > ".join(part for _, part in above)
