"""Findings as the lines that the pairs in ``bad/`` hold."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.finding import Finding


def rendered(findings: Iterable[Finding]) -> str:
    """``RULE file:line:column path: message`` and the help, a finding after the other."""
    lines: list[str] = []
    for finding in findings:
        place = finding.location
        assert place is not None
        where = f"{Path(place.file).name}:{place.line}:{place.column}"
        word = "" if finding.severity.word == "error" else f" ({finding.severity.word})"
        lines.append(f"{finding.rule}{word} {where} {place.path}".rstrip() + f": {finding.message}")
        if finding.fix:
            lines.append(f"    help: {finding.fix}")
    return "\n".join(lines) + "\n"
