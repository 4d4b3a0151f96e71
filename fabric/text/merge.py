"""Configs in JSON: blocks into one object, a value set twice is an error; the result as text."""

from __future__ import annotations

import json
import re
from functools import lru_cache
from json.encoder import encode_basestring_ascii as quoted
from typing import Any

from fabric.model.names import natural_key

Json = dict[str, Any]

# A string cannot hold a line break, so a comma before one and a bracket is never part of a value.
# The comma comes first in the pattern: the engine then leaps from comma to comma.
_LAST_COMMA = re.compile(r",(?<=[\"\w}\]],)(?=[ \t]*\n\s*[}\]])")

_key = lru_cache(maxsize=65_536)(natural_key)  # the ports of all switches bear the same names


class BlockError(ValueError):
    """A block yields something else than one JSON object, or a value that is set already."""


def block_object(text: str) -> Json:
    """The object that a block yields; nothing but blanks is an empty one.

    A comma after the last item of a list or an object is taken off if the closing bracket stands
    on a later line, so that templates can end every item of a loop alike.

    Raises:
        BlockError: no JSON, no object, or a key twice in one object.
    """
    if not text or text.isspace():
        return {}
    try:
        value = json.loads(_LAST_COMMA.sub("", text), object_pairs_hook=_once)
    except json.JSONDecodeError as error:
        line = text.splitlines()[error.lineno - 1].strip() if text else ""
        msg = f"yields no JSON: {error.msg} at {line[:80]!r}"
        raise BlockError(msg) from error
    if not isinstance(value, dict):
        msg = "yields no JSON object"
        raise BlockError(msg)
    return value


def _once(pairs: list[tuple[str, Any]]) -> Json:
    value = dict(pairs)
    if len(value) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        msg = f"sets {twice} twice"
        raise BlockError(msg)
    return value


def merge_into(target: Json, addition: Json, path: tuple[str, ...] = ()) -> None:
    """Add the values of ``addition`` to ``target`` in place, object by object.

    Objects below are copied before they grow, so an addition can be used again.

    Raises:
        BlockError: a value that ``target`` has already, even an equal one.
    """
    for key, value in addition.items():
        here = target.get(key)
        if here is None:
            target[key] = value
        elif isinstance(here, dict) and isinstance(value, dict) and (here or value):
            grown = target[key] = dict(here)
            merge_into(grown, value, (*path, key))
        else:
            msg = f"sets {'|'.join((*path, key))}, which is set already"
            raise BlockError(msg)


def json_text(value: Json, indent: int, spelled: dict[int, str | None] | None = None) -> str:
    """The object as text: keys in natural order, one item a line, ends in a newline.

    Like ``json.dumps`` with ``indent``, whose encoder is written in Python and takes ten times
    as long on a switch's config. ``spelled``: items of the object that come again, by identity,
    and their text once it is known.
    """
    step = " " * indent
    if not spelled:
        return _item(value, "\n", step) + "\n"
    inner = "\n" + step
    texts = []
    for key, item in sorted(value.items(), key=_by_key):
        text = spelled.get(id(item))
        if text is None:
            text = _item(item, inner, step)
            if id(item) in spelled:
                spelled[id(item)] = text
        texts.append(f"{quoted(key)}: {text}")
    return "{" + inner + ("," + inner).join(texts) + "\n}\n"


def _item(value: object, line: str, step: str) -> str:
    if type(value) is str:
        return quoted(value)
    if isinstance(value, dict):
        items = tuple(value.items())
        try:
            "".join(value.values())
        except TypeError:  # it holds something else than text: 1 and true would be one key
            return _object(items, line, step)
        return _row(items, line, step)
    if isinstance(value, list) and value:
        inner = line + step
        return "[" + inner + ("," + inner).join(_item(x, inner, step) for x in value) + line + "]"
    return json.dumps(value)


def _object(items: tuple[tuple[str, object], ...], line: str, step: str) -> str:
    if not items:
        return "{}"
    inner = line + step
    texts = [
        f"{quoted(key)}: {quoted(item) if type(item) is str else _item(item, inner, step)}"
        for key, item in sorted(items, key=_by_key)
    ]
    return "{" + inner + ("," + inner).join(texts) + line + "}"


_row = lru_cache(maxsize=16_384)(_object)  # few kinds of rows, written for each port again


def _by_key(item: tuple[str, object]) -> tuple[tuple[int, int, str], ...]:
    return _key(item[0])
