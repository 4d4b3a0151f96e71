from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.model.names import link_id, natural_key, natural_sorted
from fabric.model.units import bytes_text, short_bytes_text, speed_text

NAMES = st.text(st.characters(codec="ascii", categories=["L", "N"], include_characters="-_."))


def test_numbers_sort_as_numbers() -> None:
    names = ["leaf-10", "leaf-2", "leaf-1", "spine-0"]
    assert natural_sorted(names) == ["leaf-1", "leaf-2", "leaf-10", "spine-0"]


def test_thousands_of_digits_are_a_name_too() -> None:
    long = "leaf-" + "9" * 5_000
    assert natural_sorted([long, "leaf-10"]) == ["leaf-10", long]


def test_link_id_is_the_same_from_both_ends() -> None:
    assert link_id("spine-0", "leaf-2", 1) == "leaf-2:spine-0:1"
    assert link_id("leaf-2", "spine-0", 1) == "leaf-2:spine-0:1"
    with pytest.raises(ValueError, match="counted from 1"):
        link_id("a", "b", 0)


@given(st.lists(NAMES, unique=True))
def test_natural_order_does_not_depend_on_the_input_order(names: list[str]) -> None:
    assert natural_sorted(reversed(names)) == natural_sorted(names)


@given(NAMES, NAMES)
def test_natural_key_is_total(a: str, b: str) -> None:
    assert (natural_key(a) < natural_key(b)) != (natural_key(a) >= natural_key(b))


def test_units_are_printed_with_separators() -> None:
    assert bytes_text(33_792) == "33,792 B"
    assert short_bytes_text(1_501_500) == "1.5 MB"
    assert short_bytes_text(150_000) == "150 kB"
    assert speed_text(400) == "400G"
