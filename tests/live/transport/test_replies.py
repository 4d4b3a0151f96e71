"""What a terminal shows, cut anywhere: the replies are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.live.transport.echoes import BATCH_BYTES, BATCH_LINES, Echoes, batches
from fabric.live.transport.greeting import greet
from fabric.live.transport.prompts import Prompt
from fabric.live.transport.refusals import Refusals
from fabric.live.transport.screen import Screen
from fabric.live.transport.telling import Teller
from fabric.live.transport.terminal import Terminal
from fabric.live.transport.times import Deadline

PATTERN = r"{name}[^\n]*[>#] ?"
LINES = ("interface Ethernet1", "   description a # b >", "exit", "exit", "hostname leaf-02", "end")
REPLIES = ("", "% odd\r\nleaf-01 is up\r\nplease exit\r\n", "", "\r\n", "", "bye leaf-02#\r\n")
PROMPTS = ("leaf-01(config)#", "leaf-01(config-if)# ", "leaf-01(config)#", "leaf-01#", "leaf-02#")


def shown() -> bytes:
    after = (*PROMPTS, "leaf-02# ")
    parts = (
        f"{line}\r\n{reply}{prompt}"
        for line, reply, prompt in zip(LINES, REPLIES, after, strict=True)
    )
    return "".join(parts).encode()


def told_apart(chunks: list[bytes]) -> list[str] | None:
    screen, echoes = Screen(), Echoes(LINES, Prompt(PATTERN, ("leaf-01",)))
    done = False
    for chunk in chunks:
        assert not done, "done before the end"
        screen.feed(chunk)
        done = echoes.look(screen)
    return echoes.replies(screen.text, screen.tail) if done else None


@given(st.lists(st.integers(0, len(shown()) - 1), max_size=40))
def test_replies_do_not_depend_on_where_the_text_is_cut(cuts: list[int]) -> None:
    text, at = shown(), sorted({0, *cuts})
    # the last byte is the blank of a prompt that is complete without it
    chunks = [text[a:b] for a, b in zip(at, [*at[1:], len(text) - 1], strict=True) if a < b]
    assert told_apart(chunks) == [reply.replace("\r\n", "\n") for reply in REPLIES]


@given(st.integers(0, len(shown()) - 2))
def test_nothing_is_done_before_the_last_prompt(end: int) -> None:
    assert told_apart([shown()[:end]]) is None


@given(st.lists(st.text(st.characters(codec="ascii", exclude_characters="\n"), max_size=600)))
def test_batches_hold_all_lines_in_order_and_few_bytes(lines: list[str]) -> None:
    made = list(batches(lines))
    assert [line for batch in made for line in batch] == lines
    for batch in made:
        assert len(batch) == 1 or sum(len(line) + 1 for line in batch) <= BATCH_BYTES
        assert 1 <= len(batch) <= BATCH_LINES


@pytest.mark.parametrize(
    ("raw", "expected"),
    [
        (b"a\r\r\nb\r\nc", "a\nb\nc"),
        (b" --More-- \r          \rrow\r\n", "row\n"),
        (b"\x1b[1;24r\x1b[24;1H\x1b[?25hleaf#", "leaf#"),
        (b"one\x1bEtwo", "one\ntwo"),
        (b"\x1b]0;title\x07leaf#", "leaf#"),
        (b"dowm\x08n", "down"),
        (b"abc\x08\x08\x08   \x08\x08\x08", ""),
        ("Zürich\r\n".encode(), "Zürich\n"),
        (b"\xff\xfe", "\ufffd\ufffd"),
    ],
)
def test_screen(raw: bytes, expected: str) -> None:
    whole, bytewise = Screen(), Screen()
    whole.feed(raw)
    for n in range(len(raw)):
        bytewise.feed(raw[n : n + 1])
    assert (whole.text, bytewise.text) == (expected, expected)


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("leaf-01#", "leaf-01"),
        ("leaf-01(config-if-Et1/1)# ", "leaf-01"),
        ("% Invalid input", None),
        ("leaf-01# show", None),
        ("", None),
    ],
)
def test_hostname_in_a_prompt(line: str, name: str | None) -> None:
    assert Prompt(PATTERN).name_in(line) == name


@pytest.mark.parametrize(
    "line",
    [
        "hostname leaf-99",
        "   hostname leaf-99",
        "set system host-name leaf-99",
        "sysname leaf-99",
        "nv set system hostname leaf-99",
        'set / system name host-name "leaf-99"',
    ],
)
def test_lines_that_rename(line: str) -> None:
    prompt = Prompt(PATTERN, ("old",))
    prompt.learn_from(line)
    assert prompt.matches("leaf-99#")
    assert prompt.matches("old#")


@pytest.mark.parametrize("line", ["no hostname", "undo sysname x", "description hostname of x-y"])
def test_lines_that_do_not(line: str) -> None:
    prompt = Prompt(PATTERN, ("old",))
    prompt.learn_from(line)
    assert not prompt.matches("x#")


def test_other_names_are_no_prompt() -> None:
    prompt = Prompt(PATTERN, ("ai-dc1-pod03-rack17-leaf01",))
    assert prompt.matches("ai-dc1-pod03-rack17-(config)#")
    assert not prompt.matches("spine-01#")
    assert not prompt.matches("Copying [#####")


def test_refusal_is_the_first_line_that_matches_and_patterns_stay_in_their_line() -> None:
    refusals = Refusals((r"^Error: (?P<message>.+)$", r"bad\s+input", r"^% .+$"))
    assert refusals.find("a\n% no vlan\nError: x\n") == "% no vlan"
    assert refusals.find("a\nError: x\n% no vlan\n") == "x"
    assert refusals.find("bad\ninput\n") is None
    assert refusals.find("so bad input\n") == "so bad input"
    assert refusals.find("a\n% no vlan\nError: x\n", (r"^% .+$",)) == "x"
    assert refusals.find("Error: x\nError: y\n", ("x",)) == "y"
    assert refusals.find("") is None


@pytest.mark.parametrize(
    "said", ["Copy failed: No space left on device", "x: no space left on device"]
)
def test_full_disk_is_a_refusal_on_every_system(said: str) -> None:
    """FAULTS.md: nothing else tells it where a shell's command runs in a terminal."""
    assert Refusals(()).find(f"Copying\n{said}\nRC=1\n") == said
    assert Refusals(()).find(f"{said}\n", ("space left",)) is None


class Channel:
    """Shows one text after another; the ones from the second on wait for a key."""

    def __init__(self, *shown: bytes) -> None:
        self.shown = list(shown)
        self.typed: list[bytes] = []

    def settimeout(self, _seconds: float) -> None:
        return

    def recv_ready(self) -> bool:
        return False

    def recv(self, _most: int) -> bytes:
        return self.shown.pop(0)

    def sendall(self, data: bytes) -> None:
        self.typed.append(data)


def test_banner_cut_off_where_it_looks_like_a_prompt() -> None:
    channel = Channel(b"no entry#", b"\r\nleaf-01#", b"\r\nleaf-01#")
    prompt = Prompt(PATTERN)
    deadline = Deadline(30.0, lambda: 0.0)
    greet(Terminal(channel, ""), prompt, Teller("leaf-01"), deadline)  # type: ignore[arg-type]
    assert prompt.names == ("leaf-01",)
    assert channel.typed == [b"\n"]


def test_part_of_a_time_ends_with_the_whole() -> None:
    now = [0.0]
    whole = Deadline(10.0, lambda: now[0])
    now[0] = 8.0
    part = whole.within(5.0)
    assert (part.seconds, part.left_s) == (2.0, 2.0)
    now[0] = 10.0
    assert part.passed
