"""A configuration as a tree of sections and lines, with what typing a line does to it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.rehearsal.cli.grammar import Grammar, Rule, Section


@dataclass(slots=True)
class Node:
    """A line; where it opens a section, with what stands in it, by key."""

    line: str
    rule: Rule | None = None
    children: dict[str, Node] = field(default_factory=dict)

    def copy(self) -> Node:
        """The same, sharing nothing."""
        children = {key: child.copy() for key, child in self.children.items()}
        return Node(self.line, self.rule, children)

    def walk(self) -> Iterator[tuple[tuple[str, ...], Node]]:
        """All nodes below, each with the lines of the sections that it stands in."""
        for child in self.children.values():
            yield (), child
            for above, node in child.walk():
                yield (child.line, *above), node


class UnknownLineError(ValueError):
    """No such command here. ``word``: which of the typed words is wrong, from 0."""

    def __init__(self, word: int) -> None:
        super().__init__(word)
        self.word = word


class IncompleteLineError(ValueError):
    """The words begin a command and end too early."""


class Tree:
    """A configuration. A ``place`` is the keys of the sections that a user is in."""

    def __init__(self, grammar: Grammar, root: Node | None = None) -> None:
        self.grammar = grammar
        self.root = root or Node("")

    def copy(self) -> Tree:
        """The same, sharing nothing."""
        return Tree(self.grammar, self.root.copy())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tree) and same(self.root, other.root)

    __hash__ = None  # type: ignore[assignment]  # it changes

    def node(self, place: tuple[str, ...]) -> Node:
        """The section at a place; it is made where it is not there (any more)."""
        node, section = self.root, self.grammar["root"]
        for key in place:
            if key not in node.children:
                node.children[key] = Node(key, section.find(tuple(key.split())))
            node, section = node.children[key], self._below(section, key)
        return node

    def section(self, place: tuple[str, ...]) -> Section:
        """What may be typed at a place, whether or not there is anything yet."""
        section = self.grammar["root"]
        for key in place:
            section = self._below(section, key)
        return section

    def _below(self, section: Section, key: str) -> Section:
        rule = section.find(tuple(key.split()))
        if rule is None or rule.opens is None:
            raise LookupError(key)
        return self.grammar[rule.opens]

    def type(self, place: tuple[str, ...], line: str) -> tuple[str, ...]:
        """Take a line, and say where the user is then.

        A line that this section does not know is tried in the sections around it, as the systems
        do, and takes the user there.

        Raises:
            UnknownLineError, IncompleteLineError: refused; nothing was changed.
        """
        words = tuple(line.split())
        negated = words[0] == self.grammar.negation and len(words) > 1
        wanted = words[1:] if negated else words
        started = False
        for depth in range(len(place), -1, -1):
            here, section = place[:depth], self.section(place[:depth])
            rule = section.find(wanted, part=negated)
            if rule is not None and rule.needs and rule.needs not in self.root.children:
                raise UnknownLineError(negated)
            if rule is not None:
                return self.put(here, rule, wanted, negated=negated)
            started = started or section.find(wanted, part=True) is not None
        if started:
            raise IncompleteLineError(line)
        raise UnknownLineError(self._wrong_word(place, wanted) + negated)

    def _wrong_word(self, place: tuple[str, ...], words: tuple[str, ...]) -> int:
        sections = [self.section(place[:depth]) for depth in range(len(place) + 1)]
        for count in range(len(words) - 1, 0, -1):
            if any(section.find(words[:count], part=True) for section in sections):
                return count
        return 0

    def put(
        self, place: tuple[str, ...], rule: Rule, words: tuple[str, ...], *, negated: bool = False
    ) -> tuple[str, ...]:
        """What a line of this kind does at a place; where the user is then."""
        node, line = self.node(place), " ".join(words)
        key = _key(rule, words)
        for other in [one for one in node.children if rule.ousts and re.fullmatch(rule.ousts, one)]:
            del node.children[other]
        if negated and rule.keeps_negation and rule.pattern.fit(words):
            node.children[key] = Node(f"{self.grammar.negation} {line}", rule)
        elif negated:
            remove(node, rule, words)
            self._drop_needy()
        elif rule.opens is not None:
            node.children.setdefault(key, Node(line, rule))
            return (*place, key)
        elif line == rule.default:
            node.children.pop(key, None)
        elif key in node.children:
            node.children[key].line = line  # it keeps its place
        else:
            node.children[key] = Node(line, rule)
            self._add(place, rule, words)
        return place

    def _add(self, place: tuple[str, ...], rule: Rule, words: tuple[str, ...]) -> None:
        """What the system adds by itself; only for IPv4, as the documents have it."""
        if rule.adds and not any(":" in word for word in words):
            below, _, line = rule.adds.format(*words).partition(" | ")
            self.type(self.type(place, below), line)

    def _drop_needy(self) -> None:
        """What needs a line that is gone goes with it."""
        root = self.root.children
        for key, child in list(root.items()):
            if child.rule is not None and child.rule.needs and child.rule.needs not in root:
                del root[key]

    def reset(self, place: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
        """Back to the default, as ``default ...`` does; where the user is then."""
        for depth in range(len(place), -1, -1):
            here = place[:depth]
            rule = self.section(here).find(words, part=True)
            if rule is not None:
                node = self.node(here)
                found = node.children.get(_key(rule, words))
                if rule.opens is not None and found is not None:
                    found.children.clear()
                else:
                    remove(node, rule, words)
                return here
        raise UnknownLineError(1)


def _key(rule: Rule, words: tuple[str, ...]) -> str:
    fit = rule.pattern.fit(words, part=True)
    return " ".join(words[: fit.key_words] if fit else words)


def remove(node: Node, rule: Rule, words: tuple[str, ...]) -> None:
    """Take away what these words name: the thing itself, or all that begins with them."""
    key = _key(rule, words)
    for name, child in list(node.children.items()):
        told = tuple(name.split())
        if name != key and told[: len(words)] != words:
            continue
        if child.rule is not None and re.fullmatch(child.rule.stays or "(?!)", child.line):
            child.children.clear()
        else:
            del node.children[name]
    if rule.cascades:
        for child in node.children.values():
            remove(child, rule, words)


def same(one: Node, other: Node) -> bool:
    """Whether two sections say the same; order counts where the rule says so."""
    if one.line != other.line or one.children.keys() != other.children.keys():
        return False
    pairs = ((child, other.children[key]) for key, child in one.children.items())
    return all(same(mine, theirs) for mine, theirs in pairs) and _typed(one) == _typed(other)


def _typed(node: Node) -> list[str]:
    return [key for key, child in node.children.items() if child.rule and child.rule.typed]
