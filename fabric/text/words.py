"""What must not slip into a config: Python's words, empty places, values that are no text."""

from __future__ import annotations

import re

from jinja2 import Undefined

_WORDS = ("None", "True", "False", "Undefined")
_PYTHON_WORD = re.compile(rf"(?<![\w.-])(?:{'|'.join(_WORDS)})(?![\w.-])")
_BLANKS = (" \n", "\t\n")
_BLANK_END = re.compile(r"[ \t]+$", re.MULTILINE)


def printable(value: object) -> object:
    """For Jinja's ``finalize``: the value itself, if a template may print it.

    Raises:
        ValueError: ``None``, a truth value, a container or any other thing than text and numbers.
    """
    kind = type(value)
    if kind is str or kind is int or kind is float:  # a truth value is no int by its type
        return value
    if isinstance(value, Undefined):
        return value  # its own message says more
    msg = f"prints {value!r:.60}, which is no text of a config"
    raise ValueError(msg)


def text_problem(body: str, comment: str | None) -> tuple[int, str] | None:
    """Line (from 1) and description of the first thing in ``body`` that no config holds."""
    # Looking for text as it stands is ten times as fast as a pattern.
    blank = any(end in body for end in _BLANKS) or body.endswith((" ", "\t"))
    found = _BLANK_END.search(body) if blank else None
    if found:
        line, text = _line_of(body, found.start())
        return line, f"a line ends in a blank, as if a value were empty: {text!r}"
    for found in _python_words(body):
        line, text = _line_of(body, found.start())
        if comment is None or not text.lstrip().startswith(comment):
            return line, f"{found.group()} is a word of Python: {text.strip()!r}"
    return None


def _python_words(body: str) -> list[re.Match[str]]:
    matches: list[re.Match[str]] = []
    for word in _WORDS:
        start = body.find(word)
        while start >= 0:
            match = _PYTHON_WORD.match(body, start)
            if match:
                matches.append(match)
            start = body.find(word, start + 1)
    return sorted(matches, key=lambda match: match.start())


def _line_of(body: str, position: int) -> tuple[int, str]:
    start = body.rfind("\n", 0, position) + 1
    end = body.find("\n", position)
    text = body[start:] if end < 0 else body[start:end]
    return body.count("\n", 0, position) + 1, text
