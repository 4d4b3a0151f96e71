from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.inventory.ranges import RangeError, expand, numbered


@pytest.mark.parametrize(
    ("pattern", "names"),
    [
        ("leaf-0", ("leaf-0",)),
        ("leaf[1-3]", ("leaf1", "leaf2", "leaf3")),
        ("gpu-[008-011]", ("gpu-008", "gpu-009", "gpu-010", "gpu-011")),
        ("r[1-2]-l[0-1]", ("r1-l0", "r1-l1", "r2-l0", "r2-l1")),
        ("[9-11]", ("9", "10", "11")),
        ("x[1,3,5-6]y", ("x1y", "x3y", "x5y", "x6y")),
        ("x[7]", ("x7",)),
        ("x[0-1]", ("x0", "x1")),
    ],
)
def test_ranges_expand(pattern: str, names: tuple[str, ...]) -> None:
    assert expand(pattern) == names


@pytest.mark.parametrize(
    "pattern",
    [
        "x[",
        "x]",
        "x[]",
        "x[1-]",
        "x[-1]",
        "x[1-2-3]",
        "x[3-1]",
        "x[a-c]",
        "x[01-100]",
        "x[1,1]",
        "x[1-2,2-3]",
        "x[[1-2]]",
        "x[0-1000000]",
        "x[1-1000][1-1001]",
        "x[1-99999999999]",
    ],
)
def test_bad_ranges_say_why(pattern: str) -> None:
    with pytest.raises(RangeError):
        expand(pattern)


@given(st.integers(0, 5_000), st.integers(0, 60), st.integers(1, 6))
def test_padding_and_count_are_kept(first: int, more: int, width: int) -> None:
    low, high = f"{first:0{width}d}", f"{first + more:0{width}d}"
    if len(low) != len(high) and low.startswith("0") and first:
        return
    names = expand(f"n-[{low}-{high}]")
    assert len(names) == more + 1
    assert (names[0], names[-1]) == (f"n-{low}", f"n-{high}")
    assert [int(name[2:]) for name in names] == list(range(first, first + more + 1))


@given(st.text(max_size=20))
def test_any_text_expands_or_is_refused(text: str) -> None:
    try:
        names = expand(text)
    except RangeError:
        return
    assert len(set(names)) == len(names)


def test_numbered_names() -> None:
    assert numbered("gpu-{n}", 3) == ("gpu-0", "gpu-1", "gpu-2")
    assert numbered("{n:03}-x", 2) == ("000-x", "001-x")
    for pattern in ("gpu", "gpu-{m}", "{n}{", "{n!r}", "{n:x}"):
        with pytest.raises(RangeError):
            numbered(pattern, 1)


def test_more_names_than_can_be_meant_are_refused_at_once() -> None:
    with pytest.raises(RangeError, match=r"1,000,000,000,000 names of gpu-\{n\} are more than"):
        numbered("gpu-{n}", 10**12)
