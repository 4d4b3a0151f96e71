"""Sets of destinations as rows of 64-bit words: bit d of a row stands for destination d."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from fabric.analysis.network import Bools, Ints

    Rows = np.ndarray[tuple[int, int], np.dtype[np.uint64]]
    Matrix = np.ndarray[tuple[int, int], np.dtype[np.bool_]]

WORD = 64
_CHUNK_BYTES = 1 << 24  # what fits the caches is faster than one great sweep


def width(bits: int) -> int:
    """Words that hold so many bits, at least one."""
    return max(1, -(-bits // WORD))


def empty(rows: int, bits: int) -> Rows:
    """Rows without a bit."""
    return np.zeros((rows, width(bits)), dtype=np.uint64)


def packed(matrix: Matrix) -> Rows:
    """A matrix of booleans (rows, bits) as rows."""
    rows, bits = matrix.shape
    padded = np.zeros((rows, width(bits) * WORD), dtype=np.bool_)
    padded[:, :bits] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view(np.uint64)


def unpacked(rows: Rows, bits: int) -> Matrix:
    """The booleans (rows, bits) of some rows."""
    flat = np.unpackbits(np.ascontiguousarray(rows).view(np.uint8), axis=1, bitorder="little")
    return flat[:, :bits].astype(np.bool_)


def set_bits(rows: Rows, where: Ints, bits: Ints) -> None:
    """Set bit ``bits[i]`` of row ``where[i]``, in place."""
    mask = np.left_shift(np.uint64(1), (bits % WORD).astype(np.uint64))
    np.bitwise_or.at(rows, (where, bits // WORD), mask)


def clear_bits(rows: Rows, where: Ints, bits: Ints) -> None:
    """Clear bit ``bits[i]`` of row ``where[i]``, in place."""
    mask = np.left_shift(np.uint64(1), (bits % WORD).astype(np.uint64))
    np.bitwise_and.at(rows, (where, bits // WORD), ~mask)


def members(row: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> list[int]:
    """The bits of one row, in rising order."""
    flat = np.unpackbits(np.ascontiguousarray(row).view(np.uint8), bitorder="little")
    return [int(bit) for bit in np.flatnonzero(flat)]


class Gather:
    """For each of ``size`` targets the union of the rows of its members.

    ``targets``: target of each row, in the order of the rows.
    """

    def __init__(self, targets: Ints, size: int) -> None:
        self._order = np.argsort(targets, kind="stable")
        ordered = targets[self._order]
        starts = np.flatnonzero(np.diff(ordered, prepend=-1))
        self._starts, self._present, self._size = starts, ordered[starts], size

    def union(self, rows: Rows) -> Rows:
        """Rows (size, words); a target without members has no bit."""
        found = np.zeros((self._size, rows.shape[1]), dtype=np.uint64)
        if len(self._starts):
            found[self._present] = np.bitwise_or.reduceat(rows[self._order], self._starts, axis=0)
        return found


def meeting(left: Rows, right: Rows, pairs: tuple[Ints, Ints]) -> Bools:
    """Whether row ``pairs[0][i]`` of ``left`` and row ``pairs[1][i]`` of ``right`` share a bit."""
    a, b = pairs
    found = np.empty(len(a), dtype=np.bool_)
    step = max(1, _CHUNK_BYTES // (8 * left.shape[1]))
    for start in range(0, len(a), step):
        part = slice(start, start + step)
        both = left[a[part]]
        both &= right[b[part]]
        found[part] = both.any(axis=1)
    return found


def alike(rows: Rows, keys: Ints) -> tuple[Ints, Ints]:
    """Group rows of equal key and equal content: (number of each row's group, a row of each).

    By a 64-bit hash of the content, checked against the row that stands for the group.
    """
    words = rows.shape[1]
    odd = np.random.default_rng(words).integers(1, 2**63, size=words, dtype=np.uint64)
    odd = odd << np.uint64(1) | np.uint64(1)
    with np.errstate(over="ignore"):
        mixed = rows ^ (rows >> np.uint64(31))
        hashed = (mixed * odd).sum(axis=1, dtype=np.uint64)
        hashed ^= hashed >> np.uint64(29)
        hashed = hashed * np.uint64(0x9E3779B97F4A7C15) + keys.astype(np.uint64) * odd[0]
    _, first, group = np.unique(hashed, return_index=True, return_inverse=True)
    same = (rows == rows[first[group]]).all(axis=1) & (keys == keys[first[group]])
    if same.all():
        return group.astype(np.int64), first.astype(np.int64)
    full = np.column_stack((keys.astype(np.uint64), rows))  # two contents of one hash
    _, first, group = np.unique(full, axis=0, return_index=True, return_inverse=True)
    return group.reshape(-1).astype(np.int64), first.astype(np.int64)
