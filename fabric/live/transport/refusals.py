"""Replies that mean a refused line: the error patterns of a system, always looked for."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


# strerror(3) of ENOSPC; systems pass it on with no sign of an error of their own, or as a success.
_ALWAYS = ("[Nn]o space left on device",)


class Refusals:
    """The error patterns of a system, each searched in single lines, and that of a full disk."""

    def __init__(self, patterns: Iterable[str]) -> None:
        self._patterns = _compiled((*patterns, *_ALWAYS))

    def find(self, reply: str, tolerates: tuple[str, ...] = ()) -> str | None:
        """What the first line that means a refusal says; ``tolerates``: patterns that do not."""
        if not reply:
            return None
        allowed = tuple(re.compile(pattern) for pattern in tolerates)
        found = [
            (hit.start(), message)
            for pattern in self._patterns
            if pattern.pattern not in tolerates
            for hit in pattern.finditer(reply)
            if (message := _message(pattern, reply, hit.start(), allowed)) is not None
        ]
        return min(found)[1] if found else None


def _message(
    pattern: re.Pattern[str], reply: str, at: int, allowed: tuple[re.Pattern[str], ...]
) -> str | None:
    """What is told of the line at this place, should the pattern match in that line alone."""
    end = reply.find("\n", at)
    line = reply[reply.rfind("\n", 0, at) + 1 : len(reply) if end < 0 else end]
    hit = pattern.search(line)
    if hit is None or any(each.search(line) for each in allowed):
        return None
    return (hit.groupdict().get("message") or line).strip() or line.strip()


@lru_cache(maxsize=64)
def _compiled(patterns: tuple[str, ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(pattern, re.MULTILINE) for pattern in patterns)
