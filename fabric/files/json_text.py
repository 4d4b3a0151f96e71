"""Large JSON files: read at C speed, with places looked up only for what is wrong."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

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
        told = _Told("RCE004", f"the key {error.key} stands twice", "keep the one that holds")
        raise told.at(text, name, at, path) from None
    except json.JSONDecodeError as error:
        fix = "see whether a quote, a bracket or a comma is wrong here or just before"
        told = _Told("RCE002", f"not JSON: {error.msg}", fix)
        raise told.at(text, name, error.pos) from None
    except (RecursionError, ValueError) as error:
        told = _Told("RCE002", f"not JSON that can be read: {error}", "make the file anew")
        raise told.at(text, name, 0) from None
    if not isinstance(data, dict):
        message = "expected an object, {…}, at the top of the file"
        told = _Told("RCE006", message, "begin with { and a key in quotes")
        raise told.at(text, name, 0)
    return LoadedJson(name, text, data)


class _Told(NamedTuple):
    """What is wrong with a file as a whole."""

    rule: str
    message: str
    fix: str

    def at(self, text: str, name: str, at: int, path: Path = ()) -> InputError:
        """The error, at a place of the text."""
        line, column = text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)
        place = Location(name, line, column, path_text(path))
        message = one_line(self.message)
        return InputError(
            (Finding(self.rule, Severity.ERROR, name, message, fix=self.fix, location=place),)
        )


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        raise _TwiceError(next(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]
    return found


def _no_constant(word: str) -> NoReturn:
    msg = f"{word} is no number of JSON"
    raise ValueError(msg)


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
