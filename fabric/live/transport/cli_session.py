"""A session at a prompt: lines are typed, each reply is told apart and checked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.transport.echoes import BATCH_LINES, Echoes, batches
from fabric.live.transport.errors import DeviceError
from fabric.live.transport.files import put_file
from fabric.live.transport.refusals import Refusals
from fabric.live.transport.telling import without_frames
from fabric.live.transport.terminal import LostError, WaitedError
from fabric.model.push import Command, Lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from paramiko import Transport

    from fabric.live.transport.prompts import Prompt
    from fabric.live.transport.talk import Talk
    from fabric.live.transport.terminal import Terminal
    from fabric.live.transport.times import Deadline
    from fabric.model.push import Action

# Keys that do something else than stand in a line: help at once, completion, editing.
_KEYS = re.compile(r"[\x00-\x1f\x7f?]")


class CliSession:
    """Implements ``Session`` for systems with a prompt.

    ``ahead``: the most lines that are typed before the reply to the first of them is awaited.
    """

    def __init__(
        self,
        transport: Transport,
        terminal: Terminal,
        prompt: Prompt,
        talk: Talk,
        *,
        ahead: int = BATCH_LINES,
    ) -> None:
        self.device = talk.teller.device
        self._transport, self._terminal, self._prompt = transport, terminal, prompt
        self._teller, self._talk = talk.teller, talk
        self._refusals = Refusals(talk.spec.errors)
        self._ahead = ahead
        self._told: list[str] = []  # whole replies to a batch that did not come to its end

    def perform(self, action: Action) -> str:
        """Carry out one action; see ``Session``."""
        return without_frames(lambda: self._carry_out(action))

    def close(self) -> None:
        """End the session; never raises. The terminal first, so that the device frees its line."""
        self._terminal.close()
        self._transport.close()

    def set_up(self, commands: Sequence[str]) -> None:
        """Type what makes the terminal usable; what the device says to it does not matter."""
        for batch in batches(tuple(commands), self._ahead):
            self._typed(batch, self._talk.within(self._talk.times.prompt_s), ())

    def _carry_out(self, action: Action) -> str:
        if isinstance(action, Command):
            return self._command(action)
        if isinstance(action, Lines):
            return self._lines(action)
        put_file(self._transport, action, self._teller, self._talk.within(action.timeout_s))
        return ""

    def _command(self, command: Command) -> str:
        self._refuse_keys(command.text)
        deadline = self._talk.within(command.timeout_s)
        reply = self._typed((command.text,), deadline, command.answers)[0]
        refusal = self._refusals.find(reply, command.tolerates)
        if refusal is not None:
            raise self._teller.refused(command.text, refusal)
        wrong = command.check(reply) if command.check else None
        if wrong is not None:
            raise self._teller.reply(command.text, wrong, reply)
        return reply

    def _lines(self, action: Lines) -> str:
        lines = tuple(line.rstrip() for line in action.lines if line.strip())
        for line in lines:
            self._refuse_keys(line)
        said: list[str] = []
        for batch in batches(lines, self._ahead):
            try:
                replies = self._typed(batch, self._talk.within(action.timeout_s), ())
            except DeviceError:
                # Behind a refused header each `exit` leaves a section too many, at last the login.
                self._find_refused(batch, self._told, len(said), len(lines))
                raise
            self._find_refused(batch, replies, len(said), len(lines))
            said += replies
        return "".join(said)

    def _find_refused(
        self, batch: Sequence[str], replies: Sequence[str], before: int, of: int
    ) -> None:
        """Raise for the first line of a batch that was refused; ``before``: lines before it."""
        for number, reply in enumerate(replies):
            refusal = self._refusals.find(reply)
            if refusal is not None:
                where = _where(before + number + 1, before + len(batch), of)
                raise self._teller.refused(batch[number], refusal, where)

    def _typed(
        self, lines: Sequence[str], deadline: Deadline, answers: tuple[tuple[str, str], ...]
    ) -> list[str]:
        """Type lines and wait for the reply to the last; the replies."""
        screen, echoes = self._terminal.screen, Echoes(lines, self._prompt)
        screen.take()
        lost = False
        try:
            self._terminal.type("".join(f"{line}\n" for line in lines), deadline)
            self._terminal.wait(lambda: echoes.look(screen), deadline, answers)
        except LostError:
            lost = True
        except WaitedError:
            pass
        else:
            return echoes.replies(screen.text, screen.tail)
        at = lines[max(0, echoes.seen - 1)]
        self._told = echoes.replies(screen.text, screen.tail)[:-1] if echoes.seen else []
        self.close()
        awaited = str(self._prompt)
        if lost:
            raise self._teller.lost(at, awaited, screen.text)
        echoed = bool(echoes.seen)
        raise self._teller.timeout(at, deadline.seconds, awaited, screen.text, echoed=echoed)

    def _refuse_keys(self, line: str) -> None:
        found = _KEYS.search(line)
        if found is not None:
            key = "?" if found[0] == "?" else f"control character {ord(found[0])}"
            why = f"not typed: the device takes {key} for a key of its own, not for text"
            raise self._teller.refused(line, why)


def _where(number: int, typed: int, of: int) -> str:
    """Which line it is, and how many behind it were typed already."""
    ahead = typed - number
    more = f"; the {ahead} after it were typed as well" if ahead > 1 else ""
    more = "; the one after it was typed as well" if ahead == 1 else more
    return f" (line {number} of {of}{more})"
