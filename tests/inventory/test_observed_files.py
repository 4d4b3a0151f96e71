"""Files of observed facts: pairs ``observed_bad/<name>.json`` and ``.txt``; cables; the schema."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.inventory.json_schema import observed_schema_json
from fabric.inventory.observed import read_observed
from fabric.model.finding import InputError
from fabric.model.observed_cables import cabling
from tests.inventory.rendering import rendered

if TYPE_CHECKING:
    from fabric.model.finding import Finding

BAD = Path(__file__).parent / "observed_bad"
NAMES = sorted(file.stem for file in BAD.glob("*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_findings_are_exactly_these(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read_observed(f"{name}.json")
    assert rendered(caught.value.findings) == (BAD / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_enough_cases_and_no_stray_texts() -> None:
    assert len(NAMES) >= 8
    assert sorted(file.stem for file in BAD.glob("*.txt")) == NAMES


def test_a_missing_file_says_how_to_make_one(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read_observed(tmp_path / "none.json")
    (finding,) = caught.value.findings
    assert finding.rule == "RCE001"
    assert "docs/observed.md" in finding.fix


def test_a_broken_generator_does_not_fill_the_terminal(tmp_path: Path) -> None:
    routes = {f"10.0.{n}.1/24": {"connected": "Ethernet0"} for n in range(250)}
    path = tmp_path / "o.json"
    path.write_text(
        json.dumps({"schema": 1, "devices": {"l0": {"routes": routes, "neighbors": []}}})
    )
    with pytest.raises(InputError) as caught:
        read_observed(path)
    assert len(caught.value.findings) == 201
    assert "50 more problems" in caught.value.findings[-1].message


def _device(*neighbors: tuple[str, str | None, str | None], **more: Any) -> dict[str, Any]:
    entries = [
        {"local_port": port, "remote_host": host, "remote_port": far}
        for port, host, far in neighbors
    ]
    return {"routes": {}, "neighbors": entries, **more}


def _cables(tmp_path: Path, **devices: dict[str, Any]) -> list[tuple[str, str, str]]:
    path = tmp_path / "o.json"
    path.write_text(json.dumps({"schema": 1, "devices": devices}), encoding="utf-8")
    return [(str(c.a), str(c.b), c.told_by) for c in cabling(read_observed(path)).cables]


def test_a_cable_that_both_ends_see_is_one(tmp_path: Path) -> None:
    assert _cables(
        tmp_path,
        l0=_device(("Ethernet0", "s0", "Ethernet4")),
        s0=_device(("Ethernet4", "l0", "Ethernet0")),
    ) == [("l0 Ethernet0", "s0 Ethernet4", "lldp")]


def test_names_with_a_domain_and_other_spellings_of_ports(tmp_path: Path) -> None:
    assert _cables(
        tmp_path,
        l0=_device(("Ethernet1/1", "S0.example.net", "Et4")),
        s0=_device(("Ethernet4", "l0.example.net", "Eth1/1")),
    ) == [("l0 Ethernet1/1", "s0 Ethernet4", "lldp")]


def test_an_alias_of_the_file_and_a_description_of_one_end(tmp_path: Path) -> None:
    assert _cables(
        tmp_path,
        l0=_device(("Ethernet0", "s0", "etp2"), ("Ethernet4", "s0", "to l0, second")),
        s0=_device(
            ("Ethernet4", "l0", "Ethernet0"),
            ("Ethernet8", "l0", "Ethernet4"),
            aliases={"etp2": "Ethernet4"},
        ),
    ) == [
        ("l0 Ethernet0", "s0 Ethernet4", "lldp"),
        ("l0 Ethernet4", "s0 Ethernet8", "lldp"),
    ]


def test_descriptions_from_both_ends_are_paired_in_order(tmp_path: Path) -> None:
    assert _cables(
        tmp_path,
        l0=_device(("Ethernet8", "s0", "b"), ("Ethernet0", "s0", "a")),
        s0=_device(("Ethernet0", "l0", "x"), ("Ethernet12", "l0", None)),
    ) == [
        ("l0 Ethernet0", "s0 Ethernet0", "by order"),
        ("l0 Ethernet8", "s0 Ethernet12", "by order"),
    ]


def test_a_neighbour_that_one_end_alone_sees_is_believed(tmp_path: Path) -> None:
    assert _cables(tmp_path, l0=_device(("Ethernet0", "s0", "Ethernet4")), s0=_device()) == [
        ("l0 Ethernet0", "s0 Ethernet4", "one end")
    ]


def test_what_did_not_report_sends_no_name_or_is_management_is_no_cable(tmp_path: Path) -> None:
    assert not _cables(
        tmp_path,
        l0=_device(
            ("Ethernet0", "gpu-1", "eth2"),
            ("Ethernet4", None, "ec:0d:9a:00:00:01"),
            ("eth0", "s0", "eth0"),
            ("Ethernet8", "l0", "Ethernet12"),  # looped for a test
            ("oob", "s0", "oob"),
            ignored_ports=["oob"],
        ),
        s0=_device(("eth0", "l0", "eth0")),
    )


def test_ports_without_lldp_are_joined_by_their_own_subnet(tmp_path: Path) -> None:
    link = {"10.254.0.0/31": {"connected": "Ethernet0"}}
    lan = {"10.1.0.0/24": {"connected": "Vlan10"}, "10.2.0.0/30": {"connected": "Vlan20"}}
    both = link | lan
    assert not _cables(tmp_path, l0=_device() | {"routes": both}, s0=_device() | {"routes": both})
    over = {"10.3.0.0/24": {"next_hops": [{"interface": "Ethernet0", "via": "10.254.0.1"}]}}
    assert _cables(
        tmp_path, l0=_device() | {"routes": both | over}, s0=_device() | {"routes": both}
    ) == [("l0 Ethernet0", "s0 Ethernet0", "subnet")]


def test_the_schema_is_draft_2020_12_closed_and_versioned() -> None:
    schema = observed_schema_json()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["required"] == ["schema", "devices"]
    assert schema["properties"]["schema"]["const"] == 1
    for part in (schema, *schema["$defs"].values()):
        assert part["additionalProperties"] is False
    assert set(schema["$defs"]["DeviceSection"]["required"]) == {"routes", "neighbors"}


def test_the_page_lists_every_key_and_its_example_can_be_read(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "observed.md").read_text(encoding="utf-8")
    schema = observed_schema_json()
    for part in (schema, *schema["$defs"].values()):
        for key in part["properties"]:
            assert f"`{key}`" in page, key
    example = page.split("```json\n")[1].split("```")[0]
    path = tmp_path / "o.json"
    path.write_text(example, encoding="utf-8")
    assert read_observed(path).names


_WORDS = """schema devices l0 s0 routes neighbors next_hops connected interface via group leaf vrfs
    next_hop_groups aliases members 10.0.0.0/8 ::/0 local_port remote_host discard sha256 x"""
_KEYS = st.sampled_from(_WORDS.split())
_LEAVES = (
    st.none() | st.booleans() | st.integers() | st.floats() | st.sampled_from(["l0", "1.2", ""])
)
_VALUES = st.recursive(
    _LEAVES,
    lambda v: st.lists(v, max_size=3) | st.dictionaries(_KEYS, v, max_size=4),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(_KEYS, _VALUES, max_size=4), st.dictionaries(_KEYS, _VALUES, max_size=5))
def test_whatever_stands_in_a_file_is_read_or_refused_with_places(
    top: dict[str, Any], device: dict[str, Any]
) -> None:
    data = {"schema": 1, **top, "devices": {"l0": {"routes": {}, "neighbors": [], **device}}}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "o.json"
        path.write_text(json.dumps(data), encoding="utf-8")
        found: tuple[Finding, ...] = ()
        try:
            read_observed(path)
        except InputError as error:
            found = error.findings
    assert all(finding.location and finding.message for finding in found)
