"""The three ways in which systems write configuration, behind one face."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from fabric.live.rehearsal.cli import braces, changes, layout
from fabric.live.rehearsal.cli.tree import IncompleteLineError, Tree, UnknownLineError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.live.rehearsal.cli.grammar import Grammar
    from fabric.live.rehearsal.cli.tree import Node

Config = Any  # a Tree, or JSON objects; a form knows which
Refused = list[tuple[int, str]]  # line number from 1, what was not understood there


class Form(Protocol):
    """What the engine asks of a way to write configuration."""

    def empty(self) -> Config:
        """Nothing configured."""

    def copy(self, config: Config) -> Config:
        """The same, sharing nothing."""

    def read(self, text: str, into: Config | None, how: str) -> tuple[Config, Refused]:
        """A file. ``how``: merge, replace, set, or override; ``into`` is changed."""

    def write(self, config: Config, style: str) -> list[str]:
        """Its lines; ``style`` is the system's word for a format, empty for the usual one."""

    def flat(self, config: Config) -> list[str]:
        """Each line with all that stands above it, in one."""

    def value(self, config: Config, path: Sequence[str]) -> str:
        """The last word of the line with these keys; empty: there is none."""

    def diff(self, old: Config, new: Config, style: str, names: tuple[str, str]) -> list[str]:
        """What differs."""


class Sections:
    """Sections with lines, as EOS, NX-OS, VRP and others have."""

    def __init__(self, grammar: Grammar, shape: layout.Layout) -> None:
        self.grammar, self.shape = grammar, shape

    def empty(self) -> Tree:
        """Nothing configured."""
        return Tree(self.grammar)

    def copy(self, config: Tree) -> Tree:
        """The same, sharing nothing."""
        return config.copy()

    def read(self, text: str, into: Tree | None, how: str) -> tuple[Tree, Refused]:
        """A file, by its indentation; ``override``: into nothing."""
        into = None if how == "override" else into
        return layout.read(self.grammar, text.splitlines(), self.shape, into)

    def write(self, config: Tree, style: str) -> list[str]:
        """As ``show running-config``; with a style, the section that begins so."""
        lines = layout.write(config, self.shape)
        return layout.section(lines, style) if style else lines

    def flat(self, config: Tree) -> list[str]:
        """Each line with all that stands above it."""
        return [" ".join((*above, node.line)) for above, node in config.root.walk()]

    def value(self, config: Tree, path: Sequence[str]) -> str:
        """The last word of the line with these keys."""
        node: Node | None = config.root
        for key in path:
            node = node.children.get(key) if node is not None else None
        return node.line.split()[-1] if node is not None else ""

    def diff(self, old: Tree, new: Tree, style: str, names: tuple[str, str]) -> list[str]:
        """``unified``, ``signed``, ``plain`` or ``patch``."""
        if style == "signed":
            return changes.signed(old.root, new.root, self.shape.indent)
        if style == "plain":
            return changes.plain(old.root, new.root, self.shape.indent)
        if style == "patch":
            return changes.patch(old, new)
        return changes.unified(self.write(old, ""), self.write(new, ""), names)


class Braces:
    """Junos."""

    def __init__(self, grammar: Grammar) -> None:
        self.grammar = grammar

    def empty(self) -> Tree:
        """Nothing configured."""
        return Tree(self.grammar)

    def copy(self, config: Tree) -> Tree:
        """The same, sharing nothing."""
        return config.copy()

    def read(self, text: str, into: Tree | None, how: str) -> tuple[Tree, Refused]:
        """``set``: lines as typed; else braces."""
        tree = Tree(self.grammar) if into is None or how == "override" else into
        if how != "set":
            return tree, braces.load(tree, text, replacing=how == "replace")
        refused: Refused = []
        for number, line in enumerate(text.splitlines(), 1):
            verb, _, rest = line.strip().partition(" ")
            if not verb or verb.startswith("#"):
                continue
            try:
                self._line(tree, verb, rest)
            except UnknownLineError:
                refused.append((number, line.strip()))
        return tree, refused

    def _line(self, tree: Tree, verb: str, rest: str) -> None:
        words = braces.words_of(rest)
        if verb == "set" and words:
            braces.put(tree, words)
        elif verb == "delete" and words:
            braces.delete(tree, words)
        else:
            raise UnknownLineError(0)

    def write(self, config: Tree, style: str) -> list[str]:
        """Braces, or ``set`` lines."""
        lines = braces.set_lines(config.root) if style == "set" else braces.braces(config.root)
        return list(lines)

    def flat(self, config: Tree) -> list[str]:
        """Each line with all that stands above it."""
        return [" ".join((*above, node.line)) for above, node in config.root.walk()]

    def value(self, config: Tree, path: Sequence[str]) -> str:
        """The last word of the line with these keys."""
        node: Node | None = config.root
        for key in path:
            node = node.children.get(key) if node is not None else None
        return node.line.split()[-1] if node is not None else ""

    def diff(self, old: Tree, new: Tree, style: str, names: tuple[str, str]) -> list[str]:
        """``show | compare``."""
        del style, names
        return list(braces.compare(old.root, new.root))


__all__ = ["Braces", "Config", "Form", "IncompleteLineError", "Refused", "Sections"]
