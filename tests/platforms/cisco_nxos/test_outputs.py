"""Outputs as sessions bring them: echoes, odd bytes, rejected commands, empty tables, damage."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.catalog.commands import command_book
from fabric.files.locate import templates_root
from fabric.model.reading import Output
from fabric.text.output import read_output

ROOTS = (templates_root(),)
HERE = Path(__file__).parent
BOOK = command_book("cisco_nxos", ROOTS)
SLUGS = [command.slug for command in BOOK.commands]
TEXTS = {slug: (HERE / "recordings" / f"{slug}.txt").read_text() for slug in SLUGS}


def read(slug: str, text: str) -> Output:
    return read_output("cisco_nxos", slug, text.encode("utf-8", "surrogatepass"), ROOTS)


def expected(slug: str) -> object:
    return json.loads((HERE / "expected" / f"{slug}.json").read_text())


def plain(output: Output) -> object:
    return json.loads(json.dumps(output.facts))


@pytest.mark.parametrize("slug", SLUGS)
def test_echo_pager_and_carriage_returns_make_no_difference(slug: str) -> None:
    command = BOOK.command(slug)
    assert command is not None
    lines = TEXTS[slug].split("\n")
    middle = len(lines) // 2
    paged = "\n".join([*lines[:middle], " --More-- ", *lines[middle:]])
    text = f"n9k-7# {command.send}\n{paged}\nn9k-7# ".replace("\n", "\r\n")
    assert plain(read(slug, text)) == expected(slug)


@pytest.mark.parametrize("slug", SLUGS)
def test_bytes_that_are_no_utf_8_cost_nothing(slug: str) -> None:
    raw = TEXTS[slug].encode() + b"\n\xff\xfe\n"
    assert json.loads(json.dumps(read_output("cisco_nxos", slug, raw, ROOTS).facts)) == expected(
        slug
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "                ^\n% Invalid command at '^' marker.\n",
            "% Invalid command at '^' marker.",
        ),
        ("           ^\n% Invalid input detected at '^' marker.", "% Invalid input detected at"),
        ("% Incomplete command at '^' marker.", "% Incomplete command"),
        ("% Ambiguous command at '^' marker.", "% Ambiguous command"),
        (
            "        ^\nInvalid range at '^' marker.\n% Invalid number at '^' marker.",
            "% Invalid num",
        ),
        ("ERROR: Class-map is in use", "ERROR: Class-map is in use"),
        ("Error: no such interface", "Error: no such interface"),
        ("% Class-map ROCE is being used in a policy", "% Class-map ROCE is being used"),
        ("% Permission denied for the role", "% Permission denied"),
    ],
)
@pytest.mark.parametrize("slug", ["error", "show_queuing_interface", "show_running-config"])
def test_a_rejected_command_is_told(slug: str, text: str, message: str) -> None:
    output = read(slug, f"leaf-1# show nothing\n{text}\nleaf-1#")
    assert output.error
    assert output.message.startswith(message)
    assert output.facts == {}


def test_a_table_without_rows_has_its_key() -> None:
    for slug, key, lines in (
        ("show_interface_priority-flow-control", "pfc", 5),
        ("show_lldp_neighbors", "neighbors", 4),
        ("show_interface_status", "interfaces", 3),
        ("show_interface_counters_errors", "interfaces", 4),
    ):
        head = "\n".join(TEXTS[slug].split("\n")[:lines])
        assert read(slug, head).facts == {key: type(expected(slug)[key])()}  # type: ignore[index]


@pytest.mark.parametrize(
    ("line", "model"),
    [
        ("cisco Nexus9000 C93180YC-FX3 chassis", "C93180YC-FX3"),
        ("cisco Nexus3000 C3232C Chassis (Nexus 9000 Series)", "C3232C"),
        ('cisco Nexus7000 C7010 (10 Slot) Chassis ("Supervisor Module-2")', "C7010"),
        ('cisco Nexus 5596 Chassis ("O2 48X10GE/Modular Supervisor")', "5596"),
        (
            'cisco Nexus5548 Chassis ("O2 32X10GE/Modular Universal Platform Supervisor")',
            "Nexus5548",
        ),
        ('cisco N9K-C9396PX ("supervisor")', "C9396PX"),
    ],
)
def test_the_model_stands_before_the_word_chassis(line: str, model: str) -> None:
    text = TEXTS["show_version"].replace("cisco Nexus9000 C9332D-GX2B Chassis", line)
    assert read("show_version", text).facts["model"] == model


def test_older_systems_name_their_version_otherwise() -> None:
    old = "  kickstart: version 7.1(4)N1(1)\n  system:    version 7.1(4)N1(1)"
    text = TEXTS["show_version"].replace("  NXOS: version 10.5(3) [Feature Release]", old)
    assert read("show_version", text).facts["version"] == "7.1(4)N1(1)"


def test_no_neighbours_at_all() -> None:
    head = TEXTS["show_lldp_neighbors"].partition("oob-sw")[0]
    for slug in ("show_lldp_neighbors", "show_lldp_neighbors_detail"):
        assert read(slug, f"{head}Total entries displayed: 0\n").facts == {"neighbors": []}


def test_peers_of_a_switch_without_any() -> None:
    text = TEXTS["show_ip_bgp_summary"].partition("10.254.0.5")[0]
    assert read("show_ip_bgp_summary", text).facts["peers"] == {}


@pytest.mark.parametrize("slug", SLUGS)
def test_another_command_s_output_gives_no_facts(slug: str) -> None:
    same = {"show_running-config", "show_running-config_all"}
    for other in SLUGS:
        if other != slug and {other, slug} != same:
            assert read(slug, TEXTS[other]).facts == {}, other


_EDITS = st.lists(
    st.tuples(
        st.sampled_from(["cut", "drop", "double", "replace"]),
        st.integers(0, 10_000),
        st.text(max_size=3),
    ),
    max_size=6,
)


@settings(max_examples=150)
@given(slug=st.sampled_from(SLUGS), edits=_EDITS)
def test_a_damaged_recording_raises_nothing(slug: str, edits: list[tuple[str, int, str]]) -> None:
    lines = TEXTS[slug].split("\n")
    for kind, place, text in edits:
        at = place % max(len(lines), 1)
        line = lines[at] if lines else ""
        middle = place % (len(line) + 1)
        replacement = {
            "cut": [line[:middle]],
            "drop": [],
            "double": [line, line],
            "replace": [f"{line[:middle]}{text}{line[middle + 1 :]}"],
        }[kind]
        lines[at : at + 1] = replacement
    assert isinstance(read(slug, "\n".join(lines)), Output)


@settings(max_examples=60)
@given(slug=st.sampled_from(SLUGS), text=st.text(max_size=200))
def test_random_text_raises_nothing(slug: str, text: str) -> None:
    assert isinstance(read(slug, text), Output)
    assert isinstance(read(slug, TEXTS[slug][:60] + text), Output)
