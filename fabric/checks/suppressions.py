"""Findings that somebody accepted: applied, or told why not."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from fabric.checks.registry import all_rules, nearest_id
from fabric.model.finding import Finding, Problem, Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from fabric.model.finding import Suppression

RULE = "RCE015"


def _about(suppression: Suppression, severity: Severity, message: str, fix: str) -> Finding:
    return Finding(
        rule=RULE,
        severity=severity,
        subject=f"suppress {suppression.rule} {suppression.subject}",
        message=message,
        fix=fix,
        location=suppression.location,
        keys=(severity.word,),
    )


def unknown_rules(suppressions: Sequence[Suppression]) -> Iterator[Problem]:
    """Suppressions of rules that do not exist: a typing error would hide nothing."""
    known = all_rules() if suppressions else {}
    for number, suppression in enumerate(suppressions):
        if suppression.rule not in known:
            near = nearest_id(suppression.rule)
            yield Problem(
                RULE,
                ("suppress", number, "rule"),
                f"there is no rule {suppression.rule}",
                f"did you mean {near}?" if near else "`fabric rules` lists the rules",
            )


def _unknown(suppression: Suppression) -> Finding:
    near = nearest_id(suppression.rule)
    return _about(
        suppression,
        Severity.ERROR,
        f"the suppression names rule {suppression.rule}, which does not exist",
        f"did you mean {near}?" if near else "`fabric rules` lists the rules",
    )


def _expired(suppression: Suppression) -> Finding:
    return _about(
        suppression,
        Severity.WARNING,
        f"the suppression of {suppression.rule} for {suppression.subject} expired on "
        f"{suppression.expires}: the finding counts again",
        "mend the finding, or look at it again and set a later date",
    )


def _unused(suppression: Suppression) -> Finding:
    return _about(
        suppression,
        Severity.INFO,
        f"the suppression of {suppression.rule} for {suppression.subject} matches no finding",
        "remove it, or correct its subject",
    )


def _matches(suppression: Suppression, finding: Finding) -> bool:
    return suppression.rule == finding.rule and fnmatchcase(finding.subject, suppression.subject)


def apply(
    suppressions: Sequence[Suppression],
    findings: Sequence[Finding],
    *,
    known: Collection[str],
    seen: Collection[str],
    today: date,
) -> tuple[Finding, ...]:
    """The findings, those accepted marked, and findings about the suppressions themselves.

    ``known``: every rule id. ``seen``: ids that this run could have found; a suppression of
    another rule waits for the stage that runs it and is not called unused.
    """
    about: list[Finding] = []
    valid: list[Suppression] = []
    for suppression in suppressions:
        if suppression.rule not in known:
            about.append(_unknown(suppression))
        elif suppression.expires and date.fromisoformat(suppression.expires) < today:
            about.append(_expired(suppression))
        else:
            valid.append(suppression)
    marked = tuple(
        replace(finding, suppressed_by=next((s for s in valid if _matches(s, finding)), None))
        for finding in findings
    )
    used = {id(finding.suppressed_by) for finding in marked}
    about += [_unused(s) for s in valid if s.rule in seen and id(s) not in used]
    return (*marked, *about)
