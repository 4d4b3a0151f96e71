"""JSON of Junos: every value is ``[{"data": …}]``; newer boxes can print it plain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.reading.json_output import json_of, listing, mapping, text_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.reading import Json

_DEEP = 40


def elements(value: Json, name: str, depth: int = 0) -> Iterator[dict[str, Json]]:
    """The elements of that name, wherever they first occur: a cluster wraps all in one more."""
    if depth > _DEEP:
        return
    if isinstance(value, list):
        for one in value:
            yield from elements(one, name, depth + 1)
    elif isinstance(value, dict):
        if name in value:
            yield from children(value, name)
            return
        for below in value.values():
            yield from elements(below, name, depth + 1)


def children(element: dict[str, Json], name: str) -> list[dict[str, Json]]:
    """The elements of that name directly below."""
    found = element.get(name)
    return [mapping(one) for one in (listing(found) if isinstance(found, list) else [found])]


def leaf(element: dict[str, Json], name: str) -> str | None:
    """The text of a value below; ``None``: it is not there, or empty."""
    found = element.get(name)
    first = (listing(found) or [None])[0] if isinstance(found, list) else found
    text = text_of(mapping(first).get("data") if isinstance(first, dict) else first)
    return text.strip() or None if text is not None else None


def has(text: str, name: str) -> Json:
    """The document, if it has an element of that name at its top or in a cluster's results."""
    document = json_of(text)
    return document if next(elements(document, name), None) is not None else None
