"""Typed lines lead from one configuration to the other, past a box that minds their order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.changing.remediation import Negation, Typing, remediation
from fabric.changing.sections import Grammar
from fabric.model.push import ReplyError

TYPING = Typing(
    grammar=Grammar(literals=((r"^banner ", r"^EOF$"),), last=""),
    order=(r"^policy ", r"^port ", r"^router "),
    negations=(
        Negation(r"mtu \d+", "no mtu", gives_way=True),
        Negation(r"use \S+", "no use"),
        Negation(r"router \d+", "no router"),
    ),
    stays=r"^port ",
    opens=r"(^(policy|port|router)|> peer) [^>]*$",
)


class Box:
    """A device: sections, one MTU a port, policies that must exist while a port uses them."""

    def __init__(self, tree: dict[str, object]) -> None:
        self.tree: dict[str, object] = tree
        self.at: list[dict[str, object]] = [self.tree]

    def type(self, line: str) -> None:
        here = self.at[-1]
        if line == "exit":
            assert len(self.at) > 1, "left configuration mode"
            self.at.pop()
        elif line.startswith("no "):
            self.take_away(here, line.removeprefix("no "))
        else:
            self.say(here, line)

    def say(self, here: dict[str, object], line: str) -> None:
        word = line.split(maxsplit=1)[0]
        assert word != "use" or f"policy {line.split()[1]}" in self.tree, f"{line}: no such policy"
        if word in {"mtu", "use"} and any(one.startswith(word) for one in here):
            assert word == "mtu", "one policy already"
            del here[next(one for one in here if one.startswith(word))]
        below = here.setdefault(line, {})
        if word in {"policy", "port", "router", "peer"}:
            assert isinstance(below, dict)
            self.at.append(below)

    def take_away(self, here: dict[str, object], what: str) -> None:
        assert not what.startswith("port"), "a port cannot be taken away"
        whole = next(
            (
                one
                for one in here
                if one == what or (what in {"mtu", "use", "router"} and one.startswith(what))
            ),
            None,
        )
        assert whole is not None, f"no {what}: not there"
        if whole.startswith("policy"):
            used = [
                below
                for below in self.tree.values()
                if isinstance(below, dict) and f"use {whole.split()[1]}" in below
            ]
            assert not used, f"{whole} is in use"
        del here[whole]


@st.composite
def trees(draw: st.DrawFn) -> dict[str, object]:
    policies = draw(st.lists(st.sampled_from("ab"), unique=True))
    tree: dict[str, object] = {f"policy {p}": {"weight 1": {}} for p in policies}
    for port in "12":
        below: dict[str, object] = {}
        if mtu := draw(st.sampled_from([None, "mtu 1", "mtu 2"])):
            below[mtu] = {}
        used: bool = draw(st.booleans())
        if policies and used:
            below[f"use {draw(st.sampled_from(policies))}"] = {}
        tree[f"port {port}"] = below
    if draw(st.booleans()):
        peers: list[str] = draw(st.lists(st.sampled_from(["peer x", "peer y"]), unique=True))
        timed: bool = draw(st.booleans())
        body: dict[str, object] = {peer: {"timer 3": {}} if timed else {} for peer in peers}
        tree[f"router {draw(st.integers(1, 2))}"] = body
    return dict(draw(st.permutations(list(tree.items()))))


def printed(tree: dict[str, object], depth: int = 0) -> str:
    return "".join(
        f"{' ' * depth}{line}\n{printed(below, depth + 1)}"
        for line, below in tree.items()
        if isinstance(below, dict)
    )


@given(trees(), trees())
def test_the_lines_lead_from_one_to_the_other(
    before: dict[str, object], after: dict[str, object]
) -> None:
    lines = remediation(printed(before), printed(after), TYPING)
    box = Box(before)
    for line in lines:
        box.type(line)
    assert box.tree == after
    assert box.at == [box.tree]


@given(trees())
def test_nothing_is_typed_where_nothing_differs(tree: dict[str, object]) -> None:
    assert remediation(printed(tree), printed(tree), TYPING) == ()


def test_a_negation_that_goes_asks_for_nothing() -> None:
    assert remediation("port 1\n no shutdown\n", "port 1\n", TYPING) == ()


def test_the_opposite_is_said_once() -> None:
    lines = remediation("port 1\n shutdown\n", "port 1\n no shutdown\n", TYPING)
    assert lines == ("port 1", "no shutdown", "exit")
    lines = remediation("port 1\n no shutdown\n", "port 1\n shutdown\n", TYPING)
    assert lines == ("port 1", "shutdown", "exit")


def test_a_line_that_gives_way_is_not_taken_away_first() -> None:
    lines = remediation("port 1\n mtu 1\n", "port 1\n mtu 2\n", TYPING)
    assert lines == ("port 1", "mtu 2", "exit")


def test_banners_stay_and_are_never_typed() -> None:
    text = "banner x\nnot a port\nEOF\nport 1\n mtu 1\n"
    assert remediation(text, text.replace("mtu 1", "mtu 2"), TYPING)[1] == "mtu 2"
    with pytest.raises(ReplyError, match="banner x"):
        remediation(text, text.replace("not a", "another"), TYPING)


def test_a_negation_can_mind_where_the_line_stands() -> None:
    kinds = (Negation(r"map \S+", "no map", below="^port"),)
    typing = Typing(Grammar(last=""), negations=kinds, stays="^port ")
    assert remediation("map a\nport 1\n map a\n", "port 1\n", typing) == (
        "port 1",
        "no map",
        "exit",
        "no map a",
    )


def test_a_negation_that_has_one_of_its_own_is_taken_back() -> None:
    typing = Typing(Grammar(last=""), negations=(Negation("no switchport", "switchport mode a"),))
    assert remediation("port 1\n no switchport\n", "port 1\n vlan 1\n", typing) == (
        "port 1",
        "switchport mode a",
        "exit",
        "port 1",
        "vlan 1",
        "exit",
    )
