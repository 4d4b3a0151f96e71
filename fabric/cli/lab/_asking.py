"""What the commands of a lab ask alike: which lab is meant, and how a refusal is told."""

from __future__ import annotations

import signal
import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from fabric.live.lab.errors import LabError

LabArgument = Annotated[
    str,
    typer.Argument(metavar="INVENTORY", help="The inventory it was built from, or the lab's name."),
]
NameOption = Annotated[
    str | None,
    typer.Option("--name", help="Name of the lab, for several of one fabric; default: the fabric."),
]
NOT_REAL = (
    "Real: addressing, eBGP, ECMP and its hash, convergence, LLDP, SSH, failures. "
    "Not real: PFC, ECN, buffers, link speed (veth has none)."
)


@contextmanager
def told() -> Iterator[None]:
    """A lab's refusal, or a program that failed, becomes a usage error with the next step.

    Raises:
        UsageError: all problems at once.
    """
    from fabric.live.lab.errors import LabError  # noqa: PLC0415 — after the arguments
    from fabric.live.programs import ProgramError  # noqa: PLC0415

    try:
        yield
    except LabError as error:
        raise refusal(error) from None
    except ProgramError as error:
        raise UsageError(str(error)) from None


def refusal(error: LabError) -> UsageError:
    """All problems of a lab as one error."""
    *others, (message, fix) = error.problems
    first = "".join(
        f"{text}{f'{chr(10)}  help: {help_}' if help_ else ''}\nerror: " for text, help_ in others
    )
    return UsageError(first + message, fix)


def lab_name(word: str, name: str | None) -> str:
    """The lab that is meant; the inventory is read only when no lab was built from it.

    Raises:
        UsageError: several labs were built from it, or there is no such inventory.
        InputError: the inventory cannot be honoured.
    """
    from fabric.live.lab.find import known_as  # noqa: PLC0415

    if name is not None:
        return checked(name)
    known = known_as(word)
    if len(known) > 1:
        msg = f"{len(known)} labs were built from {word}: {', '.join(known)}"
        raise UsageError(msg, "choose one with --name")
    if known:
        return known[0]
    if not Path(word).exists() and "/" not in word and not word.endswith((".yaml", ".yml")):
        return checked(word)
    from fabric import flow  # noqa: PLC0415 — needs pydantic

    return checked(flow.derive(word, plans=Path("build")).design.intent.name)


def checked(name: str) -> str:
    """A name that a lab can have.

    Raises:
        UsageError: it is none.
    """
    from fabric.live.lab.names import is_lab_name  # noqa: PLC0415

    if not is_lab_name(name):
        msg = f"no lab can be called {name!r}"
        raise UsageError(msg, "letters, digits, '-', '_' and '.', at most 63")
    return name


def as_root() -> None:
    """Refuse anybody else.

    Raises:
        UsageError: we are not root.
    """
    from fabric.live.lab.requirements import require_root  # noqa: PLC0415

    with told():
        require_root()


@contextmanager
def ended_cleanly() -> Iterator[None]:
    """A request to end is an interrupt, so that what was begun is taken down."""

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = {
        number: signal.signal(number, interrupt) for number in (signal.SIGTERM, signal.SIGHUP)
    }
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


class Progress:
    """One line a part on standard error; on a terminal it counts."""

    def __init__(self) -> None:
        self._what = ""

    def __call__(self, what: str, done: int, of: int) -> None:
        """Say how far a part is."""
        if not sys.stderr.isatty():
            return
        if what != self._what and self._what:
            sys.stderr.write("\n")
        self._what = what
        filled = 24 * done // max(of, 1)
        bar = "━" * filled + " " * (24 - filled)
        sys.stderr.write(f"\r{what:<10} {bar} {done:,}/{of:,} ")
        sys.stderr.flush()

    def clear(self) -> None:
        """End the line."""
        if self._what:
            sys.stderr.write("\n")
            self._what = ""
