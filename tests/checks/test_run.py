from __future__ import annotations

from dataclasses import replace
from datetime import date

from fabric.checks import run
from fabric.checks.facts import Facts
from fabric.checks.rules import NotChecked, Rule
from fabric.checks.run import judge
from fabric.model.finding import Finding, Severity, Verdict
from tests.checks.designs import design, sound_intent
from tests.samples import sample_topology, with_roce

TODAY = date(2026, 9, 1)


def test_sound_design_has_nothing_worse_than_info() -> None:
    result = run(design(), today=TODAY)
    assert [(f.rule, f.severity) for f in result.findings] == [("RCE309", Severity.INFO)]
    assert result.worst is Severity.INFO
    assert "RCE302" in result.rules_ok
    assert "RCE309" not in result.rules_ok


def test_worst_comes_first_then_rule_then_natural_subject() -> None:
    extra = tuple(
        Finding(rule, severity, subject, "m")
        for rule, severity, subject in (
            ("RCE107", Severity.INFO, "leaf-10"),
            ("RCE107", Severity.INFO, "leaf-2"),
            ("RCE409", Severity.ERROR, "leaf-1"),
            ("RCE108", Severity.ERROR, "leaf-1"),
        )
    )
    found = run(design(), today=TODAY, extra=extra).findings
    assert [(f.rule, f.subject) for f in found] == [
        ("RCE108", "leaf-1"),
        ("RCE409", "leaf-1"),
        ("RCE107", "leaf-2"),
        ("RCE107", "leaf-10"),
        ("RCE309", "class map"),
    ]


def test_extra_findings_given_twice_are_listed_once() -> None:
    extra = Finding("RCE107", Severity.INFO, "leaf-1", "lanes come from the box")
    result = run(design(), today=TODAY, extra=(extra, extra))
    assert result.findings.count(extra) == 1


def test_counts_leave_out_what_was_not_checked() -> None:
    unchecked = Finding("RCE409", Severity.ERROR, "x", "m", verdict=Verdict.NOT_CHECKED)
    result = run(design(), today=TODAY, extra=(unchecked,))
    assert result.counts[Severity.ERROR] == 0
    assert result.not_checked == (unchecked,)


def test_rule_without_its_facts_is_not_checked_and_says_why() -> None:
    facts = Facts(design(), missing={"chains": "the configuration of leaf-0 could not be read"})
    found = run(design(), today=TODAY, facts=facts).findings
    chain = next(f for f in found if f.rule == "RCE302")
    assert chain.verdict is Verdict.NOT_CHECKED
    assert chain.message == (
        "the lossless chain is broken on the path: not checked, because "
        "the configuration of leaf-0 could not be read"
    )


def test_another_stage_runs_no_design_rule() -> None:
    result = run(design(), stage="live", today=TODAY)
    assert result.findings == ()
    assert result.rules_ok == ()


def test_one_cause_on_many_switches_is_one_finding() -> None:
    bad = with_roce(sound_intent(), dscp=46)
    found = [f for f in run(design(bad), today=TODAY).findings if f.rule == "RCE302"]
    assert [f.subject for f in found] == ["hosts", "sample"]


def test_fingerprint_does_not_follow_a_measured_value() -> None:
    def finding(kmax_bytes: int) -> Finding:
        ecn = replace(sound_intent().roce.ecn, kmin_bytes=20_000, kmax_bytes=kmax_bytes)
        found = run(design(with_roce(sound_intent(), ecn=ecn)), today=TODAY).findings
        return next(f for f in found if f.rule == "RCE403")

    one, other = finding(9_000_000), finding(9_500_000)
    assert one.message != other.message
    assert one.fingerprint == other.fingerprint


def test_subjects_name_switch_role_fabric_or_list() -> None:
    facts = Facts(design(topology=sample_topology(leaves=6, spines=2)))
    leaves = [f"leaf-{n}" for n in range(6)]
    assert facts.subject(["leaf-1"]) == "leaf-1"
    assert facts.subject(leaves) == "leaf"
    assert facts.who(leaves) == "every leaf"
    assert facts.subject([*leaves, "spine-0", "spine-1"]) == "sample"
    assert facts.who([*leaves, "spine-0", "spine-1"]) == "every switch"
    assert facts.who(leaves[:5]) == "leaf-0, leaf-1, leaf-2 and 2 more"


def test_what_a_rule_says_twice_is_heard_once() -> None:
    def check(_facts: Facts) -> list[NotChecked]:
        return [NotChecked("leaf", "its pools are not known")] * 2

    rule = Rule("RCE402", "t", Severity.ERROR, "design", "what", "why", "fix", check=check)
    assert len(judge(rule, Facts(design()))) == 1
