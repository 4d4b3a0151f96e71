"""A config of NVUE as a tree of words, from lines of `nv set` or from YAML or JSON of its objects.

``nv set qos pfc P tx enable`` and ``qos: {pfc: {P: {tx: enable}}}`` are the same tree: a value is a
word with nothing below it. Names of interfaces are written out one by one.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabric.files.plain import PlainYamlError, load_words
from fabric.platforms import ConfigError
from fabric.platforms.cumulus_nvue.ranges import codes, names

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

CONFIG_FILE, PORTS_FILE = "fabric.nv", "ports.nv"
_DEEPEST, _LARGEST = 40, 500_000  # levels and words of a file; a switch has a hundredth of these
_PROMPT = re.compile(r"\S+@\S+:\S*[$#] ?")


@dataclass(frozen=True, slots=True)
class Node:
    """Words below a word, in order."""

    below: dict[str, Node] = field(default_factory=dict)

    def at(self, *path: str) -> Node:
        """The node at a path; an empty one where nothing is written."""
        node = self
        for word in path:
            node = node.below.get(word, _NOTHING)
        return node

    def has(self, *path: str) -> bool:
        """Whether the path is written."""
        return self.at(*path) is not _NOTHING

    def value(self, *path: str) -> str | None:
        """The one word below a path; of several, set one after another, the last."""
        words = list(self.at(*path).below)
        return words[-1] if words else None

    def number(self, *path: str) -> int | None:
        """The value as a whole number; ``None``: none is written.

        Raises:
            ConfigError: the value is something else.
        """
        word = self.value(*path)
        if word is not None and not word.isdecimal():
            msg = f"{' '.join(path)}: {word!r:.40} is no whole number"
            raise ConfigError(msg)
        return None if word is None else int(word)

    def codes(self, below: int) -> Iterator[tuple[int, Node]]:
        """The numbers below here with what is below each; lists and ranges are taken apart.

        Raises:
            ConfigError: a word is no list of numbers below that limit.
        """
        for word, node in self.below.items():
            try:
                listed = codes(word, below)
            except ValueError as error:
                raise ConfigError(str(error)) from error
            for number in listed:
                yield number, node


def config_of(files: Mapping[str, str]) -> Node:
    """The whole config: split ports, where they stand in a file of their own, and the rest.

    Raises:
        ConfigError: the file is missing, or is no config of NVUE.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    root = Node()
    for name in (PORTS_FILE, CONFIG_FILE):
        if name in files:
            _read(root, files[name], name)
    if not root.has("interface"):
        msg = f"{CONFIG_FILE} is no config of NVUE: it has no interface"
        raise ConfigError(msg)
    return root


def _read(root: Node, text: str, file: str) -> None:
    lines = [_PROMPT.sub("", line, count=1) for line in text.splitlines()]
    if any(line.lstrip().startswith("nv set ") for line in lines):
        _of_commands(root, lines, file)
    else:
        _of_objects(root, text, file)


def _of_commands(root: Node, lines: Iterable[str], file: str) -> None:
    """Lines of `nv set`; `nv unset` takes back what stands above it."""
    for number, words in _commands(lines, file):
        if words[:2] == ["nv", "set"]:
            _plant(root, words[2:])
        elif words[:2] == ["nv", "unset"]:
            _cut(root, words[2:])
        elif words[:2] not in (["nv", "config"], ["nv", "show"]):  # what was typed to get this
            msg = f"line {number} of {file} is no line of nv set: {' '.join(words)!r:.60}"
            raise ConfigError(msg)


def _commands(lines: Iterable[str], file: str) -> Iterator[tuple[int, list[str]]]:
    """Line number and words; a quoted text may go on over lines (banners, snippets)."""
    open_text, start = "", 0
    for number, line in enumerate(lines, 1):
        if not open_text and (not line.strip() or line.lstrip().startswith("#")):
            continue
        start = start if open_text else number
        whole = f"{open_text}\n{line}" if open_text else line
        words = _words(whole)
        open_text = whole if words is None else ""
        if words is not None:
            yield start, words
    if open_text:
        msg = f"line {start} of {file}: a quoted text does not end"
        raise ConfigError(msg)


def _words(line: str) -> list[str] | None:
    """The words of a line; ``None``: a quoted text does not end in it."""
    if "'" not in line and '"' not in line and "\\" not in line:
        return line.split()
    try:
        return shlex.split(line)
    except ValueError:
        return None


def _ways(words: Sequence[str]) -> Iterator[list[str]]:
    """The path, once for each interface that it names."""
    if len(words) > 1 and words[0] == "interface":
        for name in names(words[1]):
            yield ["interface", name, *words[2:]]
    else:
        yield list(words)


def _plant(root: Node, words: Sequence[str]) -> None:
    """Write a path; its last word counts as the newest beside it."""
    for path in _ways(words):
        if not path:
            continue
        node = root
        for word in path[:-1]:
            node = node.below.setdefault(word, Node())
        node.below[path[-1]] = node.below.pop(path[-1], Node())


def _cut(root: Node, words: Sequence[str]) -> None:
    for path in _ways(words):
        if path:
            root.at(*path[:-1]).below.pop(path[-1], None)


def _of_objects(root: Node, text: str, file: str) -> None:
    """YAML, or JSON, which is YAML: ``- set: {…}`` as in startup.yaml, or the objects alone."""
    try:
        loaded = load_words(text)
    except PlainYamlError as error:
        msg = f"{file} is neither lines of nv set nor YAML"
        raise ConfigError(msg) from error
    for count, path in enumerate(_paths(loaded, (), 0, file)):
        if count > _LARGEST:
            msg = f"{file} is larger than any config of NVUE"
            raise ConfigError(msg)
        _plant(root, path)


def _paths(
    value: object, path: tuple[str, ...], depth: int, file: str
) -> Iterator[tuple[str, ...]]:
    """Every path of words; what stands below ``set`` at the top is the config itself."""
    if depth > _DEEPEST:
        msg = f"{file} is nested deeper than any config of NVUE"
        raise ConfigError(msg)
    if isinstance(value, dict):
        yield path
        for key, below in value.items():
            top = depth < 2 and not path and key == "set"  # noqa: PLR2004 - in a list, or alone
            yield from _paths(below, path if top else (*path, str(key)), depth + 1, file)
    elif isinstance(value, list):
        for item in value:
            yield from _paths(item, path, depth + 1, file)
    elif value:
        yield (*path, str(value))
    else:
        yield path


_NOTHING = Node()
