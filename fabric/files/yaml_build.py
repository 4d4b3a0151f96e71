"""Parser events → plain data and the places it came from, bounded in size and depth."""

from __future__ import annotations

from typing import Any, NoReturn

import yaml

from fabric.files.yaml_scalars import Scalar, Surprise, refused_everywhere, resolve
from fabric.model.finding import Finding, InputError, Location, Severity

MAX_VALUES = 2_000_000  # after aliases are followed: an alias bomb stays small in the file
MAX_DEPTH = 64

Data = dict[str, Any] | list[Any] | Scalar
Path = tuple[str | int, ...]


def one_line(text: str) -> str:
    """The text with line breaks and other control characters escaped, for messages."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def path_text(path: Path) -> str:
    """``("links", 12, "a")`` → ``links[12].a``."""
    text = ""
    for part in path:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return one_line(text)


class Spot:
    """Where a value stands: line and column from 1; of its key if it has one."""

    __slots__ = ("children", "column", "depth", "line", "raw", "size", "surprise")

    def __init__(self, line: int, column: int) -> None:
        self.line, self.column = line, column
        self.children: dict[str, Spot] | list[Spot] | None = None
        self.raw: str | None = None
        self.surprise: Surprise | None = None
        self.size = 1  # values at and below, aliases followed
        self.depth = 1

    @property
    def kind(self) -> str:
        """What stands here, in words."""
        if self.children is None:
            return "a single value"
        return "a mapping" if isinstance(self.children, dict) else "a list"

    def child(self, part: str | int) -> Spot | None:
        """The spot of one key or list item."""
        if isinstance(self.children, dict):
            return self.children.get(part) if isinstance(part, str) else None
        if isinstance(self.children, list) and isinstance(part, int):
            return self.children[part] if 0 <= part < len(self.children) else None
        return None

    def placed(self, line: int, column: int) -> Spot:
        """The same value at another place: where an alias stands."""
        copy = Spot(line, column)
        copy.children, copy.raw, copy.surprise = self.children, self.raw, self.surprise
        copy.size, copy.depth = self.size, self.depth
        return copy


class _Frame:
    """A mapping or list that is being filled. ``skip``: the next value's key was refused."""

    __slots__ = ("anchor", "data", "key", "skip", "spot")

    def __init__(self, data: dict[str, Any] | list[Any], spot: Spot, anchor: str | None) -> None:
        self.data, self.spot, self.anchor = data, spot, anchor
        self.key: tuple[str, int, int] | None = None  # text, line, column
        self.skip = False


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
        """Data and spot of the document."""
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
            self._open(event, is_mapping=kind is yaml.MappingStartEvent)
        elif kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
            self._close()
        elif kind is yaml.AliasEvent:
            self._alias(event)
        elif kind is yaml.DocumentStartEvent:
            self._documents += 1
            if self._documents > 1:
                self._stop("RCE002", self._spot(event), "a second document begins here")

    def _scalar(self, event: Any) -> None:
        spot = self._spot(event)
        text: str = event.value
        spot.raw = text
        if event.tag is not None:
            self._tag(event, spot)
        value: Data = text
        if event.implicit[0] and not self._wants_key():  # plain, not in quotes
            value = self._plain(text, spot)
        if event.anchor is not None:
            self._anchors[event.anchor] = (value, spot.placed(spot.line, spot.column))
        self._put(value, spot)

    def _plain(self, text: str, spot: Spot) -> Scalar:
        refused = refused_everywhere(text)
        if refused is not None:
            self._note("RCE003", spot, refused.message, refused.fix)
        value = resolve(text)
        if isinstance(value, Surprise):
            spot.surprise = value
            return text
        return value

    def _open(self, event: Any, *, is_mapping: bool) -> None:
        spot = self._spot(event)
        if event.tag is not None:
            self._tag(event, spot)
        if len(self._stack) >= MAX_DEPTH:
            self._stop("RCE002", spot, f"nested deeper than {MAX_DEPTH} levels")
        spot.children = {} if is_mapping else []
        if event.anchor is not None:
            self._anchors[event.anchor] = None
        self._stack.append(_Frame({} if is_mapping else [], spot, event.anchor))

    def _close(self) -> None:
        frame = self._stack.pop()
        spot = frame.spot
        self._measure(spot)
        if frame.anchor is not None:
            self._anchors[frame.anchor] = (frame.data, spot.placed(spot.line, spot.column))
        self._put(frame.data, spot)

    def _alias(self, event: Any) -> None:
        spot = self._spot(event)
        name: str = event.anchor
        known = self._anchors.get(name)
        if name not in self._anchors:
            self._note("RCE002", spot, f"there is no anchor &{name} above")
        elif known is None:
            message = f"*{name} lies inside &{name}: it would contain itself"
            self._note("RCE008", spot, message, "write the value out")
        if known is None:
            self._put(None, spot)
        else:
            self._put(known[0], known[1].placed(spot.line, spot.column))

    def _put(self, value: Data, spot: Spot) -> None:
        if not self._stack:
            self._root = (value, spot)
            return
        frame = self._stack[-1]
        children = frame.spot.children
        if isinstance(children, list):
            frame.data.append(value)  # type: ignore[union-attr]  # a list where children is one
            children.append(spot)
        elif frame.skip:
            frame.skip = False
        elif frame.key is None:
            self._key(frame, value, spot)
        elif children is not None:
            text, spot.line, spot.column = frame.key
            frame.key = None
            frame.data[text] = value  # type: ignore[call-overload]  # a dict likewise
            children[text] = spot

    def _key(self, frame: _Frame, value: Data, spot: Spot) -> None:
        first = frame.spot.child(value) if isinstance(value, str) else None
        if not isinstance(value, str):
            self._note("RCE002", spot, f"a key must be text, found {spot.kind}")
        elif value == "<<":
            message = "merge keys (<<) are not read: an inventory says what it holds"
            self._note("RCE002", spot, message, "write the merged keys out")
        elif first is not None:
            message = f"the key {value} stands on line {first.line} and again on line {spot.line}"
            fix = f"keep one of the two; the first is at {self.name}:{first.line}:{first.column}"
            self._note("RCE004", spot, message, fix)
        else:
            frame.key = (value, spot.line, spot.column)
        frame.skip = frame.key is None

    def _measure(self, spot: Spot) -> None:
        """Size and depth of a finished mapping or list, aliases followed."""
        children = spot.children
        for child in children.values() if isinstance(children, dict) else children or ():
            spot.size += child.size
            if child.depth >= spot.depth:
                spot.depth = child.depth + 1
        if spot.size > MAX_VALUES:
            message = f"{self.name} holds more than {MAX_VALUES:,} values, aliases followed"
            self._stop("RCE001", spot, message)
        if spot.depth > MAX_DEPTH:
            self._stop("RCE002", spot, f"nested deeper than {MAX_DEPTH} levels")

    def _wants_key(self) -> bool:
        if not self._stack:
            return False
        frame = self._stack[-1]
        return type(frame.data) is dict and frame.key is None and not frame.skip

    def _tag(self, event: Any, spot: Spot) -> None:
        tag = event.tag.replace("tag:yaml.org,2002:", "!!")
        message = f"tags such as {tag} are not read"
        self._note("RCE002", spot, message, "remove the tag; quotes make text of anything")

    def _spot(self, event: Any) -> Spot:
        mark = event.start_mark
        return Spot(mark.line + 1, mark.column + 1)

    def _note(self, rule: str, spot: Spot, message: str, fix: str = "") -> None:
        self.problems.append(self._finding(rule, spot, message, fix))

    def _stop(self, rule: str, spot: Spot, message: str) -> NoReturn:
        raise InputError((self._finding(rule, spot, message),))

    def _finding(self, rule: str, spot: Spot, message: str, fix: str = "") -> Finding:
        location = Location(self.name, spot.line, spot.column, path_text(self._path()))
        return Finding(
            rule,
            Severity.ERROR,
            self.name,
            one_line(message),
            fix=one_line(fix),
            location=location,
        )

    def _path(self) -> Path:
        parts: list[str | int] = []
        for frame in self._stack:
            if isinstance(frame.data, list):
                parts.append(len(frame.data))
            elif frame.key is not None:
                parts.append(frame.key[0])
        return tuple(parts)
