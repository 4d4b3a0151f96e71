"""A session with a shell: each command has a channel of its own and an exit status."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.transport.channels import KILLED, Exec, NoChannelError
from fabric.live.transport.files import put_file
from fabric.live.transport.refusals import Refusals
from fabric.live.transport.telling import without_frames
from fabric.live.transport.terminal import LostError, WaitedError
from fabric.model.push import Command, PutFile

if TYPE_CHECKING:
    from paramiko import Transport

    from fabric.live.transport.channels import Ended
    from fabric.live.transport.talk import Talk
    from fabric.live.transport.times import Deadline
    from fabric.model.push import Action

_AWAITED = "its exit status"
_FREE = "df -Pk {folder}"  # POSIX; the fourth word of the second line is what is free, in KiB


class ShellSession:
    """Implements ``Session`` for systems that are reached by a shell."""

    def __init__(self, transport: Transport, talk: Talk) -> None:
        self.device = talk.teller.device
        self._transport, self._teller, self._talk = transport, talk.teller, talk
        self._refusals = Refusals(talk.spec.errors)

    def perform(self, action: Action) -> str:
        """Carry out one action; see ``Session``."""
        return without_frames(lambda: self._carry_out(action))

    def close(self) -> None:
        """End the session; never raises."""
        self._transport.close()

    def _carry_out(self, action: Action) -> str:
        if isinstance(action, Command):
            return self._command(action)
        if isinstance(action, PutFile):
            deadline = self._talk.within(action.timeout_s)
            put_file(self._transport, action, self._teller, deadline, self._free)
            return ""
        msg = f"{self.device}: a shell has no mode that lines could be typed in"
        raise TypeError(msg)

    def _command(self, command: Command) -> str:
        ended = self._run(command.text, command.answers, self._talk.within(command.timeout_s))
        said = f"{ended.stdout}\n{ended.stderr}".strip()
        if ended.status == KILLED and KILLED not in command.statuses:
            self.close()
            raise self._teller.lost(command.text, _AWAITED, said)
        if ended.status not in command.statuses:
            last = (ended.stderr.strip() or ended.stdout.strip()).splitlines()[-3:]
            beside = f" (exit status {ended.status})"
            raise self._teller.refused(command.text, " | ".join(last), beside)
        for text in (ended.stdout, ended.stderr):
            refusal = self._refusals.find(text, command.tolerates)
            if refusal is not None:
                raise self._teller.refused(command.text, refusal)
        wrong = command.check(ended.stdout) if command.check else None
        if wrong is not None:
            raise self._teller.reply(command.text, wrong, said)
        return ended.stdout

    def _run(self, text: str, answers: tuple[tuple[str, str], ...], deadline: Deadline) -> Ended:
        running: Exec | None = None
        try:
            running = Exec(self._transport, text, deadline)
            return running.run(answers, deadline)
        except NoChannelError as error:
            failure = self._teller.refused(text, f"not run, the device opens no channel ({error})")
        except WaitedError:
            shown = f"{running.stdout}\n{running.stderr}" if running else ""
            failure = self._teller.timeout(text, deadline.seconds, _AWAITED, shown)
        except (LostError, OSError, EOFError):
            shown = f"{running.stdout}\n{running.stderr}" if running else ""
            failure = self._teller.lost(text, _AWAITED, shown)
        if not failure.kind.outcome_known:
            self.close()
        raise failure

    def _free(self, folder: str) -> str:
        """What the file system of a folder has left, in words; empty: not known."""
        from shlex import quote  # noqa: PLC0415 - after a failure only

        deadline = self._talk.within(10.0)
        try:
            ended = Exec(self._transport, _FREE.format(folder=quote(folder)), deadline)
            words = ended.run((), deadline).stdout.splitlines()[-1].split()
            return f"{int(words[3]):,} KiB are free on {words[5]}"
        except (LostError, WaitedError, NoChannelError, OSError, IndexError, ValueError):
            return ""
