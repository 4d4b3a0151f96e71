"""Explain a rule: what it checks, why it matters, how to mend it."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, write_json, write_lines

RuleArgument = Annotated[str, typer.Argument(help="Id of a rule, such as RCE302.")]


def command(rule: RuleArgument, *, as_json: AsJson = False) -> int:
    """Explain a rule: what it checks, why it matters, how to mend it."""
    from fabric import checks  # noqa: PLC0415

    wanted = f"RCE{rule}" if rule.isdecimal() else rule.upper()
    known = {info.id: info for info in checks.rules()}
    if wanted not in known:
        import difflib  # noqa: PLC0415

        near = difflib.get_close_matches(wanted, known, 3)
        hint = f"did you mean {', '.join(near)}? " if near else ""
        msg = f"there is no rule {rule}"
        raise UsageError(msg, f"{hint}`fabric rules` lists them all")
    if as_json:
        write_json({"schema": 1, "rule": checks.rule_json(known[wanted])})
    else:
        write_lines([checks.explain(wanted).rstrip()])
    return OK
