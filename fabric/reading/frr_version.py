"""FRR: ``show version``."""

from __future__ import annotations

import re

from fabric.model.reading import Reading

_FIRST = re.compile(r"^\s*FRRouting (\S+)(?: \(([^)]*)\))?", re.MULTILINE)


def version(text: str) -> Reading:
    """``version``, ``hostname``. The copyright and build lines say nothing more."""
    found = _FIRST.search(text)
    if not found:
        return Reading()
    return Reading(
        {"version": found[1].rstrip("."), **({"hostname": found[2]} if found[2] else {})}
    )
