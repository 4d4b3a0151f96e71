"""A configuration of Junos as a tree of words: ``set`` lines and the curly form give the same.

A statement is a path of words; what a word leads to is kept in the order of the text. A value that
is set again counts as the later one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

Tree: TypeAlias = "dict[str, Tree]"
Path: TypeAlias = "tuple[str, ...]"

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?\*/|\#[^\n]*)|(?P<quoted>"(?:[^"\\\n]|\\.)*")|(?P<sign>[{};\[\]])"""
    r"""|(?P<word>[^\s{};\[\]"]+)""",
    re.DOTALL,
)
_TAGS = frozenset({"replace:", "protect:", "delete:"})
_OFF = "inactive:"
_VERBS = ("set", "delete", "deactivate", "activate")
_DEEP = 100  # braces in each other, words in one statement
_MOST_DIGITS = 18
_NO_END = "a statement has no semicolon"


class BrokenTextError(ValueError):
    """Braces that do not match, or a statement that goes on and on."""


def tree_of(text: str) -> Tree:
    """The configuration in either form.

    Raises:
        BrokenTextError: braces that do not match, or statements without an end.
    """
    lines = [line.strip() for line in text.split("\n")]
    if any(line.startswith("set ") for line in lines):
        return _of_commands(lines)
    root: Tree = {}
    _block(_tokens(text), root)
    return root


def curly_paths(text: str) -> Iterator[Path]:
    """Every statement of the curly form as the words that lead to it; ``[ a b ]`` gives several.

    Raises:
        BrokenTextError: braces that do not match, or a statement without its end.
    """
    above: list[Path] = []
    words: list[tuple[str, bool]] = []
    for word, quoted in _tokens(text):
        if quoted or word not in {"{", "}", ";"}:
            words.append((word, quoted))
            continue
        if word == "}" and not above:
            msg = "a brace closes that was never opened"
            raise BrokenTextError(msg)
        if word == "}" and words:
            raise BrokenTextError(_NO_END)
        path = tuple(w for w, q in words if q or w not in _TAGS)
        words = []
        if word == "{":
            above.append(path)
        elif word == "}":
            above.pop()
        else:
            yield from _spread(tuple(w for part in above for w in part) + path)
    if above:
        msg = "a brace is never closed"
        raise BrokenTextError(msg)
    if words:
        raise BrokenTextError(_NO_END)


def _spread(path: Path) -> Iterator[Path]:
    if "[" not in path:
        yield path
        return
    place = path.index("[")
    for word in path[place + 1 :]:
        if word != "]":
            yield (*path[:place], word)


def words_of(line: str) -> Path:
    """The words of one line; brackets stay."""
    return tuple(word for word, _ in _tokens(line))


def _of_commands(lines: list[str]) -> Tree:
    """``delete`` and ``deactivate`` take back what they name; other lines say nothing."""
    root: Tree = {}
    for line in lines:
        verb, *words = words_of(line) or ("",)
        if verb not in _VERBS or not words:
            continue
        if verb == "set":
            _put(root, words)
        elif verb != "activate":
            _take(root, words)
    return root


def _tokens(text: str) -> Iterator[tuple[str, bool]]:
    """Words and signs, and whether it was quoted."""
    for found in _TOKEN.finditer(text):
        if found["quoted"] is not None:
            yield re.sub(r"\\(.)", r"\1", found["quoted"][1:-1]), True
        elif found["comment"] is None:
            yield found[0], False


def _block(tokens: Iterator[tuple[str, bool]], into: Tree | None, depth: int = 0) -> None:
    """Statements up to the closing brace. ``into`` ``None``: they are switched off."""
    words: list[str] = []
    for word, quoted in tokens:
        if quoted or word not in {"{", "}", ";"}:
            words.append(word)
            continue
        if word == "}":
            if not depth:
                msg = "a brace closes that was never opened"
                raise BrokenTextError(msg)
            return
        _statement(tokens, words, into, depth, opens=word == "{")
        words = []
    if depth:
        msg = "a brace is never closed"
        raise BrokenTextError(msg)


def _statement(
    tokens: Iterator[tuple[str, bool]],
    words: list[str],
    into: Tree | None,
    depth: int,
    *,
    opens: bool,
) -> None:
    off = _OFF in words
    path = [word for word in words if word not in _TAGS and word != _OFF]
    below = None
    if into is not None and not off and path:
        below = _put(into, path)
    if opens:
        if depth > _DEEP:
            msg = "braces are nested too deep"
            raise BrokenTextError(msg)
        _block(tokens, below, depth + 1)


def _put(root: Tree, words: list[str]) -> Tree:
    """Add a statement; ``[ a b ]`` at its end is one for each. The last one's tree is returned."""
    if "[" in words:
        place = words.index("[")
        ends = [word for word in words[place + 1 :] if word != "]"]
        here = root
        for end in ends:
            here = _put(root, [*words[:place], end])
        return here
    if len(words) > _DEEP:
        msg = f"a statement of more than {_DEEP} words: {' '.join(words[:4])} …"
        raise BrokenTextError(msg)
    here = root
    for word in words:
        kept = here.pop(word, {})
        here[word] = kept
        here = kept
    return here


def _take(root: Tree, words: list[str]) -> None:
    here = root
    for word in words[:-1]:
        if word not in here:
            return
        here = here[word]
    here.pop(words[-1], None)


def at(tree: Tree, *path: str) -> Tree:
    """What stands below a path; empty where there is nothing."""
    for word in path:
        if word not in tree:
            return {}
        tree = tree[word]
    return tree


def value(tree: Tree, *path: str) -> str | None:
    """The value of a statement that has one: the last one written."""
    return next(reversed(at(tree, *path)), None)


def number(tree: Tree, *path: str) -> int | None:
    """The same as a number; ``None`` also where it is none."""
    return whole(value(tree, *path))


def whole(text: str | None) -> int | None:
    """A whole number of at most eighteen digits; anything else is none."""
    if text is None or not (text.isascii() and text.isdecimal()) or len(text) > _MOST_DIGITS:
        return None
    return int(text)


def all_words(tree: Tree) -> Iterator[str]:
    """Every word below, in order: for statements that Junos writes in one line or in several."""
    for word, below in tree.items():
        yield word
        yield from all_words(below)


def merged(first: Tree, second: Tree) -> Tree:
    """Both; what the second sets counts."""
    whole = {word: merged(below, {}) for word, below in first.items()}
    for word, below in second.items():
        whole[word] = merged(whole.pop(word, {}), below)
    return whole
