"""What stands after ``|``: lines are kept or dropped; pagers are told not to page."""

from __future__ import annotations

import re

_KEEP = {"include", "grep", "match"}
_DROP = {"exclude", "except"}
_FROM = {"begin", "find"}


def apply(text: str, pipes: list[str]) -> str:
    """A reply after its filters; unknown ones change nothing."""
    lines = text.splitlines()
    for pipe in pipes:
        word, _, pattern = pipe.strip().partition(" ")
        try:
            wanted = re.compile(pattern.strip().strip('"'))
        except re.error:
            continue
        if word in _KEEP:
            lines = [line for line in lines if wanted.search(line)]
        elif word in _DROP:
            lines = [line for line in lines if not wanted.search(line)]
        elif word in _FROM:
            start = next((n for n, line in enumerate(lines) if wanted.search(line)), len(lines))
            lines = lines[start:]
        elif word == "count":
            lines = [f"Count: {len(lines)} lines"]
    return "".join(f"{line}\n" for line in lines)
