"""SR Linux: configuration as objects, as ``info``, ``info flat`` and ``info | as json`` show it."""

from __future__ import annotations

import copy
import json
import re
from typing import TYPE_CHECKING, Any

from fabric.live.rehearsal.cli.info import diff_lines, flat_leaves, flat_lines, info_lines, word_of
from fabric.live.rehearsal.cli.tree import UnknownLineError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabric.live.rehearsal.cli.forms import Refused

Config = dict[str, Any]
Path = tuple[str, ...]

# Keys that are numbers or booleans in JSON, by the types of the model.
_NO_TEXTS = frozenset({"index", "sequence", "value", "slot", "enable-ecn"})
_WORD = re.compile(r'"[^"]*"|\S+')
_MODULE = re.compile(r"^[a-z]\w*(?:-\w+)*:(?=[A-Za-z])")


class Objects:
    """Containers, lists with keys, leaves.

    ``grammar``: ``keys`` of lists, ``top``: known roots, ``leaf_lists``, ``containers`` that may
    be empty.
    """

    def __init__(self, grammar: Mapping[str, Any]) -> None:
        self.keys: Mapping[str, list[str]] = grammar["keys"]
        self.top = frozenset(grammar["top"])
        self.several = frozenset(grammar["leaf_lists"])
        self.bare = frozenset(grammar["containers"])

    def empty(self) -> Config:
        """Nothing configured."""
        return {}

    def copy(self, config: Config) -> Config:
        """The same, sharing nothing."""
        return copy.deepcopy(config)

    def flat(self, config: Config) -> list[str]:
        """``info flat``."""
        return [f"set / {line}" for line in flat_lines(self._entry, config)]

    def value(self, config: Config, path: Sequence[str]) -> str:
        """A leaf; empty: there is none."""
        at: Any = config
        for name in path:
            at = at.get(name, {}) if isinstance(at, dict) else {}
        return at if isinstance(at, str) else ""

    def read(self, text: str, into: Config | None, how: str) -> tuple[Config, Refused]:
        """JSON, or ``set`` and ``delete`` lines."""
        config = {} if into is None or how in {"override", "replace"} else into
        if text.lstrip().startswith("{"):
            return self._read_json(text, config)
        refused: Refused = []
        for number, line in enumerate(text.splitlines(), 1):
            verb, _, rest = line.strip().partition(" ")
            if not verb or verb.startswith("#"):
                continue
            try:
                self.typed(config, verb, rest)
            except UnknownLineError:
                refused.append((number, line.strip()))
        return config, refused

    def _read_json(self, text: str, config: Config) -> tuple[Config, Refused]:
        try:
            loaded = _plain(json.loads(text))
        except json.JSONDecodeError as error:
            return config, [(error.lineno, error.msg)]
        unknown = [(1, name) for name in loaded if name not in self.top]
        if not unknown:
            self._merge(config, loaded)
        return config, unknown

    def typed(self, config: Config, verb: str, rest: str) -> bool:
        """``set`` or ``delete`` with a path; whether there was anything to delete."""
        words = [word.strip('"') for word in _WORD.findall(rest)]
        if words and words[0].startswith("/"):
            words = [word for word in (words[0][1:], *words[1:]) if word]
        if verb not in {"set", "delete"} or (verb == "set" and not words):
            raise UnknownLineError(0)
        if words and words[0] not in self.top:
            raise UnknownLineError(1)
        if verb == "delete":
            return self._delete(config, words)
        self._set(config, words, ())
        return True

    def part(self, config: Config, path: str) -> Config:
        """What stands at and below a path, with what stands above it; empty: nothing there."""
        words = [word.strip('"') for word in _WORD.findall(path.replace("/", " ", 1))]
        return self._part(config, words, ()) if words else config

    def _part(self, at: Config, words: list[str], parent: Path) -> Config:
        name, rest = words[0], words[1:]
        keys = self._entry(parent, name)
        if name not in at:
            return {}
        if keys is not None and rest and rest[0] != "*":
            told, inner = _split(keys, rest)
            entry = _find(at[name], keys, told, make=False)
            if entry and inner:
                named = {key: entry[key] for key in keys}
                entry = named | self._part(entry, inner, (*parent, name))
            return {name: [entry]} if entry else {}
        if rest and isinstance(at[name], dict):
            return {name: self._part(at[name], rest, (*parent, name))}
        return {name: at[name]}

    def _entry(self, above: Path, name: str) -> list[str] | None:
        """Keys of a list; it is named with one or two of the names above it, a root alone."""
        near = "/".join((*above[-1:], name))
        return self.keys.get("/".join((*above[-2:], name)), self.keys.get(near))

    def _set(self, at: Config, words: list[str], parent: Path) -> None:
        name, rest = words[0], words[1:]
        keys = self._entry(parent, name)
        if keys is not None and rest:
            told, inner = _split(keys, rest)
            entry = _find(at.setdefault(name, []), keys, told, make=True)
            if inner:
                self._set(entry, inner, (*parent, name))
        elif not rest:
            at.setdefault(name, {})
        elif rest[0] == "[" or name in self.several:
            values = [word for word in rest if word not in "[]"]
            held = at.setdefault(name, [])
            held.extend(value for value in values if value not in held)
        elif len(rest) == 1 and rest[0] not in self.bare:
            at[name] = _value(rest[0])
        else:
            self._set(at.setdefault(name, {}), rest, (*parent, name))

    def _delete(self, at: Config, words: list[str], parent: Path = ()) -> bool:
        if not words:
            found = bool(at)
            at.clear()
            return found
        name, rest = words[0], words[1:]
        keys = self._entry(parent, name)
        if name not in at:
            return False
        if keys is not None and rest:
            told, inner = _split(keys, rest)
            entry = _find(at[name], keys, told, make=False)
            if entry and inner:
                return self._delete(entry, inner, (*parent, name))
            at[name] = [one for one in at[name] if one is not entry]
            if not at[name]:
                del at[name]
            return bool(entry)
        if rest and isinstance(at[name], dict):
            found = self._delete(at[name], rest, (*parent, name))
            if not at[name] and name not in self.bare:
                del at[
                    name
                ]  # a container without presence is there by what it holds (RFC 7950, 7.5.1)
            return found
        del at[name]
        return True

    def _merge(self, at: Config, new: Config, parent: Path = ()) -> None:
        for name, value in new.items():
            keys = self._entry(parent, name)
            if isinstance(value, dict):
                self._merge(at.setdefault(name, {}), value, (*parent, name))
            elif isinstance(value, list) and keys is not None:
                for item in value:
                    told = [word_of(item[key]) for key in keys if key in item]
                    self._merge(
                        _find(at.setdefault(name, []), keys, told, make=True), item, (*parent, name)
                    )
            elif isinstance(value, list) and name in at:
                at[name] += [item for item in value if item not in at[name]]
            else:
                at[name] = value

    def write(self, config: Config, style: str) -> list[str]:
        """``json``, ``set`` (flat) or braces."""
        if style == "json":
            return json.dumps(config, indent=2).splitlines()
        return self.flat(config) if style == "set" else list(info_lines(self._entry, config))

    def diff(self, old: Config, new: Config, style: str, names: tuple[str, str]) -> list[str]:
        """``diff flat``, or lines of ``info`` with signs."""
        del names
        if style != "flat":
            return list(diff_lines(self._entry, old, new))
        before, after = (dict(flat_leaves(self._entry, side)) for side in (old, new))
        gone = (f"delete / {' '.join(path)}" for path in before if path not in after)
        come = (path for path, value in after.items() if before.get(path) != value)
        return [*gone, *(f"insert / {' '.join((*path, after[path]))}".rstrip() for path in come)]


