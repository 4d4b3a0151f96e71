"""Numbers as devices print them."""

from __future__ import annotations

import re

_WHOLE = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+|[+-]?\d+")
_SPEED = re.compile(
    r"(?i)(\d+(?:\.\d+)?)\s*(k|m|g|t)?\s*(?:b(?:it)?s?(?:/s|ps|/sec)?|bps|base\S*|e)?"
)
_FACTORS = {"k": 0.001, "m": 1.0, "g": 1000.0, "t": 1_000_000.0}


def whole(text: str | None) -> int | None:
    """``1,234`` or ``1234`` → 1234; anything else, ``N/A`` or ``-`` too, → ``None``."""
    if text is None:
        return None
    found = _WHOLE.fullmatch(text.strip())
    return int(found[0].replace(",", "")) if found else None


def speed_mbps(text: str | None, default_unit: str = "m") -> int | None:
    """``100G``, ``100 Gb/s``, ``10000``, ``a-25G`` , ``1000Mbps`` → Mb/s; ``auto`` → ``None``.

    ``default_unit``: what a bare number counts, ``k``, ``m`` or ``g``.
    """
    if text is None:
        return None
    bare = text.strip().lower().removeprefix("a-")
    found = _SPEED.fullmatch(bare)
    if found is None:
        return None
    return round(float(found[1]) * _FACTORS[found[2] or default_unit])


def up_or_down(text: str | None) -> str | None:
    """``Up``, ``UP``, ``down``, ``*down``, ``up(s)`` → ``up`` or ``down``; else ``None``."""
    if text is None:
        return None
    word = text.strip().lower().lstrip("*^!#").split("(")[0].strip()
    return {"up": "up", "down": "down", "u": "up", "d": "down"}.get(word)
