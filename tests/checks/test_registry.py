from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.checks import UnknownRuleError, explain, pages, rule_json, rules
from fabric.checks.facts import Facts
from fabric.checks.registry import all_rules
from tests.checks.designs import design

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.rules import Rule

# The function fabric.checks.rules hides the room of that name.
room = sys.modules["fabric.checks.rules"]
ROOT = Path(__file__).parents[2]
ID = re.compile(r"RCE\d{3}")
# Shown in texts about ids, never printed as a finding.
UNREAL = {"RCE999"}

TOY = '''
from fabric.checks.rules import INFO, Found, rule

@rule("{id}", title="a toy", severity=INFO, needs=(), why="w", fix="f")
def toy(facts):
    """Play."""
    yield Found(facts.intent.name, "played")
'''


def printed() -> Iterator[tuple[str, Path]]:
    for folder, pattern in (("fabric", "*.py"), ("templates", "*")):
        for path in (ROOT / folder).rglob(pattern):
            if path.is_file() and path.suffix in {".py", ".j2", ".yaml"}:
                yield from ((found, path) for found in ID.findall(path.read_text("utf-8")))


def test_every_id_in_the_code_can_be_explained() -> None:
    known = set(all_rules()) | UNREAL
    unknown = {f"{found} in {path.relative_to(ROOT)}" for found, path in printed()} - {
        f"{found} in {path.relative_to(ROOT)}" for found, path in printed() if found in known
    }
    assert unknown == set()


def test_every_need_is_a_fact() -> None:
    facts = Facts(design())
    for _family, rule in all_rules().values():
        assert all(hasattr(facts, need) for need in rule.needs), rule.id


@pytest.mark.parametrize("rule", [rule for _, rule in all_rules().values()], ids=lambda r: r.id)
def test_every_rule_says_what_why_and_what_to_do(rule: Rule) -> None:
    assert rule.title
    assert not rule.title.endswith(".")
    assert all((rule.what, rule.why, rule.fix))
    assert "!" not in rule.what + rule.why + rule.fix


def test_ids_belong_to_their_family_of_hundreds() -> None:
    hundreds = {rule.id[3]: set() for _, rule in all_rules().values()}  # type: dict[str, set[str]]
    for family, rule in all_rules().values():
        hundreds[rule.id[3]].add(family)
    assert hundreds["7"] == {"hosts", "nccl"}
    assert "reading" in hundreds["0"]


def test_explain_takes_any_spelling() -> None:
    assert explain("rce302") == explain("302") == explain("RCE302")
    assert "RCE302  the lossless chain is broken on the path" in explain("302")
    assert "PFC priority" in explain("302")


def test_explain_offers_the_nearest() -> None:
    with pytest.raises(UnknownRuleError, match=r"no rule RCE70, did you mean RCE7\d\d\?"):
        explain("RCE70")


def test_rule_in_json() -> None:
    info = next(info for info in rules() if info.id == "RCE407")
    assert rule_json(info) == {
        "id": "RCE407",
        "title": "watchdog timers do not fit",
        "severity": "error",
        "stage": "design",
        "family": "watchdog",
        "checked": True,
    }


def test_a_toy_rule_in_another_folder_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "toy_found.py").write_text(TOY.format(id="RCE998"), "utf-8")
    monkeypatch.setattr(room, "__path__", [*room.__path__, str(tmp_path)])
    toy = all_rules()["RCE998"]
    assert toy[0] == "toy_found"
    assert toy[1].what == "Play."


def test_two_rules_of_one_id_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_double.py").write_text(TOY.format(id="RCE302"), "utf-8")
    monkeypatch.setattr(room, "__path__", [*room.__path__, str(tmp_path)])
    with pytest.raises(ValueError, match="two rules are called RCE302"):
        all_rules()


def test_committed_pages_are_the_generated_ones() -> None:
    folder = ROOT / "docs" / "rules"
    committed = {path.name: path.read_text("utf-8") for path in folder.glob("*.md")}
    assert committed == pages(), "run tests/checks/write_pages.py"
