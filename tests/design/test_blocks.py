"""The block allocator: where new blocks go, what spare and removed places are for."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.blocks import PoolFullError, assign
from fabric.design.space import Demand, Space, within

if TYPE_CHECKING:
    from fabric.model.addressing import LockRow

ROOM = Space("host", 64, aligned=True)


def demands(**counts: int) -> list[Demand]:
    return [
        Demand(owner, tuple(f"{owner}{n}" for n in range(count))) for owner, count in counts.items()
    ]


def blocks(rows: tuple[LockRow, ...]) -> list[tuple[str, int, int]]:
    return [(row.key, row.start, row.size) for row in rows]


def test_blocks_are_powers_of_two_and_aligned() -> None:
    placed = assign(ROOM, (), demands(a=1, b=3, c=2))
    assert blocks(placed.rows) == [("a", 0, 1), ("b", 4, 4), ("c", 8, 2)]
    loose = assign(Space("loopback", 64, lowest=1), (), demands(a=1, b=3, c=2))
    assert blocks(loose.rows) == [("a", 1, 1), ("b", 2, 4), ("c", 6, 2)]


def test_a_new_owner_goes_behind_all_others_not_into_a_gap() -> None:
    rows = assign(ROOM, (), demands(a=1, b=3)).rows
    assert blocks(assign(ROOM, rows, demands(a=1, b=3, c=1)).rows)[2] == ("c", 8, 1)
    full = Space("host", 8, aligned=True)
    assert blocks(assign(full, rows, demands(a=1, b=3, c=1)).rows)[2] == ("c", 1, 1)


def test_an_owner_fills_its_spare_places_then_doubles() -> None:
    rows = assign(ROOM, (), demands(a=3)).rows
    rows = assign(ROOM, rows, demands(a=4)).rows
    assert blocks(rows) == [("a", 0, 4)]
    rows = assign(ROOM, rows, demands(a=5)).rows
    assert blocks(rows) == [("a", 0, 4), ("a", 4, 4)]
    rows = assign(ROOM, rows, demands(a=9)).rows
    assert blocks(rows) == [("a", 0, 4), ("a", 4, 4), ("a", 8, 8)]


def test_a_blocked_unit_is_left_free_in_a_spare_place() -> None:
    rows = assign(ROOM, (), demands(a=2, b=2, c=3)).rows
    assert blocks(rows)[2] == ("c", 4, 4)
    space = Space("host", 64, aligned=True, blocked=frozenset({7}))
    placed = assign(space, rows, demands(a=2, b=2, c=4))
    assert placed.units["c", "c3"] not in (4, 5, 6, 7)
    assert placed.rows[2].members == ("c0", "c1", "c2", "")


def test_the_lowest_units_are_used_before_removed_places() -> None:
    space = Space("loopback", 8, lowest=1)
    rows = assign(space, (), demands(a=4, b=3)).rows
    assert blocks(rows) == [("a", 1, 4), ("b", 5, 3)]
    kept = assign(space, rows, demands(a=3, c=1))
    assert blocks(kept.rows) == [("a", 1, 4), ("b", 5, 3), ("c", 0, 1)]
    more = assign(space, kept.rows, demands(a=3, c=2))
    assert more.units["c", "c1"] in (4, 5, 6, 7)
    assert [row.key for row in more.rows if row.key == "b"] == []


def test_exact_blocks_leave_the_lowest_units_while_others_are_free() -> None:
    space = Space("loopback", 8, lowest=1)
    placed = assign(space, (), demands(a=3, b=3))  # 4 + 4 would not fit behind unit 0
    assert blocks(placed.rows) == [("a", 1, 3), ("b", 4, 3)]


def test_removed_members_are_kept_in_tight_pools_while_spare_places_last() -> None:
    space = Space("loopback", 8)
    rows = assign(space, (), demands(a=4, b=2)).rows
    again = assign(space, rows, demands(a=2, c=2))
    assert blocks(again.rows) == [("a", 0, 4), ("b", 4, 2), ("c", 6, 2)]
    assert assign(space, again.rows, demands(a=4, b=2, c=2)).rows == again.rows


def test_an_owner_may_begin_elsewhere() -> None:
    space = Space("asn", 2000, behind=False)
    wants = [Demand("leaf", ("l0", "l1"), 1000), Demand("top", ("t",))]
    assert blocks(assign(space, (), wants).rows) == [("leaf", 1000, 2), ("top", 0, 1)]


def test_a_full_pool_names_the_need() -> None:
    with pytest.raises(PoolFullError) as caught:
        assign(Space("link", 8), (), demands(a=5, b=4))
    assert caught.value.needed == 9


@pytest.mark.parametrize(
    ("start", "kept"),
    [
        (-2, (0, 2, ("c", "d"))),
        (0, (0, 4, ("a", "b", "c", "d"))),
        (6, (6, 2, ("a", "b"))),
        (-4, None),
        (8, None),
    ],
)
def test_rows_are_cut_to_what_lies_in_the_pool(
    start: int, kept: tuple[int, int, tuple[str, ...]] | None
) -> None:
    (row,) = assign(Space("link", 8), (), [Demand("x", ("a", "b", "c", "d"))]).rows
    found = within(Space("link", 8), [replace(row, start=start)])
    assert [(r.start, r.size, r.members) for r in found] == ([] if kept is None else [kept])


@given(
    st.lists(
        st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 9), max_size=6),
        min_size=1,
        max_size=6,
    ),
    st.sampled_from([1, 7, 16, 33, 64]),
    st.booleans(),
    st.booleans(),
    st.integers(0, 2),
)
def test_whatever_is_asked_fits_exactly_when_there_are_units_and_stays(
    steps: list[dict[str, int]], capacity: int, aligned: bool, behind: bool, lowest: int
) -> None:
    space = Space("host", capacity, aligned, lowest, behind)
    rows: tuple[LockRow, ...] = ()
    before: dict[tuple[str, str], int] = {}
    for step in steps:
        wants = demands(**step)
        needed = sum(step.values())
        if needed > capacity:
            with pytest.raises(PoolFullError):
                assign(space, rows, wants)
            continue
        placed = assign(space, rows, wants)
        units = placed.units
        assert len(set(units.values())) == len(units) == needed
        assert all(0 <= unit < capacity for unit in units.values())
        assert all(units[key] == before[key] for key in units.keys() & before)
        taken = [unit for row in placed.rows for unit in range(row.start, row.start + row.size)]
        assert len(set(taken)) == len(taken)
        rows, before = placed.rows, units
