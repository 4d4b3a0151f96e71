"""A device that is typed at: sections, lines that give way to others, and negations.

It knows which headers open a section by the system's own words, and what a negation takes away by
trying every line that stands there; it refuses to leave configuration mode.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.changing.sections import BELOW, paths

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.changing.remediation import Typing

Path = tuple[str, ...]


class TypedBox:
    """``text`` is its running configuration."""

    def __init__(self, text: str, typing: Typing) -> None:
        self.typing = typing
        self.there: dict[Path, None] = dict.fromkeys(paths(text, typing.grammar))
        self.at: Path = ()

    def type(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.one(line)
        assert self.at == (), f"still in {self.at}"

    def one(self, line: str) -> None:
        if line == "exit":
            assert self.at, "exit at the top leaves configuration mode"
            self.at = self.at[:-1]
            return
        said = self.typing.grammar.normal(line)
        gone = [one for one in self.here() if self.rule(one[-1])[0] == line]
        if gone:
            self.drop(gone)
        else:
            way = self.gives_way(line)
            self.drop([one for one in self.here() if way and self.gives_way(one[-1]) == way])
            self.drop([one for one in self.here() if one[-1] == f"no {said}"])
            self.there[(*self.at, said)] = None
        if self.opens((*self.at, said)):
            self.at = (*self.at, said)

    def here(self) -> list[Path]:
        return [one for one in self.there if one[:-1] == self.at]

    def drop(self, gone: list[Path]) -> None:
        self.there = {
            one: None for one in self.there if not any(one[: len(top)] == top for top in gone)
        }

    def opens(self, path: Path) -> bool:
        return bool(re.search(self.typing.opens, BELOW.join(path)))

    def gives_way(self, line: str) -> str:
        said, way = self.rule(line)
        return said if way else ""

    def rule(self, line: str) -> tuple[str, bool]:
        for one in self.typing.negations:
            match = re.fullmatch(one.pattern, line)
            if match and re.search(one.below, BELOW.join(self.at)):
                return match.expand(one.by), one.gives_way
        return f"no {line}", False

    @property
    def text(self) -> str:
        return "".join(f"{' ' * (len(one) - 1)}{one[-1]}\n" for one in sorted(self.there))
