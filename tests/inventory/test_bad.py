"""Pairs ``bad/<name>.yaml`` and ``.txt``: every finding, exactly."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from fabric.inventory import read
from fabric.model.finding import InputError, Severity
from tests.inventory.rendering import rendered

BAD = Path(__file__).parent / "bad"
NAMES = sorted(file.stem for file in BAD.glob("*.yaml"))
LIBYAML_WORDS = {"tab-indent", "unquoted-range"}  # the parser's own words stand in these


@pytest.mark.parametrize("name", NAMES)
def test_findings_are_exactly_these(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if name in LIBYAML_WORDS and not yaml.__with_libyaml__:
        pytest.skip("PyYAML is installed without libyaml, whose messages differ")
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read(f"{name}.yaml")
    assert rendered(caught.value.findings) == (BAD / f"{name}.txt").read_text(encoding="utf-8")


def test_there_are_enough_cases_and_no_stray_texts() -> None:
    assert len(NAMES) >= 35
    assert sorted(file.stem for file in BAD.glob("*.txt")) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_finding_has_a_place_and_an_error_is_among_them(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read(f"{name}.yaml")
    assert all(finding.location is not None for finding in caught.value.findings)
    assert max(finding.severity for finding in caught.value.findings) is Severity.ERROR


def test_no_message_repeats_a_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BAD)
    with pytest.raises(InputError) as caught:
        read("secrets.yaml")
    text = rendered(caught.value.findings)
    for secret in ("hunter2", "s3cr3t-word", "abcdef"):
        assert secret not in text


def test_a_missing_file_offers_an_example_and_is_never_replaced(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path / "64node.yaml")
    (finding,) = caught.value.findings
    assert finding.rule == "RCE001"
    assert "fabric init --example 64node" in finding.fix


def test_a_folder_is_no_inventory(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        read(tmp_path)
    assert [finding.rule for finding in caught.value.findings] == ["RCE001"]


def test_a_huge_file_is_refused_without_reading_it_all(tmp_path: Path) -> None:
    huge = tmp_path / "huge.yaml"
    with huge.open("wb") as file:
        file.truncate(100_000_000)  # sparse
    with pytest.raises(InputError) as caught:
        read(huge)
    (finding,) = caught.value.findings
    assert finding.rule == "RCE001"
    assert "20 MB" in finding.message
