"""One sentence for each failure of a command: device, command, what was awaited, what came."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from fabric.live.transport.errors import DeviceError, Kind
from fabric.live.transport.secrets import hidden

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.transport.secrets import Secret

T = TypeVar("T")
_LAST_LINES = 3
_LONGEST_LINE = 160
_LONGEST_COMMAND = 120


@dataclass(frozen=True, slots=True)
class Teller:
    """Makes the errors of one device; what it tells holds none of the secrets read so far."""

    device: str
    secrets: Callable[[], tuple[Secret, ...]] = tuple

    def refused(self, command: str, message: str, beside: str = "") -> DeviceError:
        """The device answered that it does not take a command."""
        said = f"{quoted(command)}{beside} was refused: {message or 'without a word'}"
        return self._error(Kind.REFUSED, said, command)

    def timeout(
        self, command: str, waited_s: float, awaited: str, shown: str, *, echoed: bool = True
    ) -> DeviceError:
        """Nothing that ends the wait has come."""
        said = f"{quoted(command)} did not end within {waited_s:.3g} s: awaited was {awaited}"
        cause = "it may still be running there" if echoed else "its echo was not seen either"
        cause += ", or the way to the device failed without a word (management link, filter)"
        return self._error(Kind.TIMEOUT, f"{said}, {last_lines(shown)}; {cause}", command)

    def lost(self, command: str, awaited: str, shown: str, why: str = "") -> DeviceError:
        """The session ended before the reply did."""
        said = f"the session was lost during {quoted(command)}{f' ({why})' if why else ''}"
        cause = "what the command did is not known: the device restarted, its management link "
        cause += "failed, or the session was killed"
        told = f"{said}: awaited was {awaited}, {last_lines(shown)}; {cause}"
        return self._error(Kind.LOST, told, command)

    def reply(self, command: str, wrong: str, shown: str) -> DeviceError:
        """A reply came that is not what it has to be."""
        said = f"the reply to {quoted(command)} is not as it must be: {wrong}"
        return self._error(Kind.REPLY, f"{said}; {last_lines(shown)}", command)

    def file(self, path: str, why: str, *, old_is_there: bool = True) -> DeviceError:
        """A file was not written as it should be; the old one is as it was, or gone."""
        old = "is untouched" if old_is_there else "is gone"
        said = f"the file {path} was not written: {why}; what stood there before {old}"
        return self._error(Kind.FILE, said, f"write {path}")

    def silent(self, said: str) -> DeviceError:
        """No session came about, though the login did."""
        return self._error(Kind.SILENT, said, "")

    def _error(self, kind: Kind, said: str, command: str) -> DeviceError:
        secrets = self.secrets()
        text = hidden(f"{self.device}: {said}", secrets)
        return DeviceError(kind, self.device, text, command=hidden(command, secrets))


def quoted(command: str) -> str:
    """A command as it stands in a sentence: one line, not too long."""
    flat = " ".join(command.split())
    short = flat if len(flat) <= _LONGEST_COMMAND else f"{flat[: _LONGEST_COMMAND - 1]}…"
    return f"`{short}`"


def last_lines(shown: str) -> str:
    """The last lines that came, in one."""
    lines = [line.strip()[:_LONGEST_LINE] for line in shown.splitlines() if line.strip()]
    if not lines:
        return "nothing was received"
    return f"last received was {' | '.join(lines[-_LAST_LINES:])!r}"


def without_frames(call: Callable[[], T]) -> T:
    """The result of a call; its failure without the frames below this one.

    Their variables hold what the device showed and what was sent to it, and some loggers print
    variables.

    Raises:
        DeviceError: that of the call.
    """
    try:
        return call()
    except DeviceError as error:
        failure = error.with_traceback(None)
    failure.__cause__ = failure.__context__ = None
    raise failure
