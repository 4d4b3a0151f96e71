"""A device's XML output: one reply or several, whole or cut off, with whatever stands around it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast
from xml.etree.ElementTree import ParseError, XMLPullParser

if TYPE_CHECKING:
    from collections.abc import Iterable
    from xml.etree.ElementTree import Element

_REPLY = re.compile(r"<\?xml\b[^>]*\?>")


def elements(text: str, tag: str) -> list[Element]:
    """Elements of that name, without namespaces, in the order of their ends.

    What is whole is found even where the text breaks off or another reply follows. A doctype, which
    could define entities, ends the reading: each reply is read inside an element of our own.
    """
    found: list[Element] = []
    for part in _REPLY.split(text):
        start = part.find("<")
        if start >= 0:
            _of_reply(part[start:], tag, found)
    return found


def _of_reply(text: str, tag: str, found: list[Element]) -> None:
    parser: XMLPullParser[Element] = XMLPullParser(events=("end",))
    try:
        parser.feed("<all>")  # the first tag may be gone: alone in its line it looks like a prompt
        parser.feed(text.encode("utf-8", "replace"))
        for _, element in cast("Iterable[tuple[str, Element]]", parser.read_events()):
            element.tag = element.tag.rpartition("}")[2]
            if element.tag == tag:
                found.append(element)
    except ParseError:
        return  # what came before stands


def text_at(element: Element, path: str) -> str | None:
    """The text of the element below, without blanks around it; ``None``: absent or empty."""
    return (element.findtext(path) or "").strip() or None
