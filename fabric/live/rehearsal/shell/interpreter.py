"""Runs shell trees on a fake Linux system.

Every run is a generator that yields how many fake seconds pass: a session adds them up, a job in
the background sleeps for them.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeAlias

from fabric.live.rehearsal.shell.nodes import Chain, Group, Listing, Redirect, Simple, Word
from fabric.live.rehearsal.shell.syntax import ShellSyntaxError, parse

if TYPE_CHECKING:
    from fabric.live.rehearsal.shell.linux import Linux

NOT_FOUND = 127
_TO = {"1": "out", "2": "err"}  # descriptor → where what is written to it goes
FULL = "No space left on device"


@dataclass(frozen=True, slots=True)
class Result:
    """What a program leaves: exit status, both outputs, and how long it took."""

    status: int = 0
    out: str = ""
    err: str = ""
    seconds: float = 0.0

    def then(self, later: Result) -> Result:
        """Both, one after the other."""
        return Result(later.status, self.out + later.out, self.err + later.err)


@dataclass(frozen=True, slots=True)
class Call:
    """A program as it is called."""

    box: Linux
    user: str
    args: tuple[str, ...]
    stdin: str = ""
    folder: str = "/"
    variables: Mapping[str, str] = field(default_factory=dict)

    def path(self, text: str) -> str:
        """A path as written, made absolute."""
        return self.box.files.absolute(text, self.folder)


Run: TypeAlias = Generator[float, None, Result]
Program: TypeAlias = Callable[[Call], "Result | Run"]


class Interpreter:
    """One shell process: its user, its folder, its variables."""

    def __init__(self, box: Linux, user: str, name: str = "bash") -> None:
        self._box, self._user, self._name = box, user, name
        self._folder = box.home(user)
        self._variables = {"HOME": self._folder, "USER": user}
        self._status = 0
        self._to = dict(_TO)  # where `exec` has led the outputs

    def run_text(self, text: str, stdin: str = "") -> Run:
        """Run a line or script."""
        try:
            tree = parse(text)
        except ShellSyntaxError as error:
            return Result(2, "", f"{self._name}: -c: line 1: {error}\n")
        return (yield from self._listing(tree, stdin))

    def _listing(self, listing: Listing, stdin: str) -> Run:
        total = Result()
        for chain in listing:
            if chain.background:
                front = replace(chain, background=False)
                self._box.jobs.start(self._listing((front,), ""))
                result = Result()
            else:
                result = yield from self._chain(chain, stdin)
            total = total.then(result)
            self._status = total.status
            if self._variables.pop("", None):  # `exit`
                break
        return total

    def _chain(self, chain: Chain, stdin: str) -> Run:
        total = Result()
        for operator, pipeline in chain.pipelines:
            if (operator == "&&" and total.status) or (operator == "||" and not total.status):
                continue
            feed, errors = stdin, ""
            result = Result()
            for command in pipeline.commands:
                piped = command is not pipeline.commands[-1]
                result = yield from self._command(command, feed, piped=piped)
                feed, errors = result.out, errors + result.err
            status = int(not result.status) if pipeline.negated else result.status
            self._status = status
            total = total.then(Result(status, result.out, errors))
        return total

    def _command(self, command: Simple | Group, stdin: str, *, piped: bool) -> Run:
        to = self._to | ({"1": _TO["1"]} if piped else {})
        sinks = yield from self._open(command.redirects, _Sinks(stdin, to))
        if isinstance(sinks, Result):
            return sinks
        if isinstance(command, Simple) and _word_of(command) == "exec":
            self._to = sinks.to
            if not command.words[1:]:
                return Result()
            self._variables[""] = "exit"
            command = replace(command, words=command.words[1:])
        if isinstance(command, Simple):
            result = yield from self._simple(command, sinks.stdin)
        else:
            result = yield from self._group(command, sinks.stdin)
        return self._pour(sinks, result)

    def _group(self, group: Group, stdin: str) -> Run:
        if group.test is None:
            return (yield from self._listing(group.body, stdin))
        test = yield from self._listing(group.test, stdin)
        branch = group.otherwise if test.status else group.body
        if branch is None:
            return replace(test, status=0)
        return test.then((yield from self._listing(branch, stdin)))

    def _simple(self, command: Simple, stdin: str) -> Run:
        variables = dict(self._variables)
        for name, word in command.sets:
            variables[name] = " ".join((yield from self._expand(word)))
        if not command.words:
            self._variables = variables
            return Result()
        words: list[str] = []
        for word in command.words:
            words += yield from self._expand(word)
        return (yield from self._call(tuple(words), stdin, variables))

    def _call(self, words: tuple[str, ...], stdin: str, variables: Mapping[str, str]) -> Run:
        if not words:
            return Result()
        call = Call(self._box, self._user, words, stdin, self._folder, variables)
        if words[0] == "cd":
            return self._change_folder(call)
        if words[0] == "exit":
            self._variables[""] = "exit"
            return Result(int(words[1]) if words[1:] else self._status)
        return (yield from execute(call, self._name))

    def _change_folder(self, call: Call) -> Result:
        target = call.path(call.args[1]) if call.args[1:] else self._box.home(self._user)
        if not self._box.files.is_folder(target):
            where = f"{self._name}: line 1: cd: {call.args[1]}"
            return Result(1, "", f"{where}: No such file or directory\n")
        self._folder = target
        return Result()

    def _expand(self, word: Word) -> Generator[float, None, list[str]]:
        text, bare, pattern = "", True, False
        for part in word:
            if part.kind == "text":
                piece = part.text
            elif part.kind == "variable":
                piece = (
                    str(self._status) if part.text == "?" else self._variables.get(part.text, "")
                )
            else:
                inner = yield from self._captured(part.text)
                piece = inner.out.rstrip("\n")
            bare = bare and not part.quoted and part.kind != "text"
            pattern = pattern or (not part.quoted and "*" in part.text)
            text += piece
        if text.startswith("~/"):
            text = self._box.home(self._user) + text[1:]
        if bare:
            return text.split()
        found = sorted(fnmatch.filter(self._box.disk, text)) if pattern else []
        return found or [text]

    def _captured(self, text: str) -> Run:
        """A command substitution: its output is ours, wherever `exec` has led that of others."""
        outer, self._to = self._to, {**self._to, "1": _TO["1"]}
        result = yield from self._listing(parse(text), "")
        self._to = outer
        return result

    def _open(
        self, redirects: tuple[Redirect, ...], sinks: _Sinks
    ) -> Generator[float, None, _Sinks | Result]:
        for redirect in redirects:
            target = " ".join((yield from self._expand(redirect.target)))
            problem = self._redirect(redirect.operator, target, sinks)
            if problem:
                return Result(1, "", f"{self._name}: line 1: {target}: {problem}\n")
        return sinks

    def _redirect(self, operator: str, target: str, sinks: _Sinks) -> str:
        if operator.endswith(">&"):
            sinks.to[operator[0]] = sinks.to[target]
            return ""
        path = self._box.files.absolute(target, self._folder)
        if operator == "0<":
            if path == "/dev/null":
                sinks.stdin = ""
            elif path not in self._box.disk:
                return "No such file or directory"
            else:
                sinks.stdin = self._box.disk[path].decode(errors="replace")
            return ""
        if path != "/dev/null":
            if not self._box.files.may_write(self._user, path):
                return "Permission denied"
            if not operator.endswith(">>") or path not in self._box.disk:
                self._box.disk[path] = b""
        for descriptor in ("1", "2") if operator[0] == "&" else (operator[0],):
            sinks.to[descriptor] = path
        return ""

    def _pour(self, sinks: _Sinks, result: Result) -> Result:
        kept = {"out": "", "err": ""}
        status = result.status
        for descriptor, text in (("1", result.out), ("2", result.err)):
            target = sinks.to[descriptor]
            if target in kept:
                kept[target] += text
            elif target != "/dev/null" and text:
                if self._box.write(target, text.encode(), append=True):
                    continue
                status, kept["err"] = 1, kept["err"] + f"write error: {FULL}\n"
        return Result(status, kept["out"], kept["err"])


class _Sinks:
    """Where the outputs of a command go, and what it reads."""

    def __init__(self, stdin: str, to: Mapping[str, str]) -> None:
        self.stdin = stdin
        self.to = dict(to)


def _word_of(command: Simple) -> str:
    """The first word, if it is a plain one."""
    first = command.words[0] if command.words else ()
    return first[0].text if len(first) == 1 and first[0].kind == "text" else ""


def execute(call: Call, shell: str = "bash") -> Run:
    """Run a program by its name or path."""
    program = call.box.program(call.args[0], call.user)
    if program is None:
        missing = "No such file or directory" if "/" in call.args[0] else "command not found"
        return Result(NOT_FOUND, "", f"{shell}: line 1: {call.args[0]}: {missing}\n")
    result = program(call)
    if not isinstance(result, Result):
        result = yield from result
    if result.seconds:
        yield result.seconds
    return replace(result, seconds=0.0)
