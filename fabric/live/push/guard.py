"""What no candidate may lose: the lines that let us in, and let us in again.

Pure functions of the configuration in force and the one that shall be.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.push import Files


def touched(before: Files, target: Files, protected: Iterable[str]) -> tuple[str, ...]:
    """Protected lines that differ between the two, ``-`` or ``+`` in front, headers before them.

    A line added below a protected header changes that section as much as one that goes. A pattern
    may begin with ``- `` or ``+ ``: then it protects from that alone. Where the text is JSON its
    patterns speak of ``table|row|field``.
    """
    patterns = [re.compile(pattern) for pattern in protected]
    old, new = (
        dict.fromkeys(path for text in files.values() for path in line_paths(text))
        for files in (before, target)
    )
    changes = [("-", path) for path in old if path not in new]
    changes += [("+", path) for path in new if path not in old]
    return tuple(f"{sign}{path}" for sign, path in changes if _hit(sign, path, patterns))


def _hit(sign: str, path: str, patterns: list[re.Pattern[str]]) -> bool:
    row = path.replace(" > ", "|")
    texts = (path, f"{sign} {path}", row, f"{sign} {row}")
    return any(pattern.search(text) for pattern in patterns for text in texts)


def lost_words(before: Files, target: Files, words: Iterable[str]) -> tuple[str, ...]:
    """Those of ``words`` (our user, the management address) that the target no longer holds."""
    old, new = ("\n".join(files.values()) for files in (before, target))
    lost = []
    for word in words:
        pattern = re.compile(rf"(?<![\w.:-]){re.escape(word)}(?![\w:-]|\.\w)")
        if pattern.search(old) and not pattern.search(new):
            lost.append(word)
    return tuple(lost)


def line_paths(text: str) -> Iterator[str]:
    """Each line with the headers above it, ``header > line``: by indentation, or by JSON's keys."""
    if text.lstrip()[:1] in {"{", "["}:
        try:
            data = json.loads(text)
        except ValueError:
            pass  # braces of another language
        else:
            yield from _json_paths(data)
            return
    yield from _indented_paths(text)


def _json_paths(value: object, above: tuple[str, ...] = ()) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _json_paths(item, (*above, str(key)))
        if not value:
            yield " > ".join(above)
    elif isinstance(value, list):
        for item in value:
            yield from _json_paths(item, above)
    else:
        yield " > ".join((*above, value if isinstance(value, str) else json.dumps(value)))


def _indented_paths(text: str) -> Iterator[str]:
    above: list[tuple[int, str]] = []
    for line in text.splitlines():
        words = line.strip().removesuffix("{").rstrip()
        if line in {"#", "!"}:  # ends a section, also where what follows is indented (Comware)
            above.clear()
        if not words or set(words) <= set("}]!#;"):
            continue
        indent = len(line) - len(line.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, words))
        yield " > ".join(part for _, part in above)
