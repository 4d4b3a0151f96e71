"""YAML with positions, read as data: no tags, no merges, no surprises of YAML 1.1.

An inventory is data, not a program: anchors and aliases are allowed, tags, merge keys and
several documents are not. Keys are always text, as written.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import yaml

from fabric.files.reading import decode, refusal
from fabric.files.yaml_build import Builder, Path, Spot, one_line, path_text
from fabric.model.finding import Finding, InputError, Location, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.files.yaml_scalars import Surprise

__all__ = ["Loaded", "Path", "load", "one_line", "path_text"]

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_UNPRINTABLE = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\u2027\u2028\u2029\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd"
    "\U00010000-\U0010ffff]"
)


@dataclass(frozen=True)
class Loaded:
    """One YAML file. ``data`` is ``None`` when it could not be read at all.

    ``problems``: RCE001 binary or not UTF-8, RCE002 syntax, RCE003 a word that YAML 1.1 turns
    into something else, RCE004 duplicate key, RCE006 no mapping at the top, RCE008 an anchor
    that contains itself. ``data`` holds what could be read beside them.
    """

    name: str
    data: object
    problems: tuple[Finding, ...] = ()
    _root: Spot | None = field(default=None, repr=False, compare=False)
    _single: frozenset[str] = field(default=frozenset(), repr=False, compare=False)

    def listed(self, *keys: str) -> Loaded:
        """The same with a mapping at these top keys put into a list of one.

        Paths then hold the index 0; places and their texts stay as written.
        """
        if not isinstance(self.data, dict):
            return self
        single = frozenset(key for key in keys if isinstance(self.data.get(key), dict))
        data = {key: [value] if key in single else value for key, value in self.data.items()}
        return replace(self, data=data, _single=single)

    def locate(self, path: Path) -> Location:
        """Place of a key or list item, or of its nearest ancestor that is in the file."""
        spot, found = self._walk(path)
        if spot is None:
            return Location(self.name, 1, 1)
        return Location(self.name, spot.line, spot.column, path_text(found))

    def raw(self, path: Path) -> str | None:
        """A scalar as it was written, without quotes; ``None`` for anything else."""
        spot = self._exact(path)
        return spot.raw if spot else None

    def surprise(self, path: Path) -> Surprise | None:
        """Why the text at this place is not the number, date or truth value it looks like."""
        spot = self._exact(path)
        return spot.surprise if spot else None

    def _exact(self, path: Path) -> Spot | None:
        path = self._as_written(path)
        spot, found = self._walk(path)
        return spot if found == path else None

    def _as_written(self, path: Path) -> Path:
        if path[1:2] == (0,) and path[0] in self._single:
            return (path[0], *path[2:])
        return path

    def _walk(self, path: Path) -> tuple[Spot | None, Path]:
        path = self._as_written(path)
        spot = self._root
        for depth, part in enumerate(path):
            child = spot.child(part) if spot else None
            if child is None:
                return spot, path[:depth]
            spot = child
        return spot, path


def load(text: bytes, name: str) -> Loaded:
    """Read one YAML (or JSON) file; ``name`` is what locations call it.

    Never raises for what the text contains: see ``Loaded.problems``.
    """
    try:
        decoded = decode(text, name)
        _refuse_unprintable(decoded, name)
    except InputError as error:
        return Loaded(name, None, error.findings)
    builder = Builder(name)
    try:
        for event in _events(decoded):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        return Loaded(name, None, (*builder.problems, _syntax(error, name, decoded)))
    except yaml.YAMLError as error:
        return Loaded(name, None, refusal(name, f"{name} is not YAML: {error}").findings)
    except InputError as error:
        return Loaded(name, None, (*builder.problems, *error.findings))
    data, root = builder.result()
    problems = [*builder.problems]
    if not isinstance(data, dict):
        problems.append(_no_mapping(name, root))
        data = None
    return Loaded(name, data, tuple(problems), root)


def _events(text: str) -> Iterator[Any]:
    if "\t" in text and text.lstrip()[:1] == "{" and _is_json(text):
        # JSON may be laid out with tabs, YAML without libyaml may not.
        text = text.replace("\t", " ")
    events: Iterator[Any] = yaml.parse(text, Loader=_LOADER)
    return events


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _refuse_unprintable(text: str, name: str) -> None:
    match = _UNPRINTABLE.search(text)
    if match is None:
        return
    line = text.count("\n", 0, match.start()) + 1
    column = match.start() - text.rfind("\n", 0, match.start())
    message = f"{name} is binary, not text: control character U+{ord(match.group()):04X}"
    raise refusal(name, message, "", line, column)


def _no_mapping(name: str, root: Spot | None) -> Finding:
    what = "nothing" if root is None else root.kind
    return Finding(
        "RCE006",
        Severity.ERROR,
        name,
        f"expected keys and values at the top of the file, found {what}",
        fix="begin with a line such as `fabric: train64`",
        location=Location(name, root.line if root else 1, root.column if root else 1),
    )


def _syntax(error: yaml.MarkedYAMLError, name: str, text: str) -> Finding:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    lines = text.splitlines()
    shown = lines[line - 1] if line <= len(lines) else ""
    context = f" {error.context}" if error.context else ""
    return Finding(
        "RCE002",
        Severity.ERROR,
        name,
        f"not YAML: {error.problem or 'cannot be read'}{context}",
        fix=_syntax_fix(shown),
        location=Location(name, line, column),
    )


def _syntax_fix(line: str) -> str:
    if "\t" in line:
        return "indent with spaces; YAML does not allow tabs"
    if re.search(r"[\w-][\[{]", line):
        return 'inside {…} and […], put names with brackets in quotes: "gpu-[1-64]"'
    return "see whether a quote, a bracket, a colon or the indentation is wrong here or just above"
