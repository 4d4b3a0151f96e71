"""What a fault is: how it is put in, and how all of it is taken out again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.live.lab.layout import Layout

    Act = Callable[[Layout, tuple[str, ...]], None]


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault by its word. ``takes``: words that follow it, those in brackets may be left out.

    ``shows``: how it is seen. ``repair`` ``None``: it is over as soon as it has happened.
    ``check`` refuses targets that it cannot be done to, before anything is done.
    """

    word: str
    takes: str
    title: str
    shows: str
    inject: Act
    repair: Act | None
    check: Act

    @property
    def counts(self) -> range:
        """How many words may follow."""
        words = self.takes.split()
        return range(sum(not word.startswith("[") for word in words), len(words) + 1)
