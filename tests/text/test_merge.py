from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.text.merge import BlockError, block_object, json_text, merge_into

_KEYS = st.text(st.characters(exclude_categories=("No", "Cs")))  # ² is a digit and no number
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=4),
    max_leaves=12,
)
_OBJECTS = st.dictionaries(_KEYS, _VALUES, max_size=5)


@given(_OBJECTS, st.sampled_from([2, 4]))
def test_text_is_json_and_loses_nothing(value: dict[str, object], indent: int) -> None:
    text = json_text(value, indent)
    assert json.loads(text) == value
    assert text.endswith("\n")


@given(_OBJECTS)
def test_text_is_laid_out_as_the_library_does(value: dict[str, object]) -> None:
    again = json.loads(json_text(value, 4))  # in our order
    assert json.dumps(again, indent=4) + "\n" == json_text(value, 4)


@given(_OBJECTS)
def test_order_of_keys_does_not_matter(value: dict[str, object]) -> None:
    assert json_text(dict(reversed(list(value.items()))), 2) == json_text(value, 2)


def test_one_and_true_are_two_values() -> None:
    assert json_text({"a": {"x": 1}}, 2).replace("1", "true") == json_text({"a": {"x": True}}, 2)


def test_keys_stand_in_natural_order() -> None:
    text = json_text({"Ethernet10": "x", "Ethernet2": "x", "global": "x"}, 2)
    assert [line.split('"')[1] for line in text.splitlines()[1:-1]] == [
        "Ethernet2",
        "Ethernet10",
        "global",
    ]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", {}),
        (" \n ", {}),
        ('{"a": 1}', {"a": 1}),
        ('{\n "a": 1,\n}', {"a": 1}),
        ('{"a": [\n1,\n2,\n],\n}', {"a": [1, 2]}),
        ('{"a": ",}", "b": ",]"}', {"a": ",}", "b": ",]"}),
    ],
)
def test_a_comma_after_the_last_item_does_no_harm(text: str, value: object) -> None:
    assert block_object(text) == value


@pytest.mark.parametrize("text", ['{"a": 1,}', "{,\n}", '{"a": 1 "b": 2}', "7", '{"a": 1, "a": 1}'])
def test_everything_else_is_an_error(text: str) -> None:
    with pytest.raises(BlockError):
        block_object(text)


def test_objects_merge_and_values_do_not() -> None:
    whole = {"T": {"a": {"x": "1"}}}
    merge_into(whole, {"T": {"a": {"y": "2"}, "b": {}}, "U": {}})
    assert whole == {"T": {"a": {"x": "1", "y": "2"}, "b": {}}, "U": {}}
    with pytest.raises(BlockError, match=r"sets T\|a\|x, which is set already"):
        merge_into(whole, {"T": {"a": {"x": "1"}}})
