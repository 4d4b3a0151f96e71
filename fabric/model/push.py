"""What a push says to a switch, as values: actions, steps, and what a procedure is told.

A procedure (``platforms/<system>/pushing.py``) is a set of pure functions that return these values;
only ``live`` carries them out. So the order of a push can be printed without a switch, journalled
word by word, and cut off after each step by a test.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Generic, TypeAlias, TypeVar

Files: TypeAlias = Mapping[str, str]  # text by file name, as in the manifest of the system
Check: TypeAlias = Callable[[str], "str | None"]  # what is wrong with a reply; None: nothing
T_co = TypeVar("T_co", covariant=True)

_SHORT_S = 30.0


class ReplyError(ValueError):
    """A reply that a procedure does not understand; the text says what was expected."""


class RenderedError(ReplyError):
    """The plan's text has a line that would be lost without a word; the text names it."""


class NotTakenError(ReplyError):
    """The device says that it did not take what a step gave it; the text is a sentence of that."""


@dataclass(frozen=True, slots=True)
class Command:
    """One line: typed at a CLI's prompt, or run by the shell where the system is reached by one.

    ``answers``: questions that the device may ask instead of a prompt, as regular expressions, and
    what is typed then. ``tolerates``: error patterns that mean no failure here. ``statuses``: exit
    statuses that are right (shell only; −1, a killed session, never is). ``check`` sees the reply
    (of a shell: its standard output) without echo and prompt.
    """

    text: str
    timeout_s: float = _SHORT_S
    answers: tuple[tuple[str, str], ...] = ()
    tolerates: tuple[str, ...] = ()
    statuses: tuple[int, ...] = (0,)
    check: Check | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """Configuration lines, typed one after another in the present mode; each reply is checked.

    Lines are typed ahead in groups, so those behind a refused one reach the device too: they are
    for candidates that are dropped then, never for lines that are in force as they are typed.
    ``timeout_s``: the longest wait for the replies to one group.
    """

    lines: tuple[str, ...]
    timeout_s: float = 60.0


@dataclass(frozen=True, slots=True)
class PutFile:
    """A file on the device: written beside, renamed, read back and compared. ``mode``: octal."""

    path: str
    text: str = field(repr=False)  # configurations hold secrets
    mode: str = "0600"
    timeout_s: float = 60.0


Action: TypeAlias = Command | Lines | PutFile


@dataclass(frozen=True, slots=True)
class Ask(Generic[T_co]):
    """A question: commands, and what their replies mean (one reply a command, in that order).

    ``read`` is pure and raises ``ReplyError`` on replies that it does not understand.
    """

    commands: tuple[Command, ...]
    read: Callable[[tuple[str, ...]], T_co]


@dataclass(frozen=True, slots=True)
class Difference:
    """What a target would change.

    ``lines``: with ``+`` or ``-`` in front and the headers above them; empty: nothing.
    ``candidate``: the whole configuration as the device would print it were the target in force
    (its own words for ours: defaults left out, lists in its order), with which the read-back is
    compared; ``None``: the device does not show it.
    """

    lines: tuple[str, ...]
    candidate: Files | None = None


class Effect(IntEnum):
    """How far a step goes. What has to be undone follows from the furthest step that began."""

    READS = 0  # nothing on the device changes
    STAGES = 1  # something is laid down that is not in force: a file, a candidate, a checkpoint
    RUNS = 2  # the running configuration changes, or a timer that will change it is armed
    CONFIRMS = 3  # the device's own way back is given up
    SAVES = 4  # what the device boots from changes


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a procedure: what is said to the device, and when it has been done.

    ``until``: asked again and again, each time with a new session if need be, until it answers
    ``None``; else it says what is still missing, and after ``until_s`` that is the failure.
    ``may_drop``: the step can end the session by itself (a restart); only with ``until``.
    """

    name: str  # a few words, unique within its procedure: "arm the restore timer"
    effect: Effect
    actions: tuple[Action, ...]
    until: Ask[str | None] | None = None
    until_s: float = 0.0
    may_drop: bool = False


class TimerClass(Enum):
    """Who undoes a change when nobody confirms it."""

    CANDIDATE = "A"  # the device: a candidate was committed for a time
    LIVE = "B"  # the device: lines go live at once, its timer takes them back
    SCHEDULED = "C"  # a restore that we scheduled on the device
    NONE = "none"  # nobody


@dataclass(frozen=True, slots=True)
class Identity:
    """What a device says that it is. ``facts``: what its procedure wants to know later on."""

    hostname: str
    model: str | None
    os_version: str
    facts: tuple[tuple[str, str], ...] = ()

    def fact(self, name: str) -> str:
        """A fact by name; empty where there is none."""
        return dict(self.facts).get(name, "")


@dataclass(frozen=True, slots=True)
class Job:
    """One change of one device, as its procedure sees it.

    ``push_id`` names what the change leaves on the device (files, sessions, timers): lower-case
    letters, digits and hyphens, at most 24, first a letter. ``before``: the whole configuration in
    force, ``target``: what shall be in force instead, both as ``Preview.running`` gives them.
    ``timer_s``: after how long an unconfirmed change is undone. ``user``: as whom we are logged in.
    """

    push_id: str
    device: str
    user: str
    before: Files
    target: Files
    timer_s: int
    identity: Identity
