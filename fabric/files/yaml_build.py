"""Parser events → plain data and the places it came from, bounded in size and depth."""

from __future__ import annotations

from typing import Any

import yaml

from fabric.files.yaml_scalars import Scalar, Surprise, refused_everywhere, resolve
from fabric.model.finding import Finding, InputError, Location, Severity

MAX_VALUES = 2_000_000  # after aliases are followed: an alias bomb stays small in the file
MAX_DEPTH = 64

Data = dict[str, Any] | list[Any] | Scalar
Path = tuple[str | int, ...]


def path_text(path: Path) -> str:
    """``("links", 12, "a")`` → ``links[12].a``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


class Spot:
    """Where a value stands: line and column from 1; of its key if it has one."""

    __slots__ = ("children", "column", "depth", "kind", "line", "raw", "size", "surprise")

    def __init__(self, line: int, column: int, kind: str) -> None:
        self.line, self.column, self.kind = line, column, kind
        self.children: dict[str, Spot] | list[Spot] | None = None
        self.raw: str | None = None
        self.surprise: Surprise | None = None
        self.size = 1  # values below, aliases followed
        self.depth = 1

    def child(self, part: str | int) -> Spot | None:
        """The spot of one key or list item."""
        if isinstance(self.children, dict):
            return self.children.get(part) if isinstance(part, str) else None
        if isinstance(self.children, list) and isinstance(part, int):
            return self.children[part] if 0 <= part < len(self.children) else None
        return None

    def under_key(self, key: Spot) -> Spot:
        """The same value, placed at its key."""
        placed = Spot(key.line, key.column, self.kind)
        placed.children, placed.raw, placed.surprise = self.children, self.raw, self.surprise
        placed.size, placed.depth = self.size, self.depth
        return placed


class _Frame:
    """A mapping or list that is being filled."""

    __slots__ = ("anchor", "data", "key", "skip", "spot")

    def __init__(self, data: dict[str, Any] | list[Any], spot: Spot, anchor: str | None) -> None:
        self.data, self.spot, self.anchor = data, spot, anchor
        self.key: tuple[str, Spot] | None = None
        self.skip = False  # the next value belongs to a key that was refused


class Builder:
    """Takes events one by one; ``problems`` grows, ``result()`` is what was read."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.problems: list[Finding] = []
        self._stack: list[_Frame] = []
        self._anchors: dict[str, tuple[Data, Spot] | None] = {}  # None: not finished yet
        self._root: tuple[Data, Spot] | None = None
        self._documents = 0

    def result(self) -> tuple[Data, Spot | None]:
        """Data and spot of the first document."""
        return self._root or (None, None)

    def take(self, event: Any) -> None:
        """One parser event.

        Raises:
            InputError: too many values, too deep, or a second document.
        """
        kind = type(event)
        if kind is yaml.ScalarEvent:
            self._scalar(event)
        elif kind is yaml.MappingStartEvent or kind is yaml.SequenceStartEvent:
            self._open(event)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close()
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                raise self._stop("RCE002", event, "a second document begins here (---)")

    def _close(self) -> None:
        frame = self._stack.pop()
        if frame.anchor is not None:
            self._anchors[frame.anchor] = (frame.data, frame.spot)
        self._put(frame.data, frame.spot)

    def _scalar(self, event: Any) -> None:
        text: str = event.value
        spot = self._spot(event, "a single value")
        spot.raw = text
        if event.tag is not None:
            self._tag(event)
        if self._wants_key():
            self._put(text, spot)
            return
        value: Data = text
        if event.implicit[0]:  # plain, not in quotes
            refused = refused_everywhere(text)
            if refused is not None:
                self._note("RCE003", event, refused.message, refused.fix)
            resolved = resolve(text)
            if isinstance(resolved, Surprise):
                spot.surprise = resolved
            else:
                value = resolved
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, spot)
        self._put(value, spot)

    def _open(self, event: Any) -> None:
        is_mapping = isinstance(event, yaml.MappingStartEvent)
        if event.tag is not None:
            self._tag(event)
        if len(self._stack) >= MAX_DEPTH:
            raise self._stop("RCE002", event, f"nested deeper than {MAX_DEPTH} levels")
        spot = self._spot(event, "a mapping" if is_mapping else "a list")
        spot.children = {} if is_mapping else []
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._stack.append(_Frame({} if is_mapping else [], spot, event.anchor))

    def _alias(self, event: Any) -> None:
        if event.anchor not in self._anchors:
            self._note("RCE002", event, f"there is no anchor &{event.anchor} above")
            self._put(None, self._spot(event, "nothing"))
            return
        known = self._anchors[event.anchor]
        if known is None:
            message = f"*{event.anchor} lies inside &{event.anchor}: it would contain itself"
            self._note("RCE008", event, message, "write the value out")
            self._put(None, self._spot(event, "nothing"))
            return
        value, spot = known
        if self._wants_key() and not isinstance(value, str):
            value = None  # refused as a key
        self._put(value, spot.under_key(self._spot(event, spot.kind)))

    def _put(self, value: Data, spot: Spot) -> None:
        if not self._stack:
            self._root = (value, spot)
            return
        frame = self._stack[-1]
        if isinstance(frame.data, list):
            frame.data.append(value)
            self._grow(frame, spot)
            if isinstance(frame.spot.children, list):
                frame.spot.children.append(spot)
        elif frame.key is None and not frame.skip:
            self._key(frame, value, spot)
        elif frame.skip:
            frame.skip = False
        elif frame.key is not None and isinstance(frame.spot.children, dict):
            text, key_spot = frame.key
            frame.data[text] = value
            frame.key = None
            frame.spot.children[text] = spot.under_key(key_spot)
            self._grow(frame, spot)

    def _key(self, frame: _Frame, value: Data, spot: Spot) -> None:
        if not isinstance(value, str):
            self._note_at("RCE002", spot, f"a key must be text, found {spot.kind}")
            frame.skip = True
        elif value == "<<":
            message = "merge keys (<<) are not read: an inventory says what it holds"
            self._note_at("RCE002", spot, message, "write the merged keys out")
            frame.skip = True
        elif isinstance(frame.spot.children, dict) and value in frame.spot.children:
            first = frame.spot.children[value]
            message = f"the key {value} stands on line {first.line} and again on line {spot.line}"
            fix = f"keep one of the two; the first is at {self.name}:{first.line}:{first.column}"
            self._note_at("RCE004", spot, message, fix)
            frame.skip = True
        else:
            frame.key = (value, spot)

    def _grow(self, frame: _Frame, spot: Spot) -> None:
        frame.spot.size += spot.size
        frame.spot.depth = max(frame.spot.depth, spot.depth + 1)
        if frame.spot.size > MAX_VALUES:
            message = f"{self.name} holds more than {MAX_VALUES:,} values, aliases followed"
            raise self._stop_at("RCE001", spot, message)
        if frame.spot.depth > MAX_DEPTH:
            raise self._stop_at("RCE002", spot, f"nested deeper than {MAX_DEPTH} levels")

    def _wants_key(self) -> bool:
        if not self._stack:
            return False
        frame = self._stack[-1]
        return isinstance(frame.data, dict) and frame.key is None and not frame.skip

    def _tag(self, event: Any) -> None:
        message = f"tags such as {event.tag} are not read"
        self._note("RCE002", event, message, "remove the tag; quotes make text of anything")

    def _spot(self, event: Any, kind: str) -> Spot:
        mark = event.start_mark
        return Spot(mark.line + 1, mark.column + 1, kind)

    def _note(self, rule: str, event: Any, message: str, fix: str = "") -> None:
        self._note_at(rule, self._spot(event, ""), message, fix)

    def _note_at(self, rule: str, spot: Spot, message: str, fix: str = "") -> None:
        self.problems.append(self._finding(rule, spot, message, fix))

    def _stop(self, rule: str, event: Any, message: str) -> InputError:
        return self._stop_at(rule, self._spot(event, ""), message)

    def _stop_at(self, rule: str, spot: Spot, message: str) -> InputError:
        return InputError((self._finding(rule, spot, message),))

    def _finding(self, rule: str, spot: Spot, message: str, fix: str = "") -> Finding:
        location = Location(self.name, spot.line, spot.column, path_text(self._path()))
        return Finding(rule, Severity.ERROR, self.name, message, fix=fix, location=location)

    def _path(self) -> Path:
        parts: list[str | int] = []
        for frame in self._stack:
            if isinstance(frame.data, list):
                parts.append(len(frame.data))
            elif frame.key is not None:
                parts.append(frame.key[0])
        return tuple(parts)
