"""How the fakes' data writes down a configuration line, and matching typed words against it.

``mtu = <68-9214>``            one value: what stands before ``=`` is the key
``qos map dscp ... to traffic-class = <0-7>``
``interface WORD -> interface``  opens the section ``interface``

Tokens: a word stands for itself; ``(a|b)`` one of these; ``<1-9>`` a number in that range; ``WORD``
any word; ``...`` one word or more; ``*`` any number of words; ``~word`` a word that may be left
out. Only the last of several ``...`` and ``*`` may be followed by nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_RANGE = re.compile(r"<(-?\d+)-(\d+)>")


@dataclass(frozen=True, slots=True)
class Fit:
    """How typed words fit a pattern. ``key_words``: how many of them name the thing set."""

    complete: bool
    key_words: int


@dataclass(frozen=True)
class Pattern:
    """One kind of configuration line."""

    tokens: tuple[str, ...]
    key_tokens: int | None  # before the "="; None: the whole line is the key

    @cached_property
    def lead(self) -> str | None:
        """The first word, where it is fixed."""
        first = self.tokens[0]
        return None if re.match(r"[(<~*]|WORD$|\.\.\.$", first) else first

    def fit(self, words: tuple[str, ...], *, part: bool = False) -> Fit | None:
        """Match; with ``part``, words that stop early fit too. ``None``: no match.

        An incomplete fit needs at least the first word.
        """
        fit = self._walk(words, 0, 0, None)
        return fit if fit is not None and (fit.complete or part) else None

    def _walk(self, words: tuple[str, ...], word: int, token: int, key: int | None) -> Fit | None:
        if token == self.key_tokens:
            key = word
        if token == len(self.tokens):
            return Fit(complete=True, key_words=_or(key, word)) if word == len(words) else None
        now = self.tokens[token]
        if now in {"...", "*"}:
            return self._rest(words, word, token, key)
        if now.startswith("~"):
            taken = self._one(now[1:], words, word, token, key)
            left = self._walk(words, word, token + 1, key)
            return left if left is not None and left.complete else taken or left
        return self._one(now, words, word, token, key)

    def _one(
        self, now: str, words: tuple[str, ...], word: int, token: int, key: int | None
    ) -> Fit | None:
        if word == len(words):
            return Fit(complete=False, key_words=_or(key, word)) if word else None
        return self._walk(words, word + 1, token + 1, key) if _fits(now, words[word]) else None

    def _rest(self, words: tuple[str, ...], word: int, token: int, key: int | None) -> Fit | None:
        least = word + (1 if self.tokens[token] == "..." else 0)
        if least > len(words):
            return Fit(complete=False, key_words=_or(key, word)) if word else None
        best = None
        for end in range(len(words), least - 1, -1):
            fit = self._walk(words, end, token + 1, key)
            if fit is not None and (fit.complete or best is None):
                best = fit
                if fit.complete:
                    break
        return best


def _or(key: int | None, word: int) -> int:
    return word if key is None else key


def _fits(token: str, word: str) -> bool:
    if token == "WORD":  # noqa: S105 - of the language of the data
        return True
    if token.startswith("("):
        return word in token[1:-1].split("|")
    if found := _RANGE.fullmatch(token):
        low, high = int(found[1]), int(found[2])
        return re.fullmatch(r"-?\d+", word) is not None and low <= int(word) <= high
    return word == token


def read_pattern(text: str) -> Pattern:
    """The pattern that ``text`` writes down (without ``-> section``)."""
    before, equals, after = text.partition(" = ")
    key = tuple(before.split())
    return Pattern((*key, *after.split()), len(key) if equals else None)
