"""Runs the rules of a stage over a design."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.checks import suppressions
from fabric.checks.facts import Facts
from fabric.checks.merging import merged
from fabric.checks.registry import all_rules
from fabric.checks.rules import Found, NotChecked
from fabric.model.finding import Finding, Severity, Verdict
from fabric.model.names import natural_key

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import date

    from fabric.checks.rules import Rule
    from fabric.model.design import Design


@dataclass(frozen=True, slots=True)
class CheckResult:
    """What was found, worst first. ``rules_ok``: rules that looked everywhere and found nothing."""

    findings: tuple[Finding, ...]
    rules_ok: tuple[str, ...]

    @property
    def counts(self) -> dict[Severity, int]:
        """Violations by severity; suppressed and unchecked ones do not count."""
        return {
            severity: sum(f.severity is severity for f in self._counted) for severity in Severity
        }

    @property
    def not_checked(self) -> tuple[Finding, ...]:
        """What could not be looked at, and why."""
        return tuple(f for f in self.findings if f.verdict is Verdict.NOT_CHECKED)

    @property
    def worst(self) -> Severity | None:
        """The highest severity that counts."""
        return max((f.severity for f in self._counted), default=None)

    @property
    def _counted(self) -> tuple[Finding, ...]:
        return tuple(
            f for f in self.findings if f.verdict is Verdict.VIOLATED and f.suppressed_by is None
        )


def run(
    design: Design,
    *,
    stage: str = "design",
    today: date,
    extra: tuple[Finding, ...] = (),
    facts: Facts | None = None,
) -> CheckResult:
    """Run every rule of ``stage``.

    ``extra``: findings of reading and rendering, listed and suppressed with the rest.
    ``facts``: those of ``design`` unless given (an audit brings observed ones).
    """
    known = all_rules()
    facts = facts or Facts(design)
    findings: list[Finding] = []
    passed: list[str] = []
    for _family, rule in known.values():
        if rule.check is None or rule.stage != stage:
            continue
        found = judge(rule, facts)
        findings += found
        if not found:
            passed.append(rule.id)
    seen = {r.id for _, r in known.values() if r.stage in {stage, "inventory"}}
    raised = tuple(dict.fromkeys(extra))
    marked = suppressions.apply(
        design.intent.suppressions, (*raised, *findings), known=known, seen=seen, today=today
    )
    listed = (*merged(marked[: len(raised)], facts), *marked[len(raised) :])
    return CheckResult(tuple(sorted(listed, key=_order)), tuple(passed))


def _order(finding: Finding) -> tuple[object, ...]:
    unchecked = finding.verdict is Verdict.NOT_CHECKED
    return (-finding.severity, unchecked, finding.rule, natural_key(finding.subject), finding.keys)


def judge(rule: Rule, facts: Facts) -> tuple[Finding, ...]:
    """What one rule says, each once; nothing: all is well, or the rule has no check."""
    return tuple(dict.fromkeys(_verdicts(rule, facts)))


def _verdicts(rule: Rule, facts: Facts) -> Iterator[Finding]:
    if rule.check is None:
        return
    lacking = [name for name in rule.needs if name in facts.missing]
    if lacking:
        reasons = "; ".join(facts.missing[name] for name in lacking)
        yield _not_checked(rule, NotChecked(facts.intent.name, reasons))
        return
    for verdict in rule.check(facts):
        if isinstance(verdict, Found):
            yield _finding(rule, verdict)
        else:
            yield _not_checked(rule, verdict)


def _finding(rule: Rule, found: Found) -> Finding:
    return Finding(
        rule=rule.id,
        severity=rule.severity if found.severity is None else found.severity,
        subject=found.subject,
        message=found.message,
        why=found.why or rule.why,
        fix=found.fix or rule.fix,
        evidence=found.evidence,
        location=found.location,
        device=found.device,
        port=found.port,
        keys=found.keys,
    )


def _not_checked(rule: Rule, verdict: NotChecked) -> Finding:
    return Finding(
        rule=rule.id,
        severity=Severity.INFO,
        subject=verdict.subject,
        message=f"{rule.title}: not checked, because {verdict.reason}",
        verdict=Verdict.NOT_CHECKED,
        keys=("not-checked",),
    )
