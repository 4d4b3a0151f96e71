"""Large JSON files: read at C speed, with places looked up only for what is wrong."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from fabric.files.reading import decode
from fabric.files.yaml_build import one_line, path_text
from fabric.model.finding import Finding, InputError, Location, Severity

if TYPE_CHECKING:
    from fabric.files.yaml_build import Path

_BLANK = re.compile(r"[ \t\n\r]*")
_SCANNER = json.JSONDecoder()


class _TwiceError(ValueError):
    """A key that stands twice in one object."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass(frozen=True)
class LoadedJson:
    """One JSON file: an object at the top."""

    name: str
    text: str
    data: dict[str, Any]

    def locate(self, path: Path) -> Location:
        """Place of a key or list item, or of its nearest ancestor that is in the file."""
        at, found = _place(self.text, path)
        line = self.text.count("\n", 0, at) + 1
        return Location(self.name, line, at - self.text.rfind("\n", 0, at), path_text(found))

    def raw(self, _path: Path) -> None:
        """Nothing: JSON has one spelling of a value that matters."""

    def surprise(self, _path: Path) -> None:
        """Nothing: JSON turns no text into something else."""


def load_json(content: bytes, name: str) -> LoadedJson:
    """Read a JSON file; ``name`` is what locations call it.

    Raises:
        InputError: RCE001 binary or not UTF-8, RCE002 syntax, RCE004 a key that stands twice,
            RCE006 no object at the top.
    """
    text = decode(content, name)
    try:
        data: object = json.loads(text, object_pairs_hook=_once, parse_constant=_no_constant)
    except _TwiceError as error:
        at, path = _twice(text)
        message = f"the key {error.key} stands twice"
        raise _refused("RCE004", name, text, at, message, "keep the one that holds", path) from None
    except json.JSONDecodeError as error:
        message = f"not JSON: {error.msg}"
        fix = "see whether a quote, a bracket or a comma is wrong here or just before"
        raise _refused("RCE002", name, text, error.pos, message, fix) from None
    except (RecursionError, ValueError) as error:
        message = f"not JSON that can be read: {error}"
        raise _refused("RCE002", name, text, 0, message, "make the file anew") from None
    if not isinstance(data, dict):
        message = "expected an object, {…}, at the top of the file"
        raise _refused("RCE006", name, text, 0, message, "begin with { and a key in quotes")
    return LoadedJson(name, text, data)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def _no_constant(word: str) -> NoReturn:
    msg = f"{word} is no number of JSON"
    raise ValueError(msg)


def _refused(
    rule: str, name: str, text: str, at: int, message: str, fix: str, path: Path = ()
) -> InputError:
    place = Location(
        name, text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at), path_text(path)
    )
    finding = Finding(rule, Severity.ERROR, name, one_line(message), fix=fix, location=place)
    return InputError((finding,))


def _place(text: str, path: Path) -> tuple[int, Path]:
    """Where a path stands: of its key, if it has one."""
    value = _skip(text, 0)
    place = value
    for depth, part in enumerate(path):
        for key, at, start in _items(text, value):
            if key == part:
                place, value = at, start
                break
        else:
            return place, path[:depth]
    return place, path


def _items(text: str, at: int) -> list[tuple[str | int, int, int]]:
    """(key or index, its place, place of the value) of each item of a well-formed value."""
    opening = text[at : at + 1]
    if opening not in {"{", "["}:
        return []
    found: list[tuple[str | int, int, int]] = []
    at = _skip(text, at + 1)
    while text[at] not in "}]":
        if text[at] == ",":
            at = _skip(text, at + 1)
        place, key = at, len(found)
        if opening == "{":
            key, at = _SCANNER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        start = at
        _, at = _SCANNER.raw_decode(text, at)
        found.append((key, place, start))
        at = _skip(text, at)
    return found


def _twice(text: str) -> tuple[int, Path]:
    """Place and path of the first key that stands twice; the file is known to have one."""
    waiting: list[tuple[int, Path]] = [(_skip(text, 0), ())]
    while waiting:
        at, path = waiting.pop()
        items = _items(text, at)
        seen: set[str | int] = set()
        for key, place, _ in items:
            if key in seen:
                return place, (*path, key)
            seen.add(key)
        waiting.extend((start, (*path, key)) for key, _, start in reversed(items))
    return 0, ()


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at
