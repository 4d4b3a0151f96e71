"""What typing lines does to a tree, on a small grammar of its own."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.live.rehearsal.cli.grammar import read_grammar
from fabric.live.rehearsal.cli.layout import Layout, read, write
from fabric.live.rehearsal.cli.tree import IncompleteLineError, Tree, UnknownLineError

GRAMMAR = read_grammar(
    "no",
    {
        "root": {
            "lines": [
                "hostname = WORD",
                "feature WORD",
                "ntp server WORD",
                {"is": "interface WORD -> port", "stays": "interface Ethernet.*"},
                {"is": "router bgp <1-65535> -> bgp", "needs": "feature bgp"},
            ]
        },
        "port": {
            "prompt": "-if-{1}",
            "lines": [
                "description = ...",
                {"is": "mtu = <68-9214>", "default": "mtu 1500"},
                {"is": "switchport", "default": "switchport"},
                {"is": "shutdown", "both": True},
                "ip address = WORD",
            ],
        },
        "bgp": {
            "lines": [
                {"is": "neighbor WORD remote-as = <1-65535>", "cascades": True},
                {"is": "neighbor WORD description = ...", "cascades": True},
                "address-family ipv4 -> family",
            ]
        },
        "family": {"lines": ["neighbor WORD activate", "network WORD"]},
    },
)
LAYOUT = Layout(indent=3, between="!", inner="!")


def typed(*lines: str) -> Tree:
    tree = Tree(GRAMMAR)
    place: tuple[str, ...] = ()
    for line in lines:
        place = tree.type(place, line)
    return tree


def shown(*lines: str) -> list[str]:
    return [line.strip() for line in write(typed(*lines), LAYOUT) if line.strip() != "!"]


def test_a_second_value_replaces_the_first() -> None:
    assert shown("hostname a", "hostname b") == ["hostname b"]


def test_lines_without_value_add_up() -> None:
    assert shown("ntp server a", "ntp server b") == ["ntp server a", "ntp server b"]


def test_a_default_is_not_shown() -> None:
    assert shown("interface Ethernet1", "mtu 9214", "mtu 1500") == ["interface Ethernet1"]


def test_a_negated_default_is_a_line() -> None:
    port = ("interface Ethernet1", "no switchport")
    assert shown(*port) == list(port)
    assert shown(*port, "switchport") == ["interface Ethernet1"]


def test_a_line_can_be_shown_in_both_forms() -> None:
    assert shown("interface Ethernet1", "no shutdown")[1:] == ["no shutdown"]
    assert shown("interface Ethernet1", "no shutdown", "shutdown")[1:] == ["shutdown"]


def test_a_negation_needs_no_value() -> None:
    assert shown("interface Ethernet1", "mtu 9214", "no mtu") == ["interface Ethernet1"]


def test_a_line_of_an_outer_section_leads_out() -> None:
    lines = shown("interface Ethernet1", "mtu 9000", "hostname a", "ntp server b")
    assert lines == ["hostname a", "ntp server b", "interface Ethernet1", "mtu 9000"]


def test_a_section_that_stays_is_emptied() -> None:
    assert shown("interface Ethernet1", "mtu 9000", "no interface Ethernet1") == [
        "interface Ethernet1"
    ]
    assert shown("interface Loopback0", "mtu 9000", "no interface Loopback0") == []


def test_a_neighbour_goes_with_all_that_names_it() -> None:
    lines = shown(
        "feature bgp", "router bgp 1", "neighbor 10.0.0.0 remote-as 2", "address-family ipv4",
        "neighbor 10.0.0.0 activate", "network 10.1.0.0/16", "router bgp 1",
        "no neighbor 10.0.0.0",
    )  # fmt: skip
    assert lines == ["feature bgp", "router bgp 1", "address-family ipv4", "network 10.1.0.0/16"]


def test_a_line_that_needs_another_is_unknown_without_it_and_goes_with_it() -> None:
    with pytest.raises(UnknownLineError):
        typed("router bgp 1")
    assert shown("feature bgp", "router bgp 1", "hostname a", "no feature bgp") == ["hostname a"]


@pytest.mark.parametrize(
    ("line", "word"), [("bogus 1", 0), ("interface Ethernet1 more", 2), ("no bogus", 1)]
)
def test_the_word_that_is_wrong_is_told(line: str, word: int) -> None:
    with pytest.raises(UnknownLineError) as caught:
        typed(line)
    assert caught.value.word == word


def test_a_line_that_ends_too_early_is_told_apart() -> None:
    with pytest.raises(IncompleteLineError):
        typed("hostname")


def test_looking_at_a_place_makes_nothing() -> None:
    tree = typed("hostname a")
    assert tree.section(("interface Ethernet9",)).name == "port"
    assert tree == typed("hostname a")


PORT_LINES = st.sampled_from(
    ["description x y", "mtu 9000", "mtu 9214", "ip address 10.0.0.1/31", "no switchport"]
)
PORTS = st.sampled_from(["Loopback0", "Loopback1", "Vlan7"])


@given(st.lists(st.tuples(PORTS, PORT_LINES), max_size=12))
def test_lines_and_then_their_negations_give_the_tree_back(lines: list[tuple[str, str]]) -> None:
    before = typed("hostname a", "interface Loopback9", "mtu 9000")
    tree = before.copy()
    for port, line in lines:
        tree.type(tree.type((), f"interface {port}"), line)
    for port, line in reversed(lines):
        undone = line.removeprefix("no ") if line.startswith("no ") else f"no {line}"
        tree.type(tree.type((), f"interface {port}"), undone)
    for port in {port for port, _ in lines}:
        tree.type((), f"no interface {port}")
    assert tree == before


@given(st.lists(st.tuples(PORTS, PORT_LINES), max_size=12))
def test_what_is_written_is_read_back(lines: list[tuple[str, str]]) -> None:
    tree = typed("hostname a")
    for port, line in lines:
        tree.type(tree.type((), f"interface {port}"), line)
    text = write(tree, LAYOUT)
    again, refused = read(GRAMMAR, text, LAYOUT)
    assert refused == []
    assert write(again, LAYOUT) == text
