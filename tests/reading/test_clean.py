"""What a terminal adds is taken away, what a device printed stays."""

from __future__ import annotations

import pytest

from fabric.reading.clean import cleaned, decoded

TABLE = "Port   Rx\n-----  --\neth1    5\neth2    6"


@pytest.mark.parametrize(
    "text",
    [
        TABLE.replace("\n", "\r\n"),
        f"leaf1# show x\n{TABLE}\nleaf1#",
        f"leaf1(config)# show x\n{TABLE}\nleaf1(config)# ",
        f"admin@leaf1:~$ show x\n{TABLE}\nadmin@leaf1:~$ ",
        f"user@leaf1> show x\n{TABLE}\n\nuser@leaf1> ",
        f"<leaf1>display x\n{TABLE}\n<leaf1>",
        f"[~leaf1]display x\n{TABLE}\n[~leaf1]",
        f"show x\n{TABLE}",
        TABLE.replace("\neth2", "\n--More--\r        \reth2"),
        TABLE.replace("\neth2", "\n --More-- \x08\x08\x08\x08\x08\x08\x08\x08\x08\x08eth2"),
        TABLE.replace("\neth2", "\n  ---- More ----\x1b[16D                \x1b[16Deth2"),
        TABLE.replace("\neth2", "\n---(more 45%)---\neth2"),
        TABLE.replace("\neth2", "\n<--- More --->\neth2"),
        TABLE.replace("\neth2", "\nlines 1-22\neth2"),
        f"\x1b[2J\x1b[1m{TABLE}\x1b[0m",
    ],
)
def test_a_terminals_marks_are_gone(text: str) -> None:
    lines = [line.strip() for line in cleaned(text, "show x").split("\n")]
    assert lines == [line.strip() for line in TABLE.split("\n")]


def test_indentation_stays() -> None:
    assert cleaned("  a\n    b") == "  a\n    b"
    pager = "  ---- More ----\x1b[42D                                          \x1b[42D"
    assert cleaned(f"  a\n{pager}    b") == "  a\n    b"


def test_bytes_that_are_no_utf8() -> None:
    assert decoded(b"caf\xe9\n\x00x") == "café\nx"
    assert decoded("é".encode()) == "é"


def test_a_number_without_end_is_none() -> None:
    assert cleaned(f"a {'9' * 5000} b") == "a  b"


def test_a_tag_is_no_prompt() -> None:
    text = "<rpc-reply>\n<a>1</a>\n</rpc-reply>"
    assert cleaned(text) == text
