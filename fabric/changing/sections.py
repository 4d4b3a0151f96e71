"""Configurations in sections (a header, and what is indented below it): owned parts, differences.

A text is cut into blocks that joined give the text again, so what is not owned survives byte for
byte. Two texts are compared as sets of lines, each with the headers above it: the systems that use
this print their sections in an order of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.push import RenderedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

BELOW = " > "  # between a header and a line below it
_NEGATION = re.compile(r"(?:no|undo) (?P<what>.+)")


def as_written(line: str) -> str:
    """A line compares as it stands."""
    return line


@dataclass(frozen=True, slots=True)
class Grammar:
    """What a system's text looks like.

    ``comments``: what lines without meaning begin with. ``literals``: first and last line of text
    that is none of the configuration's own, as regular expressions (banners, scripts within a
    section); where the first one has a group ``end``, the last line ends with what it holds; a
    first line without a last one begins no such text. ``last``: what the
    text ends with. ``normal``: a line in one form of several that mean the same. ``base_after``:
    the line after which the next one's indentation is that of headers (Comware indents lines that
    are in no section). ``implied``: found in negations, with headers above, that the system does
    not print because they are its default; ``unless``: not in a section with such a line.
    """

    comments: tuple[str, ...] = ("!",)
    literals: tuple[tuple[str, str], ...] = ()
    last: str = "end"
    normal: Callable[[str], str] = as_written
    base_after: str | None = None
    implied: str = r"(?!)"
    unless: str = r"(?!)"


@dataclass(frozen=True, slots=True)
class Block:
    """A line without indentation, what belongs to it, and separators after it, as printed.

    ``header`` is empty where the text begins with comments. ``literal``: the lines are one text.
    """

    header: str
    lines: tuple[str, ...]
    literal: bool = False


def blocks(text: str, grammar: Grammar) -> tuple[Block, ...]:
    """The text in blocks; joined with newlines, their lines are the text."""
    found: list[tuple[str, list[str], bool]] = []
    lines = text.split("\n")
    base, previous, literal_to = 0, "", -1
    for number, line in enumerate(lines):
        if number <= literal_to:
            found[-1][1].append(line)
            continue
        if grammar.base_after is not None and previous == grammar.base_after:
            base = _depth(line)
        previous = line
        literal_to = _literal_to(lines, number, grammar)
        if _continues(line, grammar, base) and found:
            found[-1][1].append(line)
        else:
            header = "" if _continues(line, grammar, base) else line.strip()
            found.append((header, [line], literal_to > number))
    return tuple(Block(header, tuple(some), literal) for header, some, literal in found)


def merged(running: str, rendered: str, owned: Sequence[str], grammar: Grammar) -> str:
    """``running`` with its owned blocks replaced by all of ``rendered``.

    What is rendered beyond the owned headers (a snippet of the user's) is added unless all its
    lines stand there already. The place is that of the first owned block, else the end.

    Raises:
        RenderedError: ``rendered`` goes on behind the line that ends a text.
    """
    ours = re.compile("|".join(f"(?:{pattern})" for pattern in owned))
    before = blocks(running, grammar)
    kept = [block for block in before if not ours.search(block.header)]
    there = {path for block in kept for path in _meaning(block, grammar)}
    said = [block for block in blocks(rendered.rstrip("\n"), grammar) if block.header]
    if grammar.last in {block.header for block in said[:-1]}:
        msg = f"the line `{grammar.last}` ends the text, and more follows"
        raise RenderedError(msg)
    new = [
        block
        for block in said
        if block.header != grammar.last
        and (ours.search(block.header) or not there.issuperset(_meaning(block, grammar)))
    ]
    first = next((at for at, block in enumerate(before) if ours.search(block.header)), None)
    place = (
        _end(kept, grammar)
        if first is None
        else sum(not ours.search(block.header) for block in before[:first])
    )
    return "\n".join(line for b in (*kept[:place], *new, *kept[place:]) for line in b.lines)


def differences(before: str, after: str, grammar: Grammar) -> tuple[str, ...]:
    """Lines of the two texts that differ, ``-`` or ``+`` in front, ``header > line`` below headers.

    A negation (``no x``) of ``implied`` counts as there where ``x`` is not: systems do not print
    their defaults.
    """
    old, new = Counter(paths(before, grammar)), Counter(paths(after, grammar))
    gone = [path for path in old - new if not _implied(path, old, new, grammar)]
    added = [path for path in new - old if not _implied(path, new, old, grammar)]
    order = {path: at for at, path in enumerate((*old, *new))}
    lines = [(order[path], "-", path) for path in gone] + [(order[p], "+", p) for p in added]
    return tuple(f"{sign}{BELOW.join(path)}" for _, sign, path in _by_section(lines))


def paths(text: str, grammar: Grammar) -> Iterator[tuple[str, ...]]:
    """Every line that means something, with the headers above it."""
    for block in blocks(text, grammar):
        yield from _meaning(block, grammar)


def _paths(block: Block, grammar: Grammar) -> Iterator[tuple[str, ...]]:
    above: list[tuple[int, str]] = []
    literal_to = -1
    for number, line in enumerate(block.lines):
        if number <= literal_to:
            yield (*(part for _, part in above), line)
            continue
        literal_to = _literal_to(block.lines, number, grammar)
        text = line.strip()
        if not text or text.startswith(grammar.comments):
            continue
        depth = _depth(line)
        while above and above[-1][0] >= depth:
            above.pop()
        above.append((depth, grammar.normal(text)))
        yield tuple(part for _, part in above)


def _by_section(
    lines: Iterable[tuple[int, str, tuple[str, ...]]],
) -> list[tuple[int, str, tuple[str, ...]]]:
    """Lines of one section stand together, what goes before what comes."""
    listed = list(lines)
    first: dict[str, int] = {}
    for at, _, path in listed:
        first[path[0]] = min(at, first.get(path[0], at))
    return sorted(listed, key=lambda one: (first[one[2][0]], one[1] == "+", one[0]))


def _implied(
    path: tuple[str, ...],
    own: Counter[tuple[str, ...]],
    other: Counter[tuple[str, ...]],
    grammar: Grammar,
) -> bool:
    """Whether the last line is a default of the system that the other text has without a word."""
    negation = _NEGATION.fullmatch(path[-1])
    if negation is None or not re.search(grammar.implied, BELOW.join(path)):
        return False
    beside = {one[-1] for text in (own, other) for one in text if one[:-1] == path[:-1]}
    if any(re.search(grammar.unless, line) for line in beside):
        return False
    positive = negation["what"]
    return not any(
        one[:-1] == path[:-1] and (one[-1] == positive or one[-1].startswith(f"{positive} "))
        for one in other
    )


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _continues(line: str, grammar: Grammar, base: int) -> bool:
    text = line.strip()
    return not text or _depth(line) > base or text.startswith(grammar.comments)


def _literal_to(lines: Sequence[str], number: int, grammar: Grammar) -> int:
    """The number of the last line of the text that begins here; −1: none begins."""
    for first, last in grammar.literals:
        found = re.search(first, lines[number])
        if found:
            ends = re.compile(last or rf"{re.escape(found['end'])}\s*$")
            later = range(number + 1, len(lines))
            return next((at for at in later if ends.search(lines[at])), -1)
    return -1


def _meaning(block: Block, grammar: Grammar) -> Iterable[tuple[str, ...]]:
    if block.literal:
        return (("\n".join(block.lines).rstrip(f"\n{''.join(grammar.comments)}"),),)
    if not block.header or block.header == grammar.last:
        return ()
    return _paths(block, grammar)


def _end(kept: Sequence[Block], grammar: Grammar) -> int:
    """Before the line that ends the text, if it has one."""
    for at in range(len(kept) - 1, -1, -1):
        if kept[at].header:
            return at if kept[at].header == grammar.last else at + 1
    return len(kept)
