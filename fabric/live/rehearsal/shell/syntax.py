"""The part of the POSIX shell language that operators send over SSH, as a tree."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.nodes import Chain, Group, Part, Pipeline, Redirect, Simple

if TYPE_CHECKING:
    from fabric.live.rehearsal.shell.nodes import Listing, Word

_TOKEN = re.compile(r"\s*(?:(#.*)|(&&|\|\||;|&>>?|\d?(?:>&|<&|>>|>|<)|&|\||\n|\(|\)))")
_BLANK = " \t"
_ENDS = set(" \t\n;&|<>()")
_CLOSERS = frozenset({"}", ")", "then", "else", "elif", "fi", "do", "done"})


class ShellSyntaxError(ValueError):
    """A line that no shell takes."""


def parse(text: str) -> Listing:
    """The tree of a line or script.

    Raises:
        ShellSyntaxError: it is none.
    """
    parser = _Parser(text)
    listing = parser.listing()
    if parser.peek():
        message = f"syntax error near unexpected token `{parser.peek()}'"
        raise ShellSyntaxError(message)
    return listing


class _Parser:
    def __init__(self, text: str) -> None:
        self._text, self._at = text.replace("\\\n", ""), 0

    def peek(self) -> str:
        """The next operator or bare word; empty at the end."""
        at = self._at
        token = self._next()
        self._at = at
        return token

    def _next(self) -> str:
        while self._at < len(self._text) and self._text[self._at] in _BLANK:
            self._at += 1
        if found := _TOKEN.match(self._text, self._at):
            self._at = found.end()
            return self._next() if found[1] else found[2]
        end = self._at
        while end < len(self._text) and self._text[end] not in _ENDS:
            end += 1
        token, self._at = self._text[self._at : end], end
        return token

    def _accept(self, *tokens: str) -> bool:
        at = self._at
        if self._next() in tokens:
            return True
        self._at = at
        return False

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            found = self.peek() or "newline"
            message = f"syntax error near unexpected token `{found}'"
            raise ShellSyntaxError(message)

    def listing(self) -> Listing:
        chains: list[Chain] = []
        while True:
            while self._accept("\n", ";"):
                pass
            if not self.peek() or self.peek() in _CLOSERS:
                return tuple(chains)
            pipelines = [("", self._pipeline())]
            while (operator := self.peek()) in {"&&", "||"}:
                self._next()
                while self._accept("\n"):
                    pass
                pipelines.append((operator, self._pipeline()))
            background = self._accept("&")
            chains.append(Chain(tuple(pipelines), background))
            if not background and not self._accept(";", "\n"):
                return tuple(chains)

    def _pipeline(self) -> Pipeline:
        negated = self._accept("!")
        commands = [self._command()]
        while self._accept("|"):
            commands.append(self._command())
        return Pipeline(tuple(commands), negated)

    def _command(self) -> Simple | Group:
        for opener, closer in (("{", "}"), ("(", ")")):
            if self._accept(opener):
                body = self.listing()
                self._expect(closer)
                return Group(body, self._redirects())
        if self._accept("if"):
            return self._if()
        return self._simple()

    def _if(self) -> Group:
        test = self.listing()
        self._expect("then")
        body = self.listing()
        if self._accept("elif"):
            rest = Pipeline((self._if(),))
            return Group(body, (), test, (Chain((("", rest),), background=False),))
        otherwise = self.listing() if self._accept("else") else None
        self._expect("fi")
        return Group(body, self._redirects(), test, otherwise)

    def _redirects(self) -> tuple[Redirect, ...]:
        found = []
        while redirect := self._redirect():
            found.append(redirect)
        return tuple(found)

    def _redirect(self) -> Redirect | None:
        operator = self.peek()
        if not operator or operator.strip("0123456789&<>") or not set(operator) & {"<", ">"}:
            return None
        self._next()
        if operator[0] in "<>":
            operator = ("0" if operator[0] == "<" else "1") + operator
        return Redirect(operator, self._word())

    def _simple(self) -> Simple:
        words: list[Word] = []
        sets: list[tuple[str, Word]] = []
        redirects: list[Redirect] = []
        while True:
            if redirect := self._redirect():
                redirects.append(redirect)
            elif not (token := self.peek()) or token[0] in "&|;\n()":
                break
            elif not words and (found := re.match(r"\s*([A-Za-z_]\w*)=", self._text[self._at :])):
                self._at += found.end()
                sets.append((found[1], self._word(empty=True)))
            else:
                words.append(self._word())
        if not words and not sets and not redirects:
            message = f"syntax error near unexpected token `{token or 'newline'}'"
            raise ShellSyntaxError(message)
        return Simple(tuple(words), tuple(sets), tuple(redirects))

    def _word(self, *, empty: bool = False) -> Word:
        while not empty and self._at < len(self._text) and self._text[self._at] in _BLANK:
            self._at += 1
        parts: list[Part] = []
        while self._at < len(self._text) and (sign := self._text[self._at]) not in _ENDS:
            if sign == "'":
                end = self._find("'", self._at + 1)
                parts.append(Part("text", self._text[self._at + 1 : end], quoted=True))
                self._at = end + 1
            elif sign == '"':
                self._at += 1
                parts.append(Part("text", "", quoted=True))
                while self._sign() != '"':
                    parts.append(self._piece(quoted=True))
                self._at += 1
            else:
                parts.append(self._piece(quoted=False))
        if not parts and not empty:
            message = f"syntax error near unexpected token `{self.peek() or 'newline'}'"
            raise ShellSyntaxError(message)
        return tuple(parts)

    def _sign(self) -> str:
        if self._at >= len(self._text):
            message = "unexpected EOF while looking for matching `\"'"
            raise ShellSyntaxError(message)
        return self._text[self._at]

    def _find(self, sign: str, start: int) -> int:
        end = self._text.find(sign, start)
        if end < 0:
            message = f"unexpected EOF while looking for matching `{sign}'"
            raise ShellSyntaxError(message)
        return end

    def _piece(self, *, quoted: bool) -> Part:
        rest = self._text[self._at :]
        if rest.startswith("$("):
            return self._substitution(quoted=quoted)
        if found := re.match(r"\$(?:\{(\w+)\}|(\w+|[?$!#@]))", rest):
            self._at += found.end()
            return Part("variable", found[1] or found[2], quoted)
        if rest[0] == "\\" and (not quoted or rest[1:2] in '"\\$`'):
            self._at += 2
            return Part("text", rest[1:2], quoted=True)
        end = 1
        stops = '"$\\' if quoted else "'\"$\\ \t\n;&|<>()"
        while end < len(rest) and rest[end] not in stops:
            end += 1
        self._at += end
        return Part("text", rest[:end], quoted)

    def _substitution(self, *, quoted: bool) -> Part:
        start = self._at + 2
        inner = _Parser(self._text)
        inner._at = start
        inner.listing()
        inner._expect(")")
        self._at = inner._at
        return Part("command", self._text[start : self._at - 1], quoted)
