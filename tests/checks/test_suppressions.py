from __future__ import annotations

from datetime import date

from fabric.checks import CheckResult, run
from fabric.model.finding import Finding, Severity, Suppression
from tests.checks.designs import suppressing

TODAY = date(2026, 9, 1)
LANES = Finding("RCE107", Severity.ERROR, "leaf-0", "lanes come from the box")


def outcome(*suppressions: Suppression) -> CheckResult:
    return run(suppressing(*suppressions), today=TODAY, extra=(LANES,))


def about(result: CheckResult) -> list[tuple[Severity, str, str]]:
    return [(f.severity, f.message, f.fix) for f in result.findings if f.rule == "RCE015"]


def test_a_suppressed_finding_stays_and_does_not_count() -> None:
    accepted = Suppression("RCE107", "leaf-*", "lab boxes", "2026-09-01")
    result = outcome(accepted)
    kept = next(f for f in result.findings if f.rule == "RCE107")
    assert kept.suppressed_by is accepted
    assert result.counts[Severity.ERROR] == 0
    assert about(result) == []


def test_subject_must_match() -> None:
    result = outcome(Suppression("RCE107", "spine-*", "lab boxes"))
    assert result.counts[Severity.ERROR] == 1
    ((severity, message, fix),) = about(result)
    assert severity is Severity.INFO
    assert message == "the suppression of RCE107 for spine-* matches no finding"
    assert fix == "remove it, or correct its subject"


def test_unknown_rule_is_an_error_with_a_hint() -> None:
    result = outcome(Suppression("RCE32", "*", "typing error"))
    ((severity, message, fix),) = about(result)
    assert severity is Severity.ERROR
    assert message == "the suppression names rule RCE32, which does not exist"
    assert fix.startswith("did you mean RCE3")


def test_expired_is_a_warning_and_the_finding_counts_again() -> None:
    result = outcome(Suppression("RCE107", "*", "until the move", "2026-08-31"))
    assert result.counts[Severity.ERROR] == 1
    ((severity, message, _fix),) = about(result)
    assert severity is Severity.WARNING
    assert "expired on 2026-08-31" in message


def test_two_suppressions_alike_are_both_used() -> None:
    twice = Suppression("RCE107", "*", "lab boxes")
    assert about(outcome(twice, twice)) == []


def test_a_suppression_finding_can_be_suppressed_neither_by_itself_nor_silently() -> None:
    result = outcome(Suppression("RCE015", "*", "be quiet"), Suppression("RCE999", "*", "x"))
    assert Severity.ERROR in {severity for severity, _message, _fix in about(result)}
