"""The texts of a fake system: ``templates/<system>/rehearse/*.yaml`` as values."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any

from fabric.files.locate import templates_root
from fabric.files.plain import load_plain

if TYPE_CHECKING:
    from collections.abc import Mapping

_MANY, _ONE = ".+", r"\S+?"
_TOKEN = re.compile(r"\{(\w+)(\.\.\.|:[^}]*)?\}|\([^()]*\)|\[|\]|\s+|[^\s{}()\[\]]+")


@dataclass(frozen=True, slots=True)
class Mode:
    """Where a user can be.

    ``lines``: what a typed configuration line changes, if any may come: ``running`` or
    ``candidate``. ``up``: the mode around this one.
    """

    name: str
    prompt: str
    lines: str = ""
    up: str = ""


@dataclass(frozen=True, slots=True)
class Says:
    """A reply by outcome; ``source`` empty, or "not backed" in it: nothing does."""

    texts: Mapping[str, str]
    source: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What an answer to a question leads to; ``does`` ``None``: the command goes on."""

    typed: re.Pattern[str]
    does: tuple[str, ...] | None
    says: str


@dataclass(frozen=True, slots=True)
class Question:
    """What a command asks first; ``when``: only then (``verbs.when``)."""

    text: str
    when: str
    answers: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Command:
    """A command, the modes it is known in, what it does and says."""

    typed: re.Pattern[str]
    modes: frozenset[str]
    does: tuple[str, ...]
    says: Says
    asks: tuple[Question, ...]
    changes: bool
    text: str


@dataclass(frozen=True, slots=True)
class System:
    """All that a fake of one system knows."""

    name: str
    main: Mapping[str, Any]
    modes: Mapping[str, Mode]
    commands: tuple[Command, ...]
    grammar: Mapping[str, object]
    texts: Mapping[str, Says] = field(default_factory=dict)

    def option(self, name: str, default: Any = "") -> Any:
        """A value of ``system.yaml``'s ``options``."""
        return self.main.get("options", {}).get(name, default)


@cache
def load_system(name: str) -> System:
    """The data of a system.

    Raises:
        OSError, PlainYamlError, KeyError, TypeError: no or broken data; the tests see to it.
    """
    folder = templates_root() / name / "rehearse"
    main = _read(folder / "system.yaml")
    modes = {key: Mode(key, **value) for key, value in main["modes"].items()}
    parts = sorted(folder.glob("commands*.yaml"))
    commands = tuple(_command(item) for part in parts for item in _read(part)["commands"])
    texts = {key: _says(value, "") for key, value in main["texts"].items()}
    return System(name, main, modes, commands, _read(folder / "grammar.yaml"), texts)


def _read(path: Any) -> Any:
    return load_plain(path.read_bytes())


def _command(item: Mapping[str, Any]) -> Command:
    return Command(
        re.compile(_regex(item["type"])),
        frozenset(_list(item["in"])),
        tuple(_list(item.get("does", []))),
        _says(item, "says"),
        tuple(_question(one) for one in item.get("asks", [])),
        bool(item.get("changes", False)),
        item["type"],
    )


def _says(item: Any, key: str) -> Says:
    """A reply: text, or texts by outcome, with the source beside it."""
    value = item.get(key, {}) if key else item["says"]
    texts = value if isinstance(value, dict) else {"": value}
    return Says({str(k): str(v) for k, v in texts.items()}, str(item.get("source") or ""))


def _question(item: Mapping[str, Any]) -> Question:
    answers = tuple(
        Answer(re.compile(str(typed)), None if does == "go on" else tuple(_list(does)), says)
        for typed, does, says in _answers(item["answers"])
    )
    return Question(item["text"], item.get("when", ""), answers)


def _answers(items: list[Mapping[str, Any]]) -> list[tuple[str, Any, str]]:
    return [(item["is"], item.get("does", []), item.get("says", "")) for item in items]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _regex(text: str) -> str:
    """``show x [y] (a|b) {name} {rest...} {how:c|d}`` as a regular expression."""
    out: list[str] = []
    blank = ""
    for found in _TOKEN.finditer(text):
        piece = found[0]
        if piece.isspace():
            blank = r"\s+"
        elif piece == "[":
            out.append(f"(?:{blank}")
            blank = ""
        elif piece == "]":
            out.append(")?")
        else:
            out.append(blank + _word(found))
            blank = ""
    return "".join(out)


def _word(found: re.Match[str]) -> str:
    token, name, kind = found[0], found[1], found[2] or ""
    if name:
        words = _choice(kind[1:]) if kind.startswith(":") else _MANY if kind else _ONE
        return f"(?P<{name}>{words})"
    return f"(?:{_choice(token[1:-1])})" if token.startswith("(") else re.escape(token)


def _choice(text: str) -> str:
    return "|".join(re.escape(word).replace("\\ ", r"\s+") for word in text.split("|"))
