"""What replies must hold, as values: checks of commands."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True)
class Says:
    """A check: ``pattern`` is found in the reply, and ``never`` is not."""

    pattern: str
    never: str = r"(?!)"

    def __call__(self, reply: str) -> str | None:
        """What is wrong with the reply; ``None``: nothing."""
        if not re.search(self.pattern, reply):
            return f"`{self.pattern}` was expected"
        found = re.search(self.never, reply)
        return f"`{found[0]}` was not expected" if found else None


def unlike(what: str, differences: Sequence[str]) -> str | None:
    """That two texts differ, and in which kind of line; ``None``: they do not.

    Values are not told: a configuration holds secrets, and this goes to screen and journal.
    """
    if not differences:
        return None
    words = differences[0][1:].split()
    more = f" and {len(differences) - 1:,} more lines" if len(differences) > 1 else ""
    return f"{what} differ: `{words[0] if words else ''} …`{more}"
