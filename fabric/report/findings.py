"""Findings as text and as JSON: the same facts."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, TypedDict

from fabric.model.finding import Finding, Severity, Verdict
from fabric.report.text import Style, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SCHEMA = 1
_COLOURS = {
    Severity.INFO: "cyan",
    Severity.WARNING: "yellow",
    Severity.ERROR: "red",
    Severity.CRITICAL: "red",
}


class FindingJson(TypedDict, total=False):
    """One finding in JSON."""

    rule: str
    verdict: str
    severity: str
    subject: str
    device: str | None
    port: str | None
    message: str
    why: str
    evidence: list[str]
    fix: str
    location: dict[str, str | int] | None
    fingerprint: str
    suppressed: dict[str, str | None] | None


def finding_json(finding: Finding) -> FindingJson:
    """One finding as plain values."""
    where = finding.location
    suppression = finding.suppressed_by
    return FindingJson(
        rule=finding.rule,
        verdict=finding.verdict.value,
        severity=finding.severity.word,
        subject=finding.subject,
        device=finding.device,
        port=finding.port,
        message=finding.message,
        why=finding.why,
        evidence=list(finding.evidence),
        fix=finding.fix,
        location=None
        if where is None
        else {"file": where.file, "line": where.line, "column": where.column, "path": where.path},
        fingerprint=finding.fingerprint,
        suppressed=None
        if suppression is None
        else {"reason": suppression.reason, "expires": suppression.expires},
    )


def counts(findings: Iterable[Finding]) -> dict[str, int]:
    """How many of each severity, suppressed and unchecked ones counted apart."""
    listed = list(findings)
    tally = Counter(
        f.severity.word for f in listed if f.suppressed_by is None and f.verdict is Verdict.VIOLATED
    )
    result = {severity.word: tally.get(severity.word, 0) for severity in reversed(Severity)}
    result["suppressed"] = sum(f.suppressed_by is not None for f in listed)
    result["not_checked"] = sum(
        f.verdict is Verdict.NOT_CHECKED and f.suppressed_by is None for f in listed
    )
    return result


def findings_json(findings: Sequence[Finding]) -> dict[str, object]:
    """The part that every command with findings shares."""
    return {
        "schema": SCHEMA,
        "findings": [finding_json(finding) for finding in findings],
        "summary": counts(findings),
    }


def worst(findings: Iterable[Finding]) -> Severity | None:
    """The highest severity among what was violated and not suppressed."""
    return max(
        (f.severity for f in findings if f.suppressed_by is None and f.verdict is Verdict.VIOLATED),
        default=None,
    )


def error_lines(finding: Finding, style: Style) -> list[str]:
    """One problem of an input file, in the shape of a compiler's message."""
    word = style.paint(finding.severity.word, _COLOURS[finding.severity])
    lines = [f"{word}[{finding.rule}]: {finding.message}"]
    if finding.location is not None:
        path = f"   {finding.location.path}" if finding.location.path else ""
        lines.append(f"  --> {finding.location}{path}")
    lines.extend(f"   = found: {item}" for item in finding.evidence)
    if finding.fix:
        lines.append(f"   = help: {finding.fix}")
    return lines


def _body(finding: Finding, alike: int) -> str:
    """Subject and message; ``alike``: how many more subjects share it."""
    said = finding.message.removeprefix(f"{finding.subject}: ")
    if not finding.subject:
        return said
    more = f" and {alike} more" if alike else ""
    return f"{finding.subject}{more}: {said}"


def finding_lines(
    finding: Finding, style: Style, *, evidence: bool = True, alike: int = 0
) -> list[str]:
    """One finding of a design: rule, subject and message; why; evidence; what to do."""
    label = finding.rule
    if finding.verdict is Verdict.NOT_CHECKED:
        label += " not checked"
    painted = style.paint(label, _COLOURS[finding.severity])
    head = f"  {label}  "
    body = _body(finding, alike)
    lines = wrapped(body, style, indent=len(head), first=head)
    lines[0] = lines[0].replace(label, painted, 1)
    indent = len(head)
    if finding.why:
        lines += wrapped(finding.why, style, indent=indent)
    if evidence:
        for item in finding.evidence:
            lines += wrapped(item, style, indent=indent + 2, first=" " * indent + "· ")
    if finding.fix:
        lines += wrapped(finding.fix, style, indent=indent + 2, first=" " * indent + "→ ")
    where = f"{finding.location}" if finding.location else ""
    tail = " · ".join(part for part in (where, f"fabric explain {finding.rule}") if part)
    lines.append(" " * indent + style.paint(tail, "dim"))
    if finding.suppressed_by is not None:
        until = f" until {finding.suppressed_by.expires}" if finding.suppressed_by.expires else ""
        lines += wrapped(f"suppressed{until}: {finding.suppressed_by.reason}", style, indent=indent)
    return lines


def count_line(findings: Sequence[Finding]) -> str:
    """``1 error, 2 warnings``; ``no findings``."""
    tally = counts(findings)
    words = []
    for name in ("critical", "error", "warning", "info"):
        number = tally[name]
        if number:
            plural = "s" if number > 1 and name in {"error", "warning"} else ""
            words.append(f"{number} {name}{plural}")
    if tally["not_checked"]:
        words.append(f"{tally['not_checked']} not checked")
    if tally["suppressed"]:
        words.append(f"{tally['suppressed']} suppressed")
    return ", ".join(words) or "no findings"


def findings_text(findings: Sequence[Finding], style: Style, *, evidence: bool = True) -> list[str]:
    """All findings, worst first as given, with the count line before them."""
    lines = ["  " + count_line(findings)]
    for group in alike(findings):
        subjects = {finding.subject for finding in group}
        lines += finding_lines(group[0], style, evidence=evidence, alike=len(subjects) - 1)
    return lines


def alike(findings: Sequence[Finding]) -> list[list[Finding]]:
    """Findings that differ in nothing but the device, together; the first one speaks for all."""
    groups: dict[object, list[Finding]] = {}
    for finding in findings:
        name = finding.subject or "\0"
        key = (
            finding.rule,
            finding.severity,
            finding.verdict,
            finding.suppressed_by,
            *(text.replace(name, "\0") for text in (finding.message, finding.why, finding.fix)),
        )
        groups.setdefault(key, []).append(finding)
    return list(groups.values())
