"""List every rule: id, severity, stage, title."""

from __future__ import annotations

from fabric.cli import OK
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.report.text import columns


def command(*, as_json: AsJson = False) -> int:
    """List every rule: id, severity, stage, title."""
    from fabric import checks  # noqa: PLC0415

    listed = checks.rules()
    if as_json:
        write_json({"schema": 1, "rules": [checks.rule_json(info) for info in listed]})
        return OK
    rows = [("rule", "severity", "stage", "title")]
    rows += [(info.id, info.severity.word, info.stage, info.title) for info in listed]
    write_lines([*columns(rows), "", "fabric explain RCE302 prints the page of a rule"])
    return OK
