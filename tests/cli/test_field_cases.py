"""Field cases: what people suffer from, and what they must be told at design time.

``field_cases.yaml`` lists all of them, with what finds each or why none can here.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

import fabric as program
from fabric.analysis.verdict import planned
from fabric.checks.registry import all_rules
from fabric.design.lossless.fit import shared_headroom_pool
from fabric.files.locate import templates_root
from fabric.report.summary import summarise
from fabric.text import chains

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

DATA = Path(__file__).with_name("field_cases.yaml")
CASES: dict[str, Any] = yaml.safe_load(DATA.read_text("utf-8"))
RUNS = [
    (f"{name}-{n}", run) for name, c in CASES.items() for n, run in enumerate(c.get("runs", ()))
]
CATALOG = Path(program.__file__).parent / "catalog"
AT_DESIGN_TIME = ("design", "text", "numbers")


def test_every_case_is_here_with_what_finds_it_or_why_nothing_can() -> None:
    assert list(CASES) == [f"FC-{n:02}" for n in range(1, 84, 2)]
    known = set(all_rules())
    for name, case in CASES.items():
        assert set(case.get("rules", ())) <= known, name
        if any(word in case["stage"] for word in AT_DESIGN_TIME):
            assert case.get("runs") or case.get("proven"), f"{name} is claimed and not shown"
        else:
            assert case.get("left_out"), name


def test_every_rule_named_is_seen() -> None:
    """A rule that a case names is in the output of one of its runs, unless the rule's own cases
    alone can show it."""
    by_own_cases = {"RCE207", "RCE210", "RCE405", "RCE022", "RCE410"}
    for name, case in CASES.items():
        said = " ".join(word for run in case.get("runs", ()) for word in run.get("says", ()))
        shadows = any("shadow" in run for run in case.get("runs", ()))
        for rule in set(case.get("rules", ())) - by_own_cases:
            shown = rule in said or (shadows and rule in {"RCE392", "RCE393"})
            assert shown or rule in _OTHERWISE, f"{name}: {rule}"


# Shown by words that stand for the rule, or by another path to it.
_OTHERWISE = {"RCE021", "RCE012", "RCE017"}


@pytest.mark.parametrize(("name", "run"), RUNS, ids=[name for name, _ in RUNS])
def test_what_must_be_said_and_written(fabric: Shell, name: str, run: dict[str, Any]) -> None:
    _put_files(fabric, run)
    done = fabric("plan", fabric.write("t.yaml", run["inventory"]).name)
    said = " ".join((done.out + done.err).split())
    if done.code != 2:
        listed = fabric("check", "t.yaml")
        said += " " + " ".join(listed.out.split())
    assert done.code == run["exit"], f"{name}: {said}"
    assert [word for word in run.get("says", ()) if word not in said] == []
    plan = fabric.folder / "build/t"
    assert plan.exists() is (done.code != 2)
    for file, words in run.get("text", {}).items():
        text = (plan / file).read_text("utf-8")
        assert [word for word in words if word not in text] == [], file
    for file, words in run.get("not_text", {}).items():
        text = (plan / file).read_text("utf-8")
        assert [word for word in words if word in text] == [], file
    if run.get("clean"):
        found = fabric("check", "t.yaml", "--json").json["findings"]
        assert [f["rule"] for f in found if f["severity"] != "info"] == []


def _put_files(fabric: Shell, run: dict[str, Any]) -> None:
    files = dict(run.get("files", {}))
    if "shadow" in run:
        block = run["shadow"]["block"]
        files[f"templates/{block}"] = {**run["shadow"], "copy": templates_root() / block}
    for name, content in files.items():
        path = fabric.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else _changed(content), "utf-8")


def _changed(content: dict[str, Any]) -> str:
    """A copy of a shipped file with one change."""
    text = (CATALOG / content["copy"]).read_text("utf-8")
    assert content["old"] in text, content["copy"]
    changed: str = text.replace(content["old"], content["new"])
    return changed


def test_fc_25_the_pool_is_computed() -> None:
    assert shared_headroom_pool(1_887_900, 256, 1, 4) == 120_825_600


def test_fc_71_order_and_spelling_make_no_difference() -> None:
    one = """\
qos map dscp 26 to traffic-class 3
priority-flow-control pause watchdog default timeout 0.2
interface Ethernet1/1
   priority-flow-control on
   mtu 9214
"""
    other = """\
priority-flow-control pause watchdog default timeout 0.20
!
qos map dscp 26 to traffic-class 3
interface Ethernet1/1
   mtu 9214
   priority-flow-control on
"""
    first, second = (chains("arista_eos", {"eos.cfg": text}, "leaf1") for text in (one, other))
    assert first == second
    assert first[0].mtu_bytes == 9214


def test_fc_81_bisection_of_8192_hosts(tmp_path: Path) -> None:
    path = tmp_path / "t.yaml"
    path.write_text(
        "fabric: t\ntopology: {kind: leaf-spine, leaves: 128, spines: 64}\n"
        "links: {speed: 400}\nhosts: {per_leaf: 64, speed: 400, count: 8192}\n"
    )
    design = program.load(path)
    summary = summarise(design, planned(design))
    assert summary.hosts == 8192
    assert summary.bisection_gbps == 1_638_400
