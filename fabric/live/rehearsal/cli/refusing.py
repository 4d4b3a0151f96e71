"""A line that a system does not take, in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli import texts

if TYPE_CHECKING:
    from fabric.live.rehearsal.cli.terminal import Terminal


def pointers(terminal: Terminal, line: str, word: int) -> dict[str, str]:
    """Facts for texts that point at a word of a typed line, from 0."""
    words = line.split()
    word = min(word, len(words) - 1)
    spot = len(" ".join(words[:word])) + (1 if word else 0)
    prompt = len(terminal.prompt().rpartition("\n")[2])
    return {
        "line": line,
        "word": words[word],
        "token": str(word),
        "caret": " " * (prompt + spot) + "^",
    }


def refusal(terminal: Terminal, name: str, line: str, word: int) -> str:
    """The system's words for a line that it does not take; ``word``: the wrong one, from 0."""
    return texts.told(terminal.box, name, pointers(terminal, line, word))
