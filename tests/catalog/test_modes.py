"""Breakout modes: whatever can be written is read back as it was meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog.modes import alias_of_cage, breakout_mode

SPEEDS = st.sampled_from([1, 10, 25, 40, 50, 100, 200, 400, 800])


@given(
    children=st.integers(1, 8),
    lanes_each=st.integers(1, 8),
    spare=st.integers(0, 8),
    speeds=st.lists(SPEEDS, min_size=1, unique=True),
)
def test_modes(children: int, lanes_each: int, spare: int, speeds: list[int]) -> None:
    others = ",".join(f"{speed}G" for speed in speeds[1:])
    text = f"{children}x{speeds[0]}G({children * lanes_each})" + (f"[{others}]" if others else "")
    mode = breakout_mode(text, "p{c}", children * lanes_each + spare)
    assert (mode.text, mode.children, mode.lanes_each) == (text, children, lanes_each)
    assert mode.speeds_gbps == tuple(speeds)


@pytest.mark.parametrize(
    ("text", "lanes_each", "speeds"),
    [
        ("1x100G[40G](4)", 4, (100, 40)),
        ("4x25G[10G](4)", 1, (25, 10)),
        ("2x400G[200G, 100G]", 4, (400, 200, 100)),
    ],
)
def test_other_ways_to_write_a_mode(text: str, lanes_each: int, speeds: tuple[int, ...]) -> None:
    mode = breakout_mode(text, "", 8)
    assert (mode.text, mode.lanes_each, mode.speeds_gbps) == (text, lanes_each, speeds)


@pytest.mark.parametrize(
    ("pattern", "children", "lanes_each", "expected"),
    [
        ("Eth{c}/{n}", 2, 4, "Eth{c}/{n}"),
        ("Eth{c1}{s}", 2, 4, "Eth8{s}"),
        ("Ethernet{c}/{l}", 1, 8, "Ethernet{c}/1"),
        ("Ethernet{c}/{l}", 8, 1, "Ethernet{c}/{n}"),
        ("Ethernet{c}/{l}", 2, 4, ""),
    ],
)
def test_aliases_of_a_cage(pattern: str, children: int, lanes_each: int, expected: str) -> None:
    assert alias_of_cage(pattern, 7, children, lanes_each) == expected


@pytest.mark.parametrize(
    "text",
    [
        "",
        "400G",
        "2x400",
        "0x400G",
        "2x400G[]",
        "2x400G[200]",
        "1x100G(2)[50G](4)",
        "2x400G(16)",
        "1x100G+2x50G",
    ],
)
def test_texts_that_are_no_mode(text: str) -> None:
    with pytest.raises(ValueError, match="x"):
        breakout_mode(text, "", 8)
