"""What replies must hold, as values: checks of commands."""

from __future__ import annotations

import re
from dataclasses import dataclass


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
