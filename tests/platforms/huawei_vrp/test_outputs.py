"""Readers on recordings of our own, as terminals print them, cut short and changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.catalog.commands import FACTS, command_book
from fabric.files.locate import templates_root
from fabric.text.output import read_output

if TYPE_CHECKING:
    from fabric.model.reading import Output

HERE = Path(__file__).parent
ROOTS = (templates_root(),)
BOOK = command_book("huawei_vrp", ROOTS)
SLUGS = [command.slug for command in BOOK.commands]
FILES = sorted((HERE / "recordings").glob("*.txt"))


def slug_of(file: Path) -> str:
    stem = file.stem
    return stem if stem in {*SLUGS, "error"} else stem.rpartition(".")[0]


def read(slug: str, raw: bytes) -> Output:
    return read_output("huawei_vrp", slug, raw, ROOTS)


def found(file: Path, raw: bytes) -> dict[str, Any]:
    output = read(slug_of(file), raw)
    facts: dict[str, Any] = dict(output.facts)
    if output.error:
        facts |= {"error": True, "message": output.message}
    if output.unparsed:
        facts["unparsed"] = list(output.unparsed)
    if output.mismatch:
        facts["mismatch"] = output.mismatch
    return facts


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_facts_of_a_recording(file: Path) -> None:
    expected = json.loads((HERE / "expected" / f"{file.stem}.json").read_text())
    assert found(file, file.read_bytes()) == expected


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_what_a_terminal_adds_changes_nothing(file: Path) -> None:
    """The prompt with the command, the pager, carriage returns, a banner in another encoding."""
    if slug_of(file) == "error":
        return
    raw = file.read_bytes()
    plain = found(file, raw)
    spec = BOOK.command(slug_of(file))
    assert spec is not None
    lines = raw.split(b"\n")
    middle = len(lines) // 2
    paged = [*lines[:middle], b"  ---- More ----\x1b[16D                \x1b[16D" + lines[middle]]
    typed = f"<pod7-leaf3>{spec.send}\n".encode()
    raw = typed + b"\n".join([*paged, *lines[middle + 1 :]]) + b"\n<pod7-leaf3>"
    assert found(file, raw.replace(b"\n", b"\r\n")) == plain


def test_every_command_has_a_recording_and_every_fact_a_source() -> None:
    assert {slug_of(file) for file in FILES} == {*SLUGS, "error"}
    assert {name for name, _ in BOOK.facts} == set(FACTS)


TABLES = {
    "display_abs-pfc_interface": ("pfc", 4),
    "display_bgp_peer": ("peers", 6),
    "display_dcb": ("ports", 4),
    "display_dcb_ets-profile": ("ets", 4),
    "display_dcb_pfc_deadlock_trigger_status": ("watchdog", 3),
    "display_interface_brief": ("interfaces", 8),
    "display_ip_routing-table_verbose": ("routes", 5),
    "display_lldp_neighbor_brief": ("neighbors", 2),
    "display_qos_ecn_statistics": ("ecn_marked_total", 2),
    "display_qos_ecn_threshold": ("ecn", 5),
}


@pytest.mark.parametrize("slug", TABLES)
def test_a_table_without_rows_names_nothing(slug: str) -> None:
    key, lines = TABLES[slug]
    text = (HERE / "recordings" / f"{slug}.txt").read_text().splitlines()[:lines]
    output = read(slug, "\n".join(text).encode())
    assert not output.facts[key]
    assert output.unparsed == ()


@pytest.mark.parametrize("slug", SLUGS)
def test_prose_is_no_output_of_any_command(slug: str) -> None:
    output = read(slug, b"The quick brown fox\njumps over 13 lazy dogs\n")
    assert output.facts == {}
    assert output.unparsed


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("     ^\nError: Unrecognized command found at '^' position.\n", "Error: Unrecognized"),
        ("     ^\nError:Too many parameters found at '^' position.", "Error:Too many parameters"),
        ("Error: Failed to pass the authorization.", "Error: Failed to pass the authorization."),
        ("Error[4]: The VLAN does not exist.", "Error[4]: The VLAN does not exist."),
        ("Failed to generate committed config!", "Failed to generate committed config"),
        (" % Unrecognized command found at '^' position.", "Unrecognized command found at"),
    ],
)
def test_rejected_commands(text: str, message: str) -> None:
    for slug in ("error", "display_version"):
        output = read(slug, text.encode())
        assert output.error
        assert output.message.startswith(message)


def test_a_config_of_comware_is_none_of_vrp() -> None:
    text = b"#\n version 7.1.070, Release 6710\n#\n sysname core\n#\ninterface NULL0\n#\nreturn\n"
    assert read("display_current-configuration", text).facts == {}
    own = b"#\nsysname pod7\n#\nrip 1\n version 2\n#\nreturn\n"
    assert read("display_current-configuration", own).facts["hostname"] == "pod7"


@given(data=st.data())
def test_no_text_breaks_a_reader(data: st.DataObject) -> None:
    slug = data.draw(st.sampled_from([*SLUGS, "error"]))
    raw = data.draw(st.one_of(_mutated(), st.binary(max_size=120)))
    output = read(slug, raw)
    json.dumps([output.facts, output.unparsed])


@st.composite
def _mutated(draw: st.DrawFn) -> bytes:
    """A recording with lines dropped, doubled, cut, swapped or with bytes changed."""
    lines = draw(st.sampled_from(FILES)).read_bytes().split(b"\n")
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, max(len(lines) - 1, 0)))
        kind = draw(st.sampled_from(["drop", "double", "cut", "swap", "change", "end"]))
        if not lines:
            break
        line = lines[place]
        if kind == "drop":
            del lines[place]
        elif kind == "double":
            lines.insert(place, line)
        elif kind == "cut":
            lines[place] = line[: draw(st.integers(0, len(line)))]
        elif kind == "swap":
            lines[place], lines[0] = lines[0], line
        elif kind == "end":
            lines = lines[:place]
        else:
            at = draw(st.integers(0, len(line)))
            lines[place] = line[:at] + draw(st.binary(min_size=1, max_size=3)) + line[at + 1 :]
    return b"\n".join(lines)
