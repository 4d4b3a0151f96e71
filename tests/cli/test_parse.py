"""`fabric parse`: one recorded output in, one JSON object out."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

COUNTERS = """\
   Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
----------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet72       0       0       0   5,310       0       0       0       0
"""
FACTS = {"Ethernet72": {"rx": {str(n): 5310 if n == 3 else 0 for n in range(8)}}}


def test_the_facts_of_a_file(fabric: Shell) -> None:
    path = fabric.write("x", COUNTERS)
    done = fabric("parse", "--platform", "sonic", "--command", "show_pfc_counters", str(path))
    assert done.code == 0
    assert done.json == {"schema": 1, "pfc": FACTS, "unparsed": []}


def test_standard_input(fabric: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    stream = io.TextIOWrapper(io.BytesIO(COUNTERS.encode()))
    monkeypatch.setattr(sys, "stdin", stream)
    done = fabric("parse", "-p", "sonic", "-c", "show_pfc_counters", "-")
    assert done.json["pfc"] == FACTS


@pytest.mark.parametrize(
    "text",
    [
        COUNTERS.replace("\n", "\r\n"),
        f"admin@leaf7:~$ show pfc counters\n{COUNTERS}admin@leaf7:~$ ",
        f"show pfc counters\n{COUNTERS}",
        COUNTERS.replace("\n-", "\n--More--\r        \r-"),
        f"\ufeff{COUNTERS}",
    ],
)
def test_what_a_terminal_adds_is_no_output(fabric: Shell, text: str) -> None:
    path = fabric.folder / "x"
    path.write_bytes(text.encode())
    done = fabric("parse", "-p", "sonic", "-c", "show_pfc_counters", str(path))
    assert done.json == {"schema": 1, "pfc": FACTS, "unparsed": []}


def test_bytes_that_are_no_utf8_cost_their_line_alone(fabric: Shell) -> None:
    path = fabric.folder / "x"
    path.write_bytes(b"banner \xff\xfe\n" + COUNTERS.encode())
    done = fabric("parse", "-p", "sonic", "-c", "show_pfc_counters", str(path))
    assert (done.code, done.json["pfc"]) == (0, FACTS)


def test_a_line_that_is_no_row_is_kept(fabric: Shell) -> None:
    path = fabric.write("x", COUNTERS + "a line of the kernel, amid the table\n")
    done = fabric("parse", "-p", "sonic", "-c", "show_pfc_counters", str(path))
    assert done.json["pfc"] == FACTS
    assert done.json["unparsed"] == ["a line of the kernel, amid the table"]


def test_a_rejected_command(fabric: Shell) -> None:
    path = fabric.write("x", 'Error: No such command "pfcc".\n')
    for slug in ("show_pfc_counters", "error"):
        done = fabric("parse", "-p", "sonic", "-c", slug, str(path))
        assert done.code == 0
        assert (done.json["error"], done.json["message"]) == (
            True,
            'Error: No such command "pfcc".',
        )


def test_another_systems_output(fabric: Shell) -> None:
    path = fabric.write("x", "FRRouting 9.1 (spine7) on Linux(6.1.0).\n")
    done = fabric("parse", "-p", "sonic", "-c", "show_version", str(path))
    assert (done.code, done.json["mismatch"]) == (1, "frr")
    assert done.json["unparsed"] == ["FRRouting 9.1 (spine7) on Linux(6.1.0)."]


def test_text_of_nobody_is_all_unparsed(fabric: Shell) -> None:
    path = fabric.write("x", "hello\n\nworld\n")
    done = fabric("parse", "-p", "sonic", "-c", "show_pfc_counters", str(path))
    assert (done.code, done.json) == (0, {"schema": 1, "unparsed": ["hello", "world"]})


def test_a_command_without_a_reader(fabric: Shell) -> None:
    path = fabric.write("x", COUNTERS)
    done = fabric("parse", "-p", "sonic", "-c", "show_weather", str(path))
    assert (done.code, done.out) == (3, "")
    assert "sonic has no reader for show_weather" in done.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-p", "sonicc", "-c", "show_version", "x"), "did you mean sonic"),
        (("-p", "sonic", "-c", "show_version", "nowhere"), "cannot read nowhere"),
    ],
)
def test_bad_words(fabric: Shell, arguments: tuple[str, ...], words: str) -> None:
    fabric.write("x", COUNTERS)
    done = fabric("parse", *arguments)
    assert (done.code, done.out) == (2, "")
    assert words in done.err
