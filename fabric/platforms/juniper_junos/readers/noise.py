"""Lines around an output that say nothing: whose turn it is, which member speaks."""

from __future__ import annotations

import re

_NOISE = re.compile(
    r"\{(?:master|backup|linecard|primary|secondary)[^}]*\}|(?:fpc|re|node)\d+:|-{5,}"
    r"|(?:[#>] *)?show [a-z].*"
)


def said(lines: list[str] | tuple[str, ...]) -> tuple[str, ...]:
    """The lines that are something, without blanks around them."""
    bare = (line.strip() for line in lines)
    return tuple(line for line in bare if line and not _NOISE.fullmatch(line))
