"""Delete and set lines lead a candidate from one configuration to the other."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.model.push import ReplyError
from fabric.platforms.nokia_srl.places import flat
from fabric.platforms.nokia_srl.set_lines import Owned, merged, remediation, shown

if TYPE_CHECKING:
    from fabric.platforms.nokia_srl.places import Value
    from fabric.platforms.nokia_srl.tree import Tree

OWNED = Owned((r"interface ethernet-\S+", "qos"))


LEAVES = {"mtu", "description", "admin-state", "x", "y"}


class Candidate:
    """What `delete /` and `set /` make of leaves, and of entries without any."""

    def __init__(self, tree: Tree) -> None:
        self.values: dict[tuple[str, ...], tuple[str, ...]] = {}
        for leaf in flat(tree):
            self.type(f"set / {shown(*leaf)}")

    def type(self, line: str) -> None:
        verb, slash, rest = line.split(" ", 2)
        assert slash == "/"
        words = tuple(shlex.split(rest))
        end = next((at + 1 for at, one in enumerate(words) if one in LEAVES), len(words))
        place, value = words[:end], words[end:]
        if verb == "delete":
            gone = [one for one in self.values if one[: len(words)] == words]
            assert gone, f"{line}: not there"
            for one in gone:
                del self.values[one]
        elif value[:1] == ("[",):  # a list of values grows
            old = self.values.get(place, ())
            self.values[place] = (*old, *(one for one in value[1:-1] if one not in old))
        else:
            self.values[place] = value

    @property
    def state(self) -> dict[tuple[str, ...], tuple[str, ...]]:
        """Entries alone only where nothing stands below."""
        return {
            place: value
            for place, value in self.values.items()
            if value or not any(o != place and o[: len(place)] == place for o in self.values)
        }


_PORTS = st.lists(
    st.fixed_dictionaries(
        {"name": st.sampled_from(["ethernet-1/1", "ethernet-1/10", "mgmt0", "lag 1"])},
        optional={
            "mtu": st.integers(1, 2),
            "description": st.sampled_from(["a", "two words", 'with "quotes"', "back\\slash", ""]),
            "subinterface": st.just([{"index": 0, "admin-state": "enable"}]),
        },
    ),
    unique_by=lambda port: str(port["name"]),
)
_TREES = st.fixed_dictionaries(
    {},
    optional={
        "interface": _PORTS,
        "qos": st.fixed_dictionaries({}, optional={"x": st.sampled_from([["a"], ["a", "b"]])}),
        "ntp": st.fixed_dictionaries({"y": st.sampled_from([["a"], ["b", "a"]])}),
    },
)


@given(_TREES, _TREES)
def test_the_lines_lead_from_one_to_the_other(before: Tree, rendered: Tree) -> None:
    candidate, after = Candidate(before), merged(before, rendered, OWNED)
    lines = remediation(before, after, OWNED)
    for line in lines:
        candidate.type(line)
    assert candidate.state == Candidate(after).state
    assert bool(lines) == (Candidate(before).state != Candidate(after).state)


@given(_TREES, _TREES)
def test_what_is_owned_is_as_rendered_and_all_else_stays(running: Tree, rendered: Tree) -> None:
    found = dict(flat(merged(running, rendered, OWNED)))
    for place, value in flat(running):
        if OWNED.root(place) is None and place not in dict(flat(rendered)):
            assert value is None or found[place] == value
    ours = {place: value for place, value in found.items() if OWNED.root(place)}
    assert ours == {place: value for place, value in flat(rendered) if OWNED.root(place)}
    again = merged(merged(running, rendered, OWNED), rendered, OWNED)
    assert dict(flat(again)) == found  # an empty list says nothing


def test_a_list_whose_keys_are_not_known_stays_but_is_never_typed() -> None:
    before: Tree = {"aaa": {"user": [{"username": "oper", "role": ["x"]}]}}
    after = merged(before, {"qos": {"x": 1}}, OWNED)
    assert after["aaa"] == before["aaa"]
    assert remediation(before, after, OWNED) == ("set / qos x 1",)
    extra: Tree = {"aaa": {"user": [{"username": "new"}]}}
    with pytest.raises(ReplyError, match=r"not known: aaa user \[username=new\]"):
        remediation(before, merged(before, extra, OWNED), OWNED)


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("one", "one"),
        ("two words", '"two words"'),
        ('a "b"', '"a \\"b\\""'),
        ("a\\b", '"a\\\\b"'),
        ("", '""'),
        (("a", "b c"), '[ a "b c" ]'),
    ],
)
def test_words_are_quoted_as_the_cli_takes_them(value: Value, written: str) -> None:
    assert shown(("system", "x"), value) == f"system x {written}"
