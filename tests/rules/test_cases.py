"""Every rule that checks has cases that violate it and cases that do not."""

from __future__ import annotations

import pytest

from fabric.checks import rules
from fabric.checks.registry import all_rules
from tests.rules.cases import Case, all_cases, findings, text

CASES = all_cases()


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: Case) -> None:
    assert text(findings(case)) == case.expected


@pytest.mark.parametrize("rule", [info.id for info in rules() if info.checked])
def test_every_rule_has_both_kinds(rule: str) -> None:
    kinds = {case.bad for case in CASES if case.rule == rule}
    assert kinds == {True, False}, f"tests/rules/{rule} needs good-*.yaml and bad-*.yaml"


def test_no_case_is_for_an_unknown_rule() -> None:
    assert {case.rule for case in CASES} <= set(all_rules())
