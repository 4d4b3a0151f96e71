"""What can go wrong with a device, each told in one sentence."""

from __future__ import annotations

from enum import Enum


class Kind(Enum):
    """Why; also what failures are grouped by."""

    NAME = "name not found"
    CLOSED = "port closed"
    SILENT = "no answer"
    NO_BANNER = "no SSH banner"
    PROTOCOL = "SSH not agreed on"
    HOST_KEY_UNKNOWN = "host key unknown"
    HOST_KEY_CHANGED = "host key changed"
    LOGIN = "login refused"
    NO_CREDENTIAL = "no credential"
    REFUSED = "command refused"
    TIMEOUT = "no prompt in time"
    LOST = "session lost"
    FILE = "file not written"
    REPLY = "reply not understood"

    @property
    def outcome_known(self) -> bool:
        """Whether it is certain what the last action did."""
        return self not in {Kind.TIMEOUT, Kind.LOST}

    @property
    def unreachable(self) -> bool:
        """Whether nothing was said to the device at all."""
        return self in _UNREACHABLE

    @property
    def rule(self) -> str:
        """Its page among the rules; empty: it has none."""
        return _RULES.get(self, "RCE907" if self.unreachable else "")


_RULES = {
    Kind.NO_CREDENTIAL: "RCE903",
    Kind.HOST_KEY_UNKNOWN: "RCE905",
    Kind.HOST_KEY_CHANGED: "RCE906",
}
_UNREACHABLE = {
    Kind.NAME,
    Kind.CLOSED,
    Kind.SILENT,
    Kind.NO_BANNER,
    Kind.PROTOCOL,
    Kind.HOST_KEY_UNKNOWN,
    Kind.HOST_KEY_CHANGED,
    Kind.LOGIN,
    Kind.NO_CREDENTIAL,
}


class DeviceError(Exception):
    """A failure at one device.

    The text is one sentence: device, command, what was awaited, the last lines received, the
    likely cause. It never holds a secret.
    """

    def __init__(self, kind: Kind, device: str, message: str, *, command: str = "") -> None:
        super().__init__(message)
        self.kind, self.device, self.command = kind, device, command
