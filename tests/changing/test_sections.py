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


COMWARE = Grammar(comments=("#",), last="return", base_after="#")
INDENTED = """\
#
 sysname a
#
 ip route-static 0.0.0.0 0 192.0.2.1
 ip route-static 10.0.0.0 24 NULL0
#
bgp 1
 peer x
 #
 address-family ipv4
  network a
#
return
"""


def test_lines_in_no_section_can_be_indented() -> None:
    assert [block.header for block in blocks(INDENTED, COMWARE) if block.header] == [
        "sysname a",
        "ip route-static 0.0.0.0 0 192.0.2.1",
        "ip route-static 10.0.0.0 24 NULL0",
        "bgp 1",
        "return",
    ]
    assert "\n".join(x for b in blocks(INDENTED, COMWARE) for x in b.lines) == INDENTED
    owned = (r"NULL0$",)
    rendered = "#\n ip route-static 10.1.0.0 24 NULL0\n#\n"
    assert differences(INDENTED, merged(INDENTED, rendered, owned, COMWARE), COMWARE) == (
        "-ip route-static 10.0.0.0 24 NULL0",
        "+ip route-static 10.1.0.0 24 NULL0",
    )


def test_a_banner_ends_with_its_own_sign() -> None:
    grammar = Grammar(literals=((r"^banner motd (?P<end>\S)$", ""),), last="")
    text = "banner motd ^\nhostname not-this\n^\nhostname b\n"
    assert [block.header for block in blocks(text, grammar)] == ["banner motd ^", "hostname b"]
