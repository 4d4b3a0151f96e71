"""Who reads standard output may go (``… | head``); what was begun goes on all the same."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class Reader:
    """Whoever reads standard output, as long as there is somebody."""

    def __init__(self) -> None:
        self.gone = False

    def told(self, tell: Callable[[], None]) -> None:
        """Print; when nobody reads any more, it and all that follows goes nowhere."""
        try:
            tell()
        except BrokenPipeError:
            self.gone = True
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())

    def result(self, text: str) -> None:
        """Print the end, on standard error where nobody reads the rest."""

        def tell() -> None:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()

        self.told(tell)
        if self.gone:
            sys.stderr.write(f"{text}\n")
