"""Other programs: run one, and say what it said when it fails."""

from __future__ import annotations

import shlex
import subprocess
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_SHOWN = 400  # characters of a program's complaint


class ProgramError(RuntimeError):
    """A program failed; ``status`` is its exit status, ``None`` when it did not end in time."""

    def __init__(self, command: Sequence[str], status: int | None, said: str) -> None:
        how = "did not end in time" if status is None else f"exited {status}"
        text = " ".join(said.split())[-_SHOWN:]
        super().__init__(f"{shlex.join(command)} {how}: {text or 'it said nothing'}")
        self.status = status
        self.said = said


def run(command: Sequence[str], *, text: str = "", timeout_s: float = 60) -> str:
    """Standard output of a program that is given ``text`` on standard input.

    Raises:
        ProgramError: it failed, or took longer than ``timeout_s``.
    """
    try:
        done = subprocess.run(  # noqa: S603 — no shell, and no word of a network's
            command, input=text, text=True, capture_output=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        raise ProgramError(command, None, "") from None
    if done.returncode:
        raise ProgramError(command, done.returncode, done.stderr.strip() or done.stdout.strip())
    return done.stdout


def attached(command: Sequence[str]) -> int:
    """Exit status of a program that has our terminal; 128 + n when signal n ended it."""
    status = subprocess.run(command, check=False).returncode  # noqa: S603 — the user's own words
    return 128 - status if status < 0 else status


def ip_batch(lines: Iterable[str], *, namespace: str | None = None) -> None:
    """Many lines of ``ip`` in one process: hundreds of links take less than a second.

    Raises:
        ProgramError: a line was refused; those before it were carried out.
    """
    where = ["-n", namespace] if namespace else []
    run(["ip", *where, "-batch", "-"], text="".join(f"{line}\n" for line in lines))
