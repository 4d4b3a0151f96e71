"""Junos: a tree written in braces or as ``set`` lines, and what typing and loading these does."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.layout import ordered
from fabric.live.rehearsal.cli.tree import Node, Tree, UnknownLineError, remove

if TYPE_CHECKING:
    from collections.abc import Iterator

Words = tuple[str, ...]

_TOKEN = re.compile(r'"[^"]*"|[{};]|[^\s{};]+')
_WORD = re.compile(r'"[^"]*"|\S+')
_NEEDLESS = re.compile(r'"[\w./:@+-]+"')
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


def words_of(text: str) -> Words:
    """Words; what stands in quotes is one of them, quotes that are not needed go."""
    found = _WORD.findall(text)
    return tuple(w[1:-1] if _NEEDLESS.fullmatch(w) else w for w in found)


def put(tree: Tree, words: Words, place: Words = ()) -> None:
    """What ``set`` with these words does below a place; ``[ a b ]`` sets each of them.

    Raises:
        UnknownLineError: the word that no statement begins with here.
    """
    for line in _single(words):
        _put(tree, line, place, 0)


def _single(words: Words) -> Iterator[Words]:
    if "[" not in words:
        yield words
        return
    start = words.index("[")
    end = words.index("]") if "]" in words else len(words)
    for word in words[start + 1 : end]:
        yield (*words[:start], word, *words[end + 1 :])


def _put(tree: Tree, words: Words, place: Words, done: int) -> None:
    section = tree.section(place)
    for count in range(1, len(words) + 1):
        rule = next(
            (
                r
                for r in section.starting(words[0])
                if r.opens is not None and r.pattern.fit(words[:count])
            ),
            None,
        )
        if rule is not None:
            place = tree.put(place, rule, words[:count])
            if words[count:]:
                _put(tree, words[count:], place, done + count)
            return
    rule = section.find(words)
    if rule is not None:
        tree.put(place, rule, words)
        return
    raise UnknownLineError(done)


def delete(tree: Tree, words: Words, place: Words = ()) -> bool:
    """What ``delete`` with these words does; whether there was anything."""
    node = tree.node(place)
    for count in range(1, len(words)):
        child = node.children.get(" ".join(words[:count]))
        if child is not None and child.rule is not None and child.rule.opens is not None:
            return delete(tree, words[count:], (*place, " ".join(words[:count])))
    rule = tree.section(place).find(words, part=True)
    before = len(node.children)
    if rule is not None:
        remove(node, rule, words)
    return len(node.children) < before


def set_lines(node: Node, above: str = "set") -> Iterator[str]:
    """``show | display set``."""
    for child in ordered(node):
        line = f"{above} {child.line}"
        if child.children:
            yield from set_lines(child, line)
        else:
            yield line


def braces(node: Node, depth: int = 0) -> Iterator[str]:
    """``show configuration``."""
    pad = "    " * depth
    for child, line in _joined(ordered(node)):
        if not child.children:
            yield f"{pad}{line};"
        elif child.rule and child.rule.inline and len(child.children) == 1:
            (text,) = braces(child)
            yield f"{pad}{line} {text}"
        else:
            yield from (f"{pad}{line} {{", *braces(child, depth + 1), f"{pad}}}")


def _joined(nodes: list[Node]) -> Iterator[tuple[Node, str]]:
    """Statements that differ in the last word alone are written as one with brackets."""
    lists: dict[str, list[str]] = {}
    for node in nodes:
        if node.rule and node.rule.listed:
            start, _, last = node.line.rpartition(" ")
            lists.setdefault(start, []).append(last)
    told = set()
    for node in nodes:
        start = node.line.rpartition(" ")[0] if node.rule and node.rule.listed else ""
        values = lists.get(start, ())
        if len(values) < 2:  # noqa: PLR2004 - one value needs no brackets
            yield node, node.line
        elif start not in told:
            told.add(start)
            yield node, f"{start} [ {' '.join(values)} ]"


def load(tree: Tree, text: str, *, replacing: bool) -> list[tuple[int, str]]:
    """Merge braces into a tree; refused statements with their lines, from 1.

    ``replacing``: the tag ``replace:`` is obeyed, as ``load replace`` does.
    """
    refused: list[tuple[int, str]] = []
    above: list[Words] = []
    words: list[str] = []
    for number, piece in _tokens(text):
        if piece not in "{};":
            words.append(piece)
            continue
        tags = {w for w in words if w in {"replace:", "delete:", "protect:"}}
        line = (*[w for level in above for w in level], *_plain(words))
        if piece != "}":
            if tags & {"delete:"} or (tags & {"replace:"} and replacing):
                delete(tree, line)
            if "delete:" not in tags and (piece == ";" or not above or words):
                refused += _try(tree, line, number)
        if piece == "{":
            above.append(_plain(words))
        elif piece == "}" and above:
            above.pop()
        words = []
    return refused


def _plain(words: list[str]) -> Words:
    return words_of(" ".join(w for w in words if not re.fullmatch(r"(replace|delete|protect):", w)))


def _try(tree: Tree, line: Words, number: int) -> list[tuple[int, str]]:
    try:
        put(tree, line)
    except UnknownLineError as error:
        return [(number, line[min(error.word, len(line) - 1)])]
    return []


def _tokens(text: str) -> Iterator[tuple[int, str]]:
    plain = _COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(plain.splitlines(), 1):
        if not line.lstrip().startswith("#"):
            for piece in _TOKEN.findall(line.split(" ## ")[0]):
                yield number, piece


def compare(old: Node, new: Node, above: str = "") -> Iterator[str]:
    """``show | compare``: changed statements below the hierarchy that they stand in."""
    lines = list(_changed(old, new))
    if lines:
        yield f"[edit{above}]"
        yield from lines
    before = {child.line: child for child in old.children.values()}
    for child in ordered(new):
        if child.children and child.line in before and before[child.line].children:
            yield from compare(before[child.line], child, f"{above} {child.line}")


def _changed(old: Node, new: Node) -> Iterator[str]:
    for sign, one, other in (("-", old, new), ("+", new, old)):
        known = {child.line for child in other.children.values()}
        shell = Node("", None, {k: n for k, n in one.children.items() if n.line not in known})
        yield from (f"{sign}   {line}" for line in braces(shell))
