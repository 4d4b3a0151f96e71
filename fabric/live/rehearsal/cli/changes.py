"""What differs between two configurations, in the ways in which the systems show it."""

from __future__ import annotations

import difflib
import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.layout import ordered

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.live.rehearsal.cli.tree import Node, Tree


def unified(old: Sequence[str], new: Sequence[str], names: tuple[str, str]) -> list[str]:
    """``diff -u`` of two texts; nothing where they are equal."""
    return list(difflib.unified_diff(old, new, *names, lineterm=""))


def signed(old: Node, new: Node, indent: int) -> list[str]:
    """``+`` and ``-`` lines, with the sections that they stand in above them."""
    return list(_signed(old, new, " " * indent, 0))


def _signed(old: Node, new: Node, pad: str, depth: int) -> Iterator[str]:
    gone = [child for child in ordered(old) if child.line not in _lines(new)]
    for child in gone:
        yield from _whole("-", child, pad, depth)
    before = {child.line: child for child in old.children.values()}
    for child in ordered(new):
        if child.line not in before:
            yield from _whole("+", child, pad, depth)
        elif inner := list(_signed(before[child.line], child, pad, depth + 1)):
            yield f" {pad * depth}{child.line}"
            yield from inner


def _whole(sign: str, node: Node, pad: str, depth: int) -> Iterator[str]:
    yield f"{sign}{pad * depth}{node.line}"
    for child in ordered(node):
        yield from _whole(sign, child, pad, depth + 1)


def _lines(node: Node) -> set[str]:
    return {child.line for child in node.children.values()}


def plain(old: Node, new: Node, indent: int) -> list[str]:
    """What comes, below a ``!`` each and without signs; what goes with ``no``."""
    lines: list[str] = []
    for line in _signed(old, new, " " * indent, 0):
        sign, text = line[0], line[1:]
        lines += ["!"] if not text.startswith(" ") else []
        lines.append(re.sub(r"^( *)", r"\1no ", text) if sign == "-" else text)
    return lines


def patch(old: Tree, new: Tree) -> list[str]:
    """The commands that make ``new`` of ``old``: what goes first, then what comes."""
    word = old.grammar.negation
    return [*_going(old.root, new.root, word), *_coming(old.root, new.root)]


def _going(old: Node, new: Node, word: str) -> Iterator[str]:
    for child in ordered(old):
        key = next((k for k, node in old.children.items() if node is child), child.line)
        if key not in new.children:
            yield (
                child.line.removeprefix(f"{word} ")
                if child.line.startswith(f"{word} ")
                else (f"{word} {child.line}")
            )
        elif inner := list(_going(child, new.children[key], word)):
            yield from (child.line, *inner, "exit")


def _coming(old: Node, new: Node) -> Iterator[str]:
    before = {child.line: child for child in old.children.values()}
    for child in ordered(new):
        known = before.get(child.line)
        inner = list(_coming(known or type(child)(child.line), child))
        if known is None or inner:
            yield child.line
        if inner:
            yield from (*inner, "exit")
