"""`fabric audit`: a switch nobody planned, from its running configuration alone."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import SMALL, Shell

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def running(fabric: Shell) -> Path:
    """Of a leaf as it is planned: all is well there."""
    path = fabric.write("f.yaml", SMALL)
    assert fabric("plan", str(path)).code == 0
    return fabric.folder / "build/small/configs/leaf-0/config_db.json"


def _edited(running: Path, table: str, key: str, **fields: object) -> None:
    data = json.loads(running.read_text())
    data[table][key].update(fields)
    running.write_text(json.dumps(data))


def test_a_sound_switch(fabric: Shell, running: Path) -> None:
    done = fabric("audit", "--platform", "sonic", str(running), "--json")
    assert done.code == 0
    assert done.json["findings"] == []
    assert done.json["device"] == "leaf-0"
    assert done.json["dscps"] == [26]
    assert done.json["chains"]["Ethernet0"]["26"] == {
        "tc": 3,
        "queue": 3,
        "pg": 3,
        "pfc": 3,
        "profile": "pg_lossless_100000_5m_profile",
        "broken_at": None,
    }


def test_the_readable_table_says_the_same(fabric: Shell, running: Path) -> None:
    text = fabric("audit", "-p", "sonic", str(running)).out
    assert text.startswith("leaf-0 · SONiC (community) · 32 ports · DSCPs 26 (all that end in")
    assert "pg_lossless_100000_5m_profile" in text
    assert "no findings" in text


def test_a_dscp_that_is_asked_for(fabric: Shell, running: Path) -> None:
    done = fabric("audit", "-p", "sonic", str(running), "--dscp", "46", "--json")
    assert done.code == 1
    assert done.json["chains"]["Ethernet0"]["46"]["broken_at"] == "pfc"
    assert {finding["rule"] for finding in done.json["findings"]} == {"RCE302"}


def test_one_broken_port_is_found(fabric: Shell, running: Path) -> None:
    _edited(running, "PORT_QOS_MAP", "Ethernet4", pfc_enable="")
    done = fabric("audit", "-p", "sonic", str(running), "--json")
    assert done.code == 1
    assert done.json["chains"]["Ethernet4"]["26"]["broken_at"] == "pfc"
    assert done.json["chains"]["Ethernet0"]["26"]["broken_at"] is None
    assert done.json["findings"][0]["port"] == "Ethernet4"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("-p", "sonc"), "did you mean sonic?"),
        (("-p", "linux"), "is no switch system"),
        (("-p", "frr"), "has no lossless function to audit"),
        (("-p", "sonic", "--dscp", "104"), "--dscp 104: a DSCP is 0 to 63"),
    ],
)
def test_bad_words(fabric: Shell, running: Path, arguments: tuple[str, ...], words: str) -> None:
    done = fabric("audit", *arguments, str(running))
    assert (done.code, done.out) == (2, "")
    assert words in done.err


@pytest.mark.parametrize("text", ["", "{", "[]", '{"A": 1}', "no config\n", "\x00\xff"])
def test_what_is_no_configuration(fabric: Shell, text: str) -> None:
    path = fabric.write("odd", text)
    done = fabric("audit", "-p", "sonic", str(path))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error: ")


def test_a_file_that_is_not_there(fabric: Shell) -> None:
    assert "cannot read nowhere" in fabric("audit", "-p", "sonic", "nowhere").err
