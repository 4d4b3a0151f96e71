"""One login at the CLI of a fake switch."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli import filters, texts
from fabric.live.rehearsal.cli.lines import section_prompt, type_line
from fabric.live.rehearsal.cli.refusing import pointers, refusal
from fabric.live.rehearsal.cli.verbs import perform, when

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.cli.data import Command, Mode, Question
    from fabric.live.rehearsal.cli.device import CliBox
    from fabric.live.rehearsal.cli.keeping import Candidate

_WELL = {"confirmed", "same"}  # outcomes after which the rest of a command is done
Args = dict[str, str]


class Terminal:
    """See ``rehearsal.box.Dialog``. Whoever loses the session sets ``closed``."""

    def __init__(self, box: CliBox, user: str) -> None:
        self.box, self.user = box, user
        self.closed = False
        self.mode: Mode = box.system.modes[box.system.main["first"]]
        self.place: tuple[str, ...] = ()
        self.candidate: Candidate | None = None
        self.vars: Args = {}
        self.notices: list[str] = []
        self.question: tuple[Question, list[Question], Command, Args] | None = None
        self.capture: tuple[list[str], Callable[[str], str]] | None = None

    def banner(self) -> str:
        """What stands above the first prompt."""
        return self._fill(self.box.system.main.get("banner", ""))

    def prompt(self) -> str:
        """What the box waits with."""
        if self.capture is not None:
            return ""
        if self.question is not None:
            return self._fill(self.question[0].text, self.question[3])
        return self._fill(self.mode.prompt, self._where())

    def page_length(self) -> int:
        """Lines to a page; 0: it does not page."""
        return int(self.vars.get("length", self.box.system.main["page_length"]))

    def pager(self) -> str:
        """What stands between two pages."""
        return str(self.box.system.main["pager"])

    def type(self, line: str) -> str:
        """What the box answers to a line."""
        told = "".join(self.notices)
        self.notices.clear()
        reply = self._capture(line) if self.capture is not None else self._take(line.strip())
        return told + reply

    @property
    def wants_end(self) -> bool:
        """Whether a control-D is for the box: what is typed is taken as text up to it."""
        return self.capture is not None

    def hang_up(self) -> None:
        """The session is lost."""
        self.closed = True
        self.box.tick()

    def _take(self, line: str) -> str:
        if self.question is not None:
            return self._answer(line)
        if not line or line.startswith(tuple(self.box.system.option("remarks", ["!"]))):
            return ""
        mode, line = self._prefixed(line)
        if found := self.find(line, mode):
            return self._run(*found, line)
        parts = re.split(r"\s+\|\s+", line)
        for count in range(len(parts) - 1, 0, -1):
            if found := self.find(" | ".join(parts[:count]), mode):
                return filters.apply(self._run(*found, line), parts[count:])
        if self.mode.lines and mode is self.mode:
            return type_line(self, line)
        return self._unknown(line, mode)

    def _prefixed(self, line: str) -> tuple[Mode, str]:
        first, _, rest = line.partition(" ")
        wanted = self.box.system.option("prefixes", {}).get(first)
        if wanted and rest and self.mode.lines:
            return self.box.system.modes[wanted], rest.strip()
        return self.mode, line

    def find(self, line: str, mode: Mode) -> tuple[Command, Args] | None:
        """The command that a line is in a mode, and what it names."""
        for command in self.box.system.commands:
            if mode.name in command.modes and (found := command.typed.fullmatch(line)):
                return command, {key: value or "" for key, value in found.groupdict().items()}
        return None

    def _unknown(self, line: str, mode: Mode) -> str:
        words = line.split()
        starts = [c.text.split() for c in self.box.system.commands if mode.name in c.modes]
        same = max((_alike(words, start) for start in starts), default=0)
        name = "incomplete" if same == len(words) else "unknown"
        return refusal(self, name, line, same)

    def _run(self, command: Command, args: Args, line: str) -> str:
        if command.changes and self.box.world.faults.take("reject"):
            return refusal(self, "unknown", line, 0)
        args["typed"] = line
        asks = [one for one in command.asks if when(self, one.when, args)]
        if asks:
            self.question = (asks[0], asks[1:], command, args)
            return ""
        return self.go(command.does, command, args)

    def go(self, does: tuple[str, ...], command: Command, args: Args) -> str:
        """Do it, and give the reply; stops at the first thing that does not go well."""
        outcome, more = "", {}
        for one in does:
            now, told = perform(self, one, args)
            outcome = outcome or now
            more.update(told)
            if now and now not in _WELL:
                break
        typed = args.get("typed", command.text)
        point = pointers(self, typed, len(typed.split()) - 1)
        facts = {**texts.facts(self.box), **self._where(), **point, **args, **more}
        return texts.says(self.box, command.says, outcome, facts, command.text)

    def _answer(self, typed: str) -> str:
        assert self.question is not None  # noqa: S101 - the caller has looked
        question, others, command, args = self.question
        answer = next((one for one in question.answers if one.typed.fullmatch(typed)), None)
        if answer is None:
            return texts.told(self.box, "answer", {}) if "answer" in self.box.system.texts else ""
        args = {**args, "answer": typed}
        if answer.does is None and others:
            self.question = (others[0], others[1:], command, args)
            return ""
        self.question = None
        if answer.does is None:
            return self.go(command.does, command, args)
        for one in answer.does:
            perform(self, one, args)
        return self._fill(answer.says, args)

    def _capture(self, line: str) -> str:
        assert self.capture is not None  # noqa: S101 - the caller has looked
        lines, done = self.capture
        text, end, _ = line.partition("\x04")
        lines.append(text)
        if not end:
            return ""
        self.capture = None
        return done("\n".join(lines))

    def _fill(self, text: str, more: Mapping[str, str] | None = None) -> str:
        return texts.fill(text, {**texts.facts(self.box), **(more or {})})

    def _where(self) -> Args:
        """What prompts speak of: the section, the candidate, whether it holds changes."""
        facts = {"at": "", "session": "", "mark": self.box.system.option("clean_mark"), **self.vars}
        unsaved = self.box.system.option("unsaved_mark")
        if self.candidate is not None:
            facts["session"], facts["kind"] = self.candidate.name, self.candidate.kind
            if self.box.system.option("dirty_mark") and self.candidate.dirty:
                facts["mark"] = self.box.system.option("dirty_mark")
        facts["flags"] = ("" if not unsaved or self.box.is_saved() else unsaved) + facts["mark"]
        facts["flags"] += " " if facts["flags"] else ""
        if self.place and self.mode.lines:
            facts["at"] = section_prompt(self)
        return {"kind": "", **facts, "login": self.user}


def _alike(words: list[str], start: list[str]) -> int:
    count = 0
    for word, other in zip(words, start, strict=False):
        choice = other.strip("()").split("|") if other.startswith("(") else [other]
        if word not in choice and not other.startswith("{"):
            break
        count += 1
    return count
