"""An interactive login: echo, line ends, paging, and the window's size."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from fabric.live.rehearsal.device import SilenceError

if TYPE_CHECKING:
    import paramiko

    from fabric.live.rehearsal.box import Dialog
    from fabric.live.rehearsal.ssh import Connection

_PLAIN = re.compile(rb"[^\x00-\x1f\x7f]*")
_ERASE = (b"\x7f", b"\x08")
_INTERRUPT, _END = b"\x03", b"\x04"
_FORCED_PAGE = 24  # of a box that pages although it was told not to


class Terminal:
    """One terminal of a connection. ``width`` and ``height`` follow the client's window."""

    def __init__(
        self, channel: paramiko.Channel, connection: Connection, width: int, height: int
    ) -> None:
        self.width, self.height = width, height
        self._channel, self._connection = channel, connection
        self._pending = b""
        self._out: list[str] = []  # shown with what follows, in one packet
        self._after_return = False

    def converse(self) -> None:
        """Let a user type until he leaves or is thrown out."""
        device = self._connection.device
        with device.lock:
            dialog = device.box.login(self._connection.user)
        try:
            self._send(dialog.banner() + dialog.prompt())
            while not dialog.closed and (line := self._line(dialog)) is not None:
                self._flush()
                reply = device.perform(line, partial(dialog.type, line), self._connection.alive)
                self._page(dialog, reply)
                if not dialog.closed:
                    self._send(dialog.prompt())
            self._flush()
        except SilenceError:
            self._connection.be_silent()
        finally:
            dialog.closed = True  # also when the client is gone: what dies with a login dies now
            self._channel.close()

    def _send(self, text: str) -> None:
        self._out.append(text.replace("\n", "\r\n"))

    def _flush(self) -> None:
        """Show it: before waiting for keys, and before what may take its time."""
        text, self._out = "".join(self._out), []
        if text:
            self._channel.sendall(text.encode(errors="surrogateescape"))

    def _key(self) -> bytes:
        """The next key; empty when the client is gone. A line end counts once."""
        if not self._pending:
            self._flush()
            self._pending = self._channel.recv(4096)
        key, self._pending = self._pending[:1], self._pending[1:]
        if key == b"\n" and self._after_return:
            self._after_return = False
            return self._key()
        self._after_return = key == b"\r"
        return b"\n" if key == b"\r" else key

    def _line(self, dialog: Dialog) -> str | None:
        """A typed line, echoed; ``None``: the client is gone, or has ended the session."""
        line = b""
        while key := self._key():
            if key == b"\n":
                self._send("\n")
                return line.decode(errors="replace")
            if key == _END and not line:
                wanted = getattr(dialog, "wants_end", False)  # text that a command reads
                return _END.decode() if wanted else None
            if key == _INTERRUPT:
                self._send("^C\n")
                return ""
            if key in _ERASE:
                self._send("\x08 \x08" if line else "\x07")
                line = line[:-1]
            else:
                key += self._plain_keys()
                self._send(key.decode(errors="surrogateescape"))
                line += key
        return None

    def _plain_keys(self) -> bytes:
        """Of the keys that have come, those up to the first one that is no character."""
        keys = _PLAIN.match(self._pending)
        taken = keys[0] if keys else b""
        self._pending = self._pending[len(taken) :]
        return taken

    def _page(self, dialog: Dialog, text: str) -> None:
        length = dialog.page_length()
        if self._connection.device.faults.on("more") and not length:
            length = _FORCED_PAGE
        lines = text.splitlines(keepends=True)
        if not length or len(lines) <= length:
            return self._send(text)
        pager, room = dialog.pager(), length
        while lines:
            self._send("".join(lines[:room]))
            lines = lines[room:]
            if lines:
                room = self._turn(pager, length)
                if not room:
                    return None
        return None

    def _turn(self, pager: str, length: int) -> int:
        """Wait at the pager; how many lines the user wants to see next, 0: no more."""
        self._send(pager)
        answers = {b" ": length, b"\n": 1, b"q": 0, b"Q": 0, _INTERRUPT: 0, b"": 0}
        while (key := self._key()) not in answers:
            pass
        back = "\b" * len(pager)
        self._send(back + " " * len(pager) + back)
        return answers[key]
