"""ECN in percent of a queue's buffer: the inventory, the rules, the reports, the text."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.design.devices import DeviceModels
from fabric.model.finding import InputError
from fabric.model.qos import FillLevels
from fabric.report.lossless import chain_json, chain_lines, profile_json, profile_lines
from fabric.report.qos_numbers import number_lines
from fabric.report.text import Style
from fabric.text import read_back
from tests.platforms.juniper_junos.cases import model, render

if TYPE_CHECKING:
    from pathlib import Path

INVENTORY = """\
fabric: f
topology: {{kind: leaf-spine, leaves: 2, spines: 1}}
hosts: {{count: 2, speed: 100}}
platforms: {{default: {{platform: juniper_junos, model: generic}}}}
roce: {roce}
"""


def _load(tmp_path: Path, roce: str) -> FillLevels:
    path = tmp_path / "f.yaml"
    path.write_text(INVENTORY.format(roce=roce))
    return flow.load(path).intent.roce.ecn.fill


def test_bytes_alone_are_no_threshold_for_junos(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _load(tmp_path, "{ecn: {kmin_bytes: 100000, kmax_bytes: 400000}}")
    (finding,) = caught.value.findings
    assert finding.rule == "RCE023"
    assert "percent of the queue's buffer" in finding.message


def test_bytes_for_others_and_percent_for_junos(tmp_path: Path) -> None:
    both = "{ecn: {kmin_bytes: 100000, kmax_bytes: 400000, fill_percent: [10, 40]}}"
    assert _load(tmp_path, both) == FillLevels(10, 40, 100)


def test_a_fill_level_of_somebody_else_is_found() -> None:
    device = model("numbered")
    rendered = render(device)
    (file,) = rendered.files
    other = replace(file, text=file.text.replace("fill-level [ 55 90 ]", "fill-level [ 5 95 ]"))
    (finding,) = read_back(device, replace(rendered, files=(other,))).findings
    assert finding.rule == "RCE392"
    assert (
        "queue 3: the text says Kmin % 5, Kmax % 95, the design means Kmin % 55" in finding.message
    )


def test_percent_that_nobody_counts_is_told(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    text = INVENTORY.format(roce="{ecn: {fill_percent: [10, 40]}}")
    path.write_text(text.replace("juniper_junos", "arista_eos"))
    findings = flow.derive(path).design.findings
    assert [f.message for f in findings if f.rule == "RCE023"] == [
        "fill_percent does nothing here: no switch system in use counts percent"
    ]


def test_levels_that_do_not_rise(tmp_path: Path) -> None:
    with pytest.raises(InputError) as caught:
        _load(tmp_path, "{ecn: {fill_percent: [90, 55]}}")
    assert [finding.rule for finding in caught.value.findings] == ["RCE022"]


def test_rules_that_need_bytes_say_that_they_did_not_look(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(INVENTORY.format(roce="{preset: nvidia}"))
    checked = flow.check_all(flow.derive(path), today=date(2026, 1, 1))
    unit = {f.rule for f in checked.findings if "percent of a queue's buffer" in f.message}
    assert unit == {"RCE403", "RCE404", "RCE405", "RCE406"}


def test_bytes_that_junos_does_not_use_are_not_judged_there(tmp_path: Path) -> None:
    """1,000 bytes are less than two packets: RCE405 where they counted; RCE311: nothing marks."""
    path = tmp_path / "f.yaml"
    roce = "{ecn: {kmin_bytes: 1000, kmax_bytes: 400000, fill_percent: [10, 40]}}"
    path.write_text(INVENTORY.format(roce=roce))
    checked = flow.check_all(flow.derive(path), today=date(2026, 1, 1))
    said = {f.rule for f in checked.findings if "not checked" not in f.message}
    assert not said & {"RCE311", "RCE403", "RCE404", "RCE405", "RCE406"}


def test_reports_show_percent_with_its_source(tmp_path: Path) -> None:
    path = tmp_path / "f.yaml"
    path.write_text(INVENTORY.format(roce="{preset: nvidia}"))
    made = flow.load(path)
    (profile, *_) = made.lossless.profiles
    page = "\n".join(number_lines(made))
    shown = "\n".join(profile_lines(profile, Style(colour=False)))
    assert f"| {profile.name} | 55 % | 90 % | 100 % |" in page
    assert "marking  55 … 90 % of the queue's buffer" in shown
    for output in (page, shown, str(profile_json(profile)["ecn"])):
        assert "Juniper/jvd" in output
    assert "Kmin" not in shown
    (chain, *_) = DeviceModels(made).of("leaf-0").interfaces
    assert "55 … 90 % full, 100 %" in "\n".join(chain_lines(chain.chain, (("roce", 26),)))
    assert chain_json(chain.chain)["queues"][3]["kmin_percent"] == 55  # type: ignore[index]
