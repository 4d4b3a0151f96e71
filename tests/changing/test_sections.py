"""Sections: joined they are the text, what is not owned survives, what differs is told."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from fabric.changing.sections import Grammar, blocks, differences, merged

GRAMMAR = Grammar(literals=((r"^banner ", r"^EOF$"),))
OWNED = (r"^interface Ethernet", r"^router bgp")
_WORDS = st.sampled_from(
    ["interface Ethernet1", "interface Ethernet2", "interface Management1", "router bgp 1", "ntp a"]
)
_BELOW = st.lists(st.sampled_from(["mtu 9214", "shutdown", "no shutdown", "ip address x"]))


@st.composite
def texts(draw: st.DrawFn) -> str:
    lines: list[str] = draw(st.lists(st.sampled_from(["! made", "!"]), max_size=2))
    for header in draw(st.lists(_WORDS, unique=True)):
        lines += [header, *(f"   {line}" for line in draw(_BELOW)), "!"]
    if draw(st.booleans()):
        lines += ["banner motd", "router bgp 9 is not meant", "EOF", "!"]
    return "\n".join([*lines, "end", ""])


@given(texts())
def test_joined_blocks_are_the_text(text: str) -> None:
    assert "\n".join(line for block in blocks(text, GRAMMAR) for line in block.lines) == text


def unowned(text: str) -> list[str]:
    """Lines outside owned sections, by a scan of its own."""
    kept: list[str] = []
    ours, banner = False, False
    for line in text.split("\n"):
        if banner or line.startswith("banner"):
            banner, ours = line != "EOF", False
        elif line and not line.startswith((" ", "!")):
            ours = line.startswith(("interface Ethernet", "router bgp"))
        if not ours:
            kept.append(line)
    return kept


@given(texts(), texts())
def test_what_is_not_owned_survives_in_its_order(running: str, rendered: str) -> None:
    target = merged(running, rendered, OWNED, GRAMMAR).split("\n")
    position = 0
    for line in unowned(running):
        position = target.index(line, position) + 1


@given(texts(), texts())
def test_merging_again_changes_nothing(running: str, rendered: str) -> None:
    once = merged(running, rendered, OWNED, GRAMMAR)
    assert differences(once, merged(once, rendered, OWNED, GRAMMAR), GRAMMAR) == ()


@given(texts())
def test_a_text_does_not_differ_from_itself(text: str) -> None:
    assert differences(text, text, GRAMMAR) == ()


def test_sections_move_and_nothing_is_told() -> None:
    one = "interface Ethernet1\n   mtu 9214\n!\nntp a\nend\n"
    other = "ntp a\n!\ninterface Ethernet1\n   mtu 9214\nend\n"
    assert differences(one, other, GRAMMAR) == ()


def test_lines_are_told_with_their_headers() -> None:
    before = "router bgp 1\n   address-family ipv4\n      network a\nend\n"
    after = "router bgp 1\n   address-family ipv4\n      network b\nend\n"
    assert differences(before, after, GRAMMAR) == (
        "-router bgp 1 > address-family ipv4 > network a",
        "+router bgp 1 > address-family ipv4 > network b",
    )


def test_a_banner_is_one_text() -> None:
    before = "banner motd\nrouter bgp 1\nEOF\nend\n"
    assert differences(before, before.replace("EOF\n", "EOF\n!\n"), GRAMMAR) == ()
    assert differences(before, before.replace("bgp 1", "bgp 2"), GRAMMAR) == (
        "-banner motd\nrouter bgp 1\nEOF",
        "+banner motd\nrouter bgp 2\nEOF",
    )
    assert merged(before, "router bgp 3\n", OWNED, GRAMMAR) == (
        "banner motd\nrouter bgp 1\nEOF\nrouter bgp 3\nend\n"
    )


def test_a_line_twice_is_not_a_line_once() -> None:
    assert differences("ntp a\nntp a\n", "ntp a\n", GRAMMAR) == ("-ntp a",)


def test_a_snippet_is_added_once() -> None:
    running = "interface Management1\n   ip address a\n   lldp\n!\nend\n"
    snippet = "ntp b\n!\ninterface Management1\n   ip address a\n!\n"
    once = merged(running, snippet, OWNED, GRAMMAR)
    assert once == running.replace("end\n", "ntp b\n!\nend\n")
    assert merged(once, snippet, OWNED, GRAMMAR) == once
