"""NVUE's configuration: each setting a path of words, as ``nv set`` has it.

Ranges stand for several objects (``swp1-3,5``); a leaf has one value at a time.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

Setting: TypeAlias = tuple[str, ...]
Settings: TypeAlias = frozenset[Setting]

_RANGE = re.compile(r"([a-z_]+|swp\d+s|)(\d+)-(\d+)")
_LISTED = {"interface", "vlan", "dscp", "switch-priority", "traffic-class", "pcp", "member"}
_OBJECTS = {"interface"}  # whose ranges are put together again when shown


@dataclass(frozen=True, slots=True)
class Leaves:
    """Words that have one value at a time. ``lists``: branch, object and word of those that do not.

    The word is the same: a DSCP is mapped to one ``switch-priority``, a PFC profile has several.
    """

    words: frozenset[str]
    lists: frozenset[Setting] = frozenset()

    def end(self, path: Setting) -> bool:
        """Whether the last word of a path is the one value of the word before it."""
        if len(path) < 2 or path[-2] not in self.words:  # noqa: PLR2004 - a word and its value
            return False
        return (*path[:2], path[-2]) not in self.lists


class TreeError(ValueError):
    """A line that NVUE refuses, with its words."""


def words_of(line: str) -> list[str]:
    """The words of a line, quotes taken away.

    Raises:
        TreeError: an open quote.
    """
    try:
        return shlex.split(line, comments=True)
    except ValueError as error:
        raise TreeError(str(error)) from error


def expand(words: Setting) -> list[Setting]:
    """All settings that a line with ranges stands for."""
    found: list[Setting] = [()]
    for index, word in enumerate(words):
        several = [word]
        if index and words[index - 1] in _LISTED and re.search(r"\d[-,]|,", word):
            several = [one for part in _prefixed(word.split(",")) for one in _numbers(part)]
        found = [(*path, one) for path in found for one in several]
    return found


def _prefixed(parts: list[str]) -> list[str]:
    """``swp1,33``, as ``nv config show -o commands`` prints it, is swp1 and swp33."""
    found: list[str] = []
    for part in parts:
        before = re.match(r"[a-z_]+", found[-1]) if found and part[:1].isdigit() else None
        found.append((before[0] if before else "") + part)
    return found


def _numbers(part: str) -> list[str]:
    match = _RANGE.fullmatch(part)
    if not match:
        return [part]
    return [f"{match[1]}{number}" for number in range(int(match[2]), int(match[3]) + 1)]


def natural(path: Iterable[str]) -> list[list[tuple[int, str]]]:
    """A sort key by which swp2 comes before swp10."""
    return [[(int(x) if x.isdigit() else -1, x) for x in re.split(r"(\d+)", word)] for word in path]


def with_set(settings: Settings, words: Setting, leaves: Leaves) -> Settings:
    """Settings after ``nv set``."""
    found = set(settings)
    for path in expand(words):
        if leaves.end(path):
            found -= {old for old in found if old[:-1] == path[:-1]}
        found -= {path[:end] for end in range(1, len(path))}
        if not any(old[: len(path)] == path for old in found):
            found.add(path)
    return frozenset(found)


def with_unset(settings: Settings, words: Setting) -> Settings:
    """Settings after ``nv unset``: a whole branch goes."""
    gone = expand(words)
    return frozenset(old for old in settings if not any(old[: len(p)] == p for p in gone))


def commands(settings: Settings, verb: str = "set") -> str:
    """``-o commands``: sorted, ports with the same setting in one line."""
    grouped: dict[Setting, list[str]] = {}
    for path in settings:
        if path[0] in _OBJECTS and len(path) > 1:
            grouped.setdefault((path[0], "", *path[2:]), []).append(path[1])
        else:
            grouped[path] = []
    lines = []
    for path, names in grouped.items():
        shown = (path[0], compress(names), *path[2:]) if names else path
        lines.append((natural(shown), " ".join(map(_quoted, shown))))
    return "".join(f"nv {verb} {line}\n" for _, line in sorted(lines))


def _quoted(word: str) -> str:
    return word if re.fullmatch(r"[\w.,:/@%+*-]+", word) else "'" + word.replace("'", "'\\''") + "'"


def compress(names: list[str]) -> str:
    """Names as NVUE lists them: ``lo,swp1-3,5``."""
    runs: list[tuple[str, int, int]] = []
    plain: list[str] = []
    for name in sorted(names, key=lambda each: natural((each,))):
        match = re.fullmatch(r"(.*?)(\d+)", name)
        if not match:
            plain.append(name)
        elif runs and runs[-1][0] == match[1] and runs[-1][2] == int(match[2]) - 1:
            runs[-1] = (match[1], runs[-1][1], int(match[2]))
        else:
            runs.append((match[1], int(match[2]), int(match[2])))
    shown, last = [], None
    for prefix, first, end in runs:
        head = "" if prefix == last else prefix
        shown.append(f"{head}{first}" if first == end else f"{head}{first}-{end}")
        last = prefix
    return ",".join([*plain, *shown])


def nested(settings: Settings, leaves: Leaves) -> dict[str, object]:
    """Settings as a tree of objects: a leaf's value as text, all else empty objects."""
    root: dict[str, object] = {}
    for path in sorted(settings, key=natural):
        where = root
        single = leaves.end(path)
        for word in path[:-2] if single else path:
            inner = where.setdefault(word, {})
            where = inner if isinstance(inner, dict) else where
        if single:
            where[path[-2]] = path[-1]
    return root


def flat(tree: Mapping[str, object], above: Setting = ()) -> Settings:
    """A tree of objects as settings."""
    found: set[Setting] = set()
    for key, value in tree.items():
        path = (*above, str(key))
        if isinstance(value, dict) and value:
            found |= flat(value, path)
        elif isinstance(value, dict) or value is None:
            found.add(path)
        elif isinstance(value, bool):
            found.add((*path, "on" if value else "off"))
        else:
            found.add((*path, str(value)))
    return frozenset(found)


def yaml_text(tree: Mapping[str, object], depth: int) -> str:
    """A tree as YAML, indented so deep."""
    lines = ""
    for key, value in tree.items():
        head = " " * depth + _scalar(str(key)) + ":"
        if isinstance(value, dict) and value:
            lines += head + "\n" + yaml_text(value, depth + 2)
        else:
            lines += f"{head} {'{}' if isinstance(value, dict) else _scalar(str(value))}\n"
    return lines


def _scalar(text: str) -> str:
    if re.fullmatch(r"-?\d+", text):
        return text
    plain = re.fullmatch(r"[A-Za-z0-9_./+-][\w ./+@:-]*", text)
    special = text.lower() in {"on", "off", "yes", "no", "true", "false", "null", "~"}
    return (
        text if plain and not special and ": " not in text else "'" + text.replace("'", "''") + "'"
    )