def _split(keys: list[str], words: list[str]) -> tuple[list[str], list[str]]:
    """What is typed for the keys of a list, and what behind.

    The first key is its value alone, each other one stands behind its name:
    ``10.0.0.0/8 mask-length-range exact``.
    """
    told, rest = words[:1], words[1:]
    for key in keys[1:]:
        if rest[:1] != [key] or len(rest) < 2:  # noqa: PLR2004 - a name and its value
            raise UnknownLineError(1)
        told, rest = [*told, rest[1]], rest[2:]
    return told, rest


def _find(items: list[Config], keys: list[str], told: list[str], *, make: bool) -> Config:
    for item in items:
        if [word_of(item.get(key)) for key in keys] == told:
            return item
    pairs = zip(keys, told, strict=False)
    entry = {key: _value(word) if key in _NO_TEXTS else word for key, word in pairs}
    if make:
        items.append(entry)
    return entry if make else {}


def _value(word: str) -> Any:
    if word in {"true", "false"}:
        return word == "true"
    return int(word) if re.fullmatch(r"-?(0|[1-9]\d*)", word) else word


def _plain(value: Any) -> Any:
    """Without the names of modules, as the CLI shows it."""
    if isinstance(value, dict):
        return {_MODULE.sub("", key): _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return _MODULE.sub("", value) if isinstance(value, str) and "srl_nokia" in value else value
