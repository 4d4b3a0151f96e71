"""Which lines FRR takes: ``templates/frr/rehearse/grammar.yaml``, a list of patterns a context."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from fabric.live.rehearsal.frr.config import read
from fabric.live.rehearsal.replies import load_words

if TYPE_CHECKING:
    from fabric.live.rehearsal.frr.config import Context

_CONTEXTS = (
    ("interface ", "interface"),
    ("router bgp ", "bgp"),
    ("route-map ", "route-map"),
    ("vrf ", "vrf"),
    ("line vty", "line"),
)


@cache
def grammar() -> Grammar:
    """The one grammar; compiled once."""
    return Grammar()


class Grammar:
    """Patterns by context."""

    def __init__(self) -> None:
        words = load_words("frr", "grammar")
        self._patterns = {
            name: re.compile("|".join(f"(?:{each})" for each in entry["lines"]))
            for name, entry in words.items()
            if isinstance(entry, dict)
        }

    def takes(self, context: Context, line: str) -> bool:
        """Whether a line is right in a context."""
        kind = "top"
        if context:
            kind = next((name for start, name in _CONTEXTS if context[0].startswith(start)), "top")
            if len(context) > 1:
                kind = "family"
        bare = line.removeprefix("no ")
        return self._patterns[kind].fullmatch(bare) is not None

    def first_error(self, text: str) -> tuple[int, str] | None:
        """Number and text of the first line that is wrong, as it stands in the text."""
        raw = text.splitlines()
        for context, line, number in read(text):
            if not self.takes(context, line):
                return number, raw[number - 1]
        return None
