"""What is typed to get from one configuration in sections to another, for systems without replace.

First what goes is taken away, from what names others to what is named; then what comes is typed,
the other way round. So nothing is taken away while something names it, and nothing is named that
is not there. A line ``no x`` in the old text asks for nothing when it goes, unless a negation of
its own is known: a text without ``x`` means the same (see ``sections.differences``).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabric.changing.sections import BELOW, as_written, paths
from fabric.model.push import ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.changing.sections import Grammar

_NO = "no "
_LEAVE = "exit"


@dataclass(frozen=True, slots=True)
class Negation:
    """A line that ``pattern`` matches as a whole is taken away by ``by``, a template of ``re``.

    ``gives_way``: another such line of the same section takes its place, so nothing is said first.
    ``below``: found in the headers above the line, ``header > header`` (at the top: nothing).
    """

    pattern: str
    by: str
    gives_way: bool = False
    below: str = ""


@dataclass(frozen=True, slots=True)
class Typing:
    """How lines of a system are typed. All patterns are regular expressions.

    ``order``: top headers, from what is named to what names it; those that none matches come last.
    ``negations``: the first that matches counts; else it is ``no`` and the whole line. ``stays``:
    top headers of sections that cannot be taken away, only emptied. ``opens``: headers that open a
    section even if nothing stands below, with those above them, ``header > header``.
    """

    grammar: Grammar
    order: tuple[str, ...] = ()
    negations: tuple[Negation, ...] = ()
    stays: str = r"(?!)"
    opens: str = r"(?!)"


@dataclass(slots=True)
class _Node:
    """A line as written, and the lines below it by their normal form."""

    text: str
    below: dict[str, _Node] = field(default_factory=dict)


def remediation(before: str, after: str, typing: Typing) -> tuple[str, ...]:
    """The lines, from the top of configuration mode back to it; none: nothing differs.

    Raises:
        ReplyError: text over several lines (a banner) differs, which cannot be typed.
    """
    old, new = _tree(before, typing.grammar), _tree(after, typing.grammar)
    several = sorted({key for key in old.keys() ^ new.keys() if "\n" in key})
    if several:
        msg = f"{several[0].splitlines()[0]!r} and what follows differ, and cannot be typed"
        raise ReplyError(msg)
    old, new = _ranked(old, typing), _ranked(new, typing)
    return (*_gone(old, new, typing, ()), *_comes(old, new, typing, ()))


def _tree(text: str, grammar: Grammar) -> dict[str, _Node]:
    root: dict[str, _Node] = {}
    for path in paths(text, replace(grammar, normal=as_written)):
        nodes = root
        for line in path:
            nodes = nodes.setdefault(grammar.normal(line), _Node(line)).below
    return root


def _ranked(nodes: dict[str, _Node], typing: Typing) -> dict[str, _Node]:
    """Top lines in the order of the system's headers, else as they stood."""
    order = [re.compile(pattern) for pattern in typing.order]

    def rank(item: tuple[str, _Node]) -> int:
        return next((at for at, one in enumerate(order) if one.search(item[1].text)), len(order))

    return dict(sorted(nodes.items(), key=rank))


def _gone(
    old: dict[str, _Node], new: dict[str, _Node], typing: Typing, above: tuple[str, ...]
) -> Iterator[str]:
    """What takes away the lines that ``new`` lacks, the last first."""
    said = {_negated(node.text, typing, above) for key, node in new.items() if key not in old}
    for key, node in reversed(old.items()):
        here = (*above, node.text)
        if key in new:
            yield from _inside(node, _gone(node.below, new[key].below, typing, here))
        elif not above and re.search(typing.stays, node.text):
            yield from _inside(node, _gone(node.below, {}, typing, here))
        else:
            line, gives_way = _negated(node.text, typing, above)
            opposite = typing.grammar.normal(line) in new
            if line and not opposite and not (gives_way and (line, True) in said):
                yield line


def _comes(
    old: dict[str, _Node], new: dict[str, _Node], typing: Typing, above: tuple[str, ...]
) -> Iterator[str]:
    """What types the lines that ``old`` lacks."""
    for key, node in new.items():
        here = (*above, node.text)
        if key in old:
            yield from _inside(node, _comes(old[key].below, node.below, typing, here))
            continue
        yield node.text
        if node.below or re.search(typing.opens, BELOW.join(here)):
            yield from _comes({}, node.below, typing, here)
            yield _LEAVE


def _inside(node: _Node, lines: Iterable[str]) -> Iterable[str]:
    """Lines within a section; nothing if there are none."""
    listed = tuple(lines)
    return (node.text, *listed, _LEAVE) if listed else ()


def _negated(line: str, typing: Typing, above: tuple[str, ...]) -> tuple[str, bool]:
    """What takes a line away (of some negations nothing), and whether another of its kind does."""
    for one in typing.negations:
        match = re.fullmatch(one.pattern, line)
        if match and re.search(one.below, BELOW.join(above)):
            return match.expand(one.by), one.gives_way
    return "" if line.startswith(_NO) else f"{_NO}{line}", False
