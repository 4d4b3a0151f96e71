"""Carry out steps of a procedure by a real shell on this machine, as a session does."""

from __future__ import annotations

import os
import subprocess
import time
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from fabric.model.push import Command, Lines, PutFile, ReplyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fabric.model.push import Action, Ask, Step

T = TypeVar("T")
WAIT_S = 30.0


class CommandError(Exception):
    """A command that ended otherwise than it should, or said something else."""


@dataclass
class Machine:
    """``enter``: what stands before each command (another namespace). ``path``: first in PATH."""

    enter: tuple[str, ...] = ()
    path: str = ""
    said: list[str] = field(default_factory=list)

    def reply(self, command: Command) -> str:
        environment = dict(os.environ)
        if self.path:
            environment["PATH"] = f"{self.path}:{environment['PATH']}"
        words = (*self.enter, "sh", "-c", command.text)
        ended = subprocess.run(
            words, capture_output=True, text=True, timeout=60, check=False, env=environment
        )
        self.said.append(command.text)
        if ended.returncode not in command.statuses:
            msg = f"{command.text}: {ended.returncode}: {ended.stderr or ended.stdout}"
            raise CommandError(msg)
        if command.check and (wrong := command.check(ended.stdout)):
            msg = f"{command.text}: {wrong}"
            raise CommandError(msg)
        return ended.stdout

    def put(self, file: PutFile) -> None:
        text = subprocess.run(
            (*self.enter, "sh", "-c", f"cat >{file.path} && chmod {file.mode} {file.path}"),
            input=file.text, text=True, check=False, timeout=60, capture_output=True,
        )  # fmt: skip
        if text.returncode:
            msg = f"{file.path}: {text.stderr}"
            raise CommandError(msg)

    def perform(self, action: Action) -> None:
        if isinstance(action, PutFile):
            self.put(action)
        elif isinstance(action, Command):
            self.reply(action)
        else:
            assert isinstance(action, Lines)
            msg = "a shell has no configuration mode"
            raise CommandError(msg)

    def ask(self, question: Ask[T]) -> T:
        return question.read(tuple(self.reply(command) for command in question.commands))

    def do(self, steps: Iterable[Step]) -> None:
        for step in steps:
            for action in step.actions:
                self.perform(action)
            if step.until is not None:
                wait_for(partial(self._done, step.until), step.name)

    def _done(self, question: Ask[str | None]) -> bool:
        return self.ask(question) is None


def wait_for(holds: Callable[[], bool], what: str) -> None:
    """Until it holds; a ``ReplyError`` goes through."""
    end = time.monotonic() + WAIT_S
    while not holds():
        assert time.monotonic() < end, f"not in {WAIT_S} s: {what}"
        time.sleep(0.02)


def commands_of(steps: Iterable[Step]) -> list[str]:
    """All that is typed, questions included."""
    found = []
    for step in steps:
        found += [a.text for a in step.actions if isinstance(a, Command)]
        found += [c.text for c in (step.until.commands if step.until else ())]
    return found


def scripts_of(steps: Iterable[Step]) -> list[str]:
    """Scripts that are laid down."""
    files = [a for step in steps for a in step.actions if isinstance(a, PutFile)]
    return [file.text for file in files if file.path.endswith(".sh")]


def syntax_errors(text: str, folder: Path) -> str:
    """What ``sh -n`` complains of."""
    file = folder / "text.sh"
    file.write_text(text + "\n")
    words = ("sh", "-n", str(file))
    ended = subprocess.run(words, capture_output=True, text=True, check=False, timeout=30)
    return ended.stderr


__all__ = ["CommandError", "Machine", "ReplyError", "commands_of", "scripts_of", "syntax_errors"]
