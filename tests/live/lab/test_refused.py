"""What cannot be: one clear sentence, exit code 2, and nothing is touched."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest

from fabric.cli import run
from fabric.live.lab import capture, faults, state
from fabric.live.lab.errors import LabError

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.live.lab.layout import Layout

UPLINK = "leaf-0:spine-0"


@pytest.mark.parametrize(
    ("word", "targets", "message"),
    [
        ("link-donw", (UPLINK,), "there is no fault link-donw"),
        ("link-down", (), "link-down takes CABLE, not 0 words"),
        ("link-down", ("leaf-0:leaf-1",), "there is no cable leaf-0:leaf-1"),
        ("link-down", ("leaf-0",), "a cable is A:B, A:B:n or A/PORT"),
        ("link-down", ("leaf-9:spine-0",), "has no node leaf-9"),
        ("swap", (UPLINK, "leaf-1:spine-1"), "are not two cables of one switch"),
        ("swap", (UPLINK, "leaf-0:h1"), "to other switches"),
        ("wrong-asn", ("h1",), "h1 is a host"),
        ("wrong-asn", ("leaf-0", "0"), "0 is no ASN"),
        ("daemon-killed", ("leaf-0", "ospfd"), "leaf-0 runs no ospfd"),
        ("mtu", (UPLINK, "68"), "an MTU in bytes, 1280 or more"),
        ("slow", (UPLINK, "fast"), "as in 100mbit"),
    ],
)
def test_a_fault_that_cannot_be(
    word: str, targets: tuple[str, ...], message: str, small: Layout
) -> None:
    with pytest.raises(LabError, match=message):
        faults.inject(small.name, word, targets)
    known = state.read(small.name)
    assert known is not None
    assert known.faults == ()


@pytest.mark.skipif(shutil.which("tcpdump") is None, reason="a lab cannot be had here: no tcpdump")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("leaf-0/swp99 x", "there is no cable leaf-0/swp99"),
        ("leaf-0:spine-0 x udp prt 4791", "udp prt 4791: can't parse filter"),
        ("leaf-0:spine-0 x -s 64", "a filter has no options"),
        ("leaf-0:spine-0 no/x udp", "there is no folder"),
    ],
)
def test_a_capture_that_cannot_be(words: str, message: str, small: Layout, tmp_path: Path) -> None:
    port, file, *wanted = words.split()
    with pytest.raises(LabError, match=message):
        capture.capture(small, port, capture.Limits(tmp_path / file, 1, 1.0), wanted)
    assert not (tmp_path / file).exists()


@pytest.mark.parametrize(
    "words",
    [
        ("up", "{}"),
        ("status", "{}"),
        ("ping", "{}"),
        ("down", "{}"),
        ("exec", "{}", "leaf-0", "--", "true"),
        ("capture", "{}", "leaf-0:spine-0", "-w", "file"),
        ("fault", "{}", "clear"),
    ],
    ids=lambda words: words[0],
)
def test_nobody_but_root_may(
    words: tuple[str, ...],
    small: Layout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    assert run(["lab", *(word.format(small.inventory) for word in words)]) == 2
    assert capsys.readouterr().err.startswith("error: a lab needs root")
    assert state.read(small.name) is not None


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("exec", "{}", "leaf-9", "--", "true"), "lab small has no node leaf-9"),
        (("exec", "nolab", "leaf-0", "--", "true"), "lab nolab is not up"),
        (("fault", "{}", "link-down", "leaf-0:spine-0", "--repair"), "is not in force"),
        (("fault", "{}", "clear", "leaf-0"), "clear takes every fault out and nothing else"),
        (("up", "{}", "--name", "a b"), "no lab can be called 'a b'"),
        (("ping", "nolab"), "lab nolab is not up"),
    ],
)
def test_commands_that_cannot_be(
    words: tuple[str, ...],
    message: str,
    small: Layout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert run(["lab", *(word.format(small.inventory) for word in words)]) == 2
    said = capsys.readouterr().err
    assert said.startswith("error: ")
    assert message in said
