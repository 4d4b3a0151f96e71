"""What the SSH server asks of the software of a fake switch."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

Clock: TypeAlias = "Callable[[], float]"  # seconds that only grow; tests scale or move it


@dataclass(frozen=True, slots=True)
class ShellReply:
    """What a command in an exec channel gives."""

    status: int
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0  # how long it takes, in the fake's time
    drops: bool = False  # the session dies with it, as when interfaces restart


class Dialog(Protocol):
    """One login at a CLI. The server does echo, line ends and paging."""

    closed: bool  # the user left, or the box threw him out

    def banner(self) -> str:
        """What stands above the first prompt."""

    def prompt(self) -> str:
        """What the box waits with: a prompt, or a question."""

    def type(self, line: str) -> str:
        """What the box answers to a line, without prompt; lines end in a newline."""

    def page_length(self) -> int:
        """Lines to a page; 0: it does not page."""

    def pager(self) -> str:
        """What the box shows between two pages."""


class Box(Protocol):
    """The software of one fake switch. Not safe for threads: the server takes a lock around it."""

    disk: dict[str, bytes]  # by absolute path; what SFTP reads and writes
    unsourced: list[str]  # replies given that no transcript or document backs, for the output

    def login(self, user: str) -> Dialog:
        """A CLI login; on a box with a shell, never called."""

    def run(self, user: str, command: str) -> ShellReply:
        """A command in an exec channel; on a box with a CLI only, its words for a refusal."""

    def tick(self) -> None:
        """Let timers that are due fire; called before each of the above and now and then."""

    def reboot(self) -> None:
        """Come up again from what is saved: running state, sessions and timers are lost."""

    def state(self) -> Mapping[str, str]:
        """For tests: texts by name, at least ``running`` and ``startup``; pending timers too."""
