"""Rows of words against Python sets, across the borders of words."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.analysis import bits

SIZES = st.integers(0, 200)


@st.composite
def matrices(draw: st.DrawFn, rows: int = 6) -> bits.Matrix:
    size = draw(SIZES)
    seed = draw(st.integers(0, 2**32 - 1))
    density = draw(st.sampled_from((0.0, 0.02, 0.5, 1.0)))
    return np.random.default_rng(seed).random((rows, size)) < density


@given(matrices())
def test_packing_and_back(matrix: bits.Matrix) -> None:
    rows = bits.packed(matrix)
    assert rows.dtype == np.uint64
    assert rows.shape == (len(matrix), bits.width(matrix.shape[1]))
    assert (bits.unpacked(rows, matrix.shape[1]) == matrix).all()
    for row, line in zip(rows, matrix, strict=True):
        assert bits.members(row) == np.flatnonzero(line).tolist()


@pytest.mark.parametrize(("size", "words"), [(0, 1), (1, 1), (64, 1), (65, 2), (128, 2), (129, 3)])
def test_words(size: int, words: int) -> None:
    assert bits.width(size) == words
    assert bits.empty(3, size).shape == (3, words)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 199)), max_size=20))
def test_setting_and_clearing(places: list[tuple[int, int]]) -> None:
    # Several in one word of one row, and the same one twice.
    where = np.array([row for row, _ in places], dtype=np.int64)
    which = np.array([bit for _, bit in places], dtype=np.int64)
    rows = bits.empty(4, 200)
    bits.set_bits(rows, where, which)
    for row in range(4):
        assert bits.members(rows[row]) == sorted({bit for r, bit in places if r == row})
    full = bits.packed(np.ones((4, 200), dtype=np.bool_))
    bits.clear_bits(full, where, which)
    for row in range(4):
        assert set(bits.members(full[row])) == set(range(200)) - {b for r, b in places if r == row}


@given(matrices(), st.lists(st.integers(0, 4), min_size=6, max_size=6))
def test_union_by_target(matrix: bits.Matrix, targets: list[int]) -> None:
    found = bits.Gather(np.array(targets, dtype=np.int64), 5).union(bits.packed(matrix))
    for target in range(5):
        rows = [row for row, t in zip(matrix, targets, strict=True) if t == target]
        expected = np.flatnonzero(np.any(rows, axis=0)).tolist() if rows else []
        assert bits.members(found[target]) == expected


@given(matrices(), st.sampled_from((8, 1 << 24)))
def test_meeting(matrix: bits.Matrix, chunk_bytes: int) -> None:
    rows = bits.packed(matrix)
    one, two = np.divmod(np.arange(36), 6)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bits, "_CHUNK_BYTES", chunk_bytes)
        found = bits.meeting(rows, rows[::-1].copy(), (one, two))
    expected = [bool((matrix[a] & matrix[5 - b]).any()) for a, b in zip(one, two, strict=True)]
    assert found.tolist() == expected


class _NoMixing:
    """In place of a generator of random words: every hash is then the sum of the words."""

    def integers(self, low: int, high: int, size: int, dtype: type) -> object:
        assert low < high
        return np.zeros(size, dtype=dtype)


@pytest.mark.parametrize("mixed", [True, False])
@given(matrix=matrices(rows=12), keys=st.lists(st.integers(0, 2), min_size=12, max_size=12))
def test_alike(matrix: bits.Matrix, keys: list[int], *, mixed: bool) -> None:
    matrix = matrix[np.arange(12) % 7]  # some equal ones
    with pytest.MonkeyPatch.context() as patch:
        if not mixed:
            patch.setattr(np.random, "default_rng", lambda _seed: _NoMixing())
        group, first = bits.alike(bits.packed(matrix), np.array(keys, dtype=np.int64))
    content = [(key, row.tobytes()) for key, row in zip(keys, matrix, strict=True)]
    assert len(first) == len(set(content))
    for a in range(12):
        assert content[first[group[a]]] == content[a]
        for b in range(12):
            assert (group[a] == group[b]) == (content[a] == content[b])


def test_alike_tells_rows_of_one_hash_apart() -> None:
    rows = np.array([[1, 2], [2, 1], [1, 2], [3, 0]], dtype=np.uint64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "default_rng", lambda _seed: _NoMixing())
        group, first = bits.alike(rows, np.zeros(4, dtype=np.int64))
    assert len(first) == 3
    assert group[0] == group[2]
    assert len({int(group[0]), int(group[1]), int(group[3])}) == 3
