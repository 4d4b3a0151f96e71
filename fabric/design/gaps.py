"""The free stretches of a pool, in units of the pool."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class Gaps:
    """Free stretches in ascending order; what is taken is free no more."""

    def __init__(self, capacity: int, taken: Iterable[tuple[int, int]]) -> None:
        """``taken``: (start, size), without overlaps."""
        self._free: list[tuple[int, int]] = []
        end = 0
        for start, size in sorted(taken):
            if start > end:
                self._free.append((end, start))
            end = max(end, start + size)
        self._last_taken_end = end
        if end < capacity:
            self._free.append((end, capacity))

    def take_at_end(self, size: int, step: int, lowest: int) -> int | None:
        """Start of a stretch behind everything taken; ``step``: what the start is a multiple of."""
        return self._take(size, step, max(lowest, self._last_taken_end))

    def take_first(self, size: int, step: int, lowest: int) -> int | None:
        """Start of the first stretch from ``lowest`` on, ``None``: there is none."""
        return self._take(size, step, lowest)

    def take_pieces(self, size: int, lowest: int) -> list[tuple[int, int]] | None:
        """The first free units from ``lowest`` on as (start, size), whatever their number."""
        pieces: list[tuple[int, int]] = []
        for low, high in self._free:
            start = max(low, lowest)
            length = min(high - start, size)
            if length > 0:
                pieces.append((start, length))
                size -= length
            if size == 0:
                break
        if size:
            return None
        for start, length in pieces:
            self._take(length, 1, start)
        return pieces

    def _take(self, size: int, step: int, lowest: int) -> int | None:
        for place, (low, high) in enumerate(self._free):
            start = -(-max(low, lowest) // step) * step
            if start + size <= high:
                rest = ((low, start), (start + size, high))
                self._free[place : place + 1] = [gap for gap in rest if gap[0] < gap[1]]
                self._last_taken_end = max(self._last_taken_end, start + size)
                return start
        return None
