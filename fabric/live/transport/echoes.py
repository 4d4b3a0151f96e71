"""Lines typed ahead, and the replies to each told apart by prompt and echo.

A device shows its prompt, what was typed, and the reply, in this order for each line, also when
the next lines lie in its input buffer already.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.live.transport.prompts import Prompt
    from fabric.live.transport.screen import Screen

# Less than any input buffer of a terminal holds (4,096 bytes in Linux and FreeBSD).
BATCH_BYTES = 2000
BATCH_LINES = 64
WIDTH = 511  # columns that we ask for; longer lines are redrawn in ways of their own
_REDRAWN = WIDTH // 2  # characters from which on an echo may be scrolled sideways
_BLANK = re.compile(r"\s+")


def batches(lines: Sequence[str], most_lines: int = BATCH_LINES) -> Iterator[tuple[str, ...]]:
    """Lines in groups that are typed ahead; one whose echo can be redrawn stands alone."""
    batch: list[str] = []
    size = 0
    for line in lines:
        long = len(line) > _REDRAWN
        more = len(line.encode()) + 1
        if batch and (long or size + more > BATCH_BYTES or len(batch) >= most_lines):
            yield tuple(batch)
            batch, size = [], 0
        batch.append(line)
        size += more
        if long:
            yield tuple(batch)
            batch, size = [], 0
    if batch:
        yield tuple(batch)


class Echoes:
    """Follows the replies to a batch of lines."""

    def __init__(self, lines: Sequence[str], prompt: Prompt) -> None:
        self._lines = [line.strip() for line in lines]
        self._prompt = prompt
        self._begins: list[tuple[int, int]] = []  # per echo: where its line and its reply begin
        self._from = 0
        for line in self._lines:
            prompt.learn_from(line)

    @property
    def seen(self) -> int:
        """How many lines were echoed, which is how many were taken."""
        return len(self._begins)

    def look(self, screen: Screen) -> bool:
        """Whether the last line was answered too; what is shown only grows from look to look."""
        if self.seen < len(self._lines):
            text = screen.text
            while self.seen < len(self._lines) and self._next(text):
                pass
        answered = self._prompt.matches(screen.tail)
        if answered and not self.seen and len(self._lines[0]) > _REDRAWN and "\n" in screen.text:
            self._begins.append((0, screen.text.index("\n") + 1))  # redrawn beyond recognition
        return answered and self.seen == len(self._lines)

    def _next(self, text: str) -> bool:
        line = self._lines[self.seen]
        if len(self._lines) == 1 and not self._begins:
            return self._only(line, text)
        at = self._from
        while (end := text.find("\n", at)) >= 0:
            row = text[at:end].rstrip()
            if row.endswith(line) and self._is_prompt(row[: len(row) - len(line)]):
                self._begins.append((at, end + 1))
                self._from = end + 1
                return True
            at = end + 1
            self._from = at if self._begins else self._from
        return False

    def _is_prompt(self, head: str) -> bool:
        """What stands before an echo: a prompt and the spaces typed; of the first one, nothing."""
        if not self._begins and not head.strip():
            return True
        bare = head.rstrip()
        return any(map(self._prompt.matches, (head, bare, f"{bare} ")))

    def _only(self, line: str, text: str) -> bool:
        """A line by itself: its echo may be wrapped or redrawn."""
        end = text.find("\n")
        if end < 0:
            return False
        wanted = _BLANK.sub("", line)
        stop = end
        while stop >= 0:
            shown = _BLANK.sub("", text[:stop])
            if shown.endswith(wanted):
                self._begins.append((0, stop + 1))
                return True
            if len(shown) > 2 * len(wanted) + WIDTH:
                return False
            stop = text.find("\n", stop + 1)
        return False

    def replies(self, text: str, tail: str) -> list[str]:
        """What was said to each line that was echoed, in their order."""
        ends = [at for at, _ in self._begins[1:]] + [len(text) - len(tail)]
        return [text[begin:end] for (_, begin), end in zip(self._begins, ends, strict=True)]
