"""A device's JSON output, with whatever stands around it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from fabric.model.reading import Json

_SCANNER = json.JSONDecoder()


def json_of(text: str) -> Json:
    """The first JSON object or array in ``text``; ``None``: there is none that is whole."""
    for place, sign in enumerate(text):
        if sign in "{[":
            try:
                value, _ = _SCANNER.raw_decode(text, place)
            except (ValueError, RecursionError):
                continue
            return cast("Json", value)
    return None


def mapping(value: Json) -> dict[str, Json]:
    """``value`` if it is an object, else an empty one: JSON of a device may be of any shape."""
    return value if isinstance(value, dict) else {}


def listing(value: Json) -> list[Json]:
    """``value`` if it is an array, else an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: Json) -> str | None:
    """``value`` if it is a text or a number, as text."""
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def number_of(value: Json) -> int | None:
    """``value`` if it is a whole number or its text."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else None
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal():
        return int(value)
    return None
