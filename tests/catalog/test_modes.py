"""Breakout modes: whatever can be written is read back as it was meant."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog.modes import breakout_mode

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
    "text", ["", "400G", "2x400", "0x400G", "2x400G[]", "2x400G[200]", "2x400G(16)", "1x100G+2x50G"]
)
def test_texts_that_are_no_mode(text: str) -> None:
    with pytest.raises(ValueError, match="x"):
        breakout_mode(text, "", 8)
