"""A tree as the lines of ``show running-config``, and back."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.tree import IncompleteLineError, Tree, UnknownLineError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.live.rehearsal.cli.grammar import Grammar
    from fabric.live.rehearsal.cli.tree import Node

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Layout:
    """How a system writes its configuration.

    ``between``: what stands between groups at the left margin, ``inner``: between sections within
    sections (empty: nothing); ``lead``: blanks before lines at the left margin.
    """

    indent: int
    between: str | None
    inner: str | None = None
    comments: tuple[str, ...] = ("!",)
    outer_indent: int = 0
    last: str | None = None  # the line after the last group


def ordered(node: Node) -> list[Node]:
    """Lines in the order in which a system shows them: by kind, then by name or as typed."""
    shown = [c for c in node.children.values() if c.children or not (c.rule and c.rule.full)]
    kinds = [child.rule.rank if child.rule else -1 for child in shown]
    typed = {
        kind
        for child, kind in zip(shown, kinds, strict=True)
        if child.rule and (child.rule.typed or not child.rule.opens)
    }
    places = enumerate(zip(shown, kinds, strict=True))

    def rank(item: tuple[int, tuple[Node, int]]) -> tuple[int, list[tuple[int, int, str]]]:
        position, (child, kind) = item
        return kind, [(0, position, "")] if kind in typed else _natural(child.line)

    return [child for _, (child, _) in sorted(places, key=rank)]


def _natural(line: str) -> list[tuple[int, int, str]]:
    parts = _DIGITS.split(line)
    return [(0, int(part), "") if part.isdigit() else (1, 0, part) for part in parts]


def write(tree: Tree, layout: Layout) -> list[str]:
    """The lines of the whole configuration."""
    lines: list[str] = []
    previous = None
    for child in ordered(tree.root):
        group = child.line if _opens(child) else (child.rule.rank if child.rule else -1)
        if layout.between is not None and previous is not None and group != previous:
            lines.append(layout.between)
        previous = group
        pad = 0 if _opens(child) else layout.outer_indent
        lines += [" " * pad + child.line, *_inner(child, layout, 1)]
    return lines if layout.last is None else [*lines, *layout.last.splitlines()]


def _inner(node: Node, layout: Layout, depth: int) -> Iterator[str]:
    pad = " " * (layout.indent * depth)
    for child in ordered(node):
        if _opens(child) and layout.inner is not None:
            yield pad + layout.inner
        yield pad + child.line
        yield from _inner(child, layout, depth + 1)


def _opens(node: Node) -> bool:
    return node.rule is not None and node.rule.opens is not None


def read(
    grammar: Grammar, lines: Sequence[str], layout: Layout, into: Tree | None = None
) -> tuple[Tree, list[tuple[int, str]]]:
    """A file's lines as a configuration, and the lines that were refused, by number from 1."""
    tree, refused = into or Tree(grammar), []
    stack: list[tuple[int, tuple[str, ...]]] = []
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if layout.outer_indent and line.startswith(layout.comments):
            stack.clear()  # lines at the top are indented, too: only this ends a section
        if not text or text.startswith(layout.comments) or text in _LEAVING:
            continue
        depth = max(0, len(line) - len(line.lstrip(" ")))
        while stack and stack[-1][0] >= depth:
            stack.pop()
        place = stack[-1][1] if stack else ()
        try:
            after = tree.type(place, text)
        except (UnknownLineError, IncompleteLineError):
            refused.append((number, text))
            continue
        if len(after) > 0 and after != place:
            stack.append((depth, after))
    return tree, refused


_LEAVING = frozenset({"exit", "quit", "return", "end", "exit-address-family"})


def section(lines: Sequence[str], start: str) -> list[str]:
    """Of a configuration's lines, the sections and lines that begin with ``start``."""
    found: list[str] = []
    inside = False
    for line in lines:
        if not line.startswith(" "):
            inside = line.lower().startswith(start.lower())
        if inside:
            found.append(line)
    return found
