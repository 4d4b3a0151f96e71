"""The end of a stream of events that an error cut off: a reader is never left without one."""

from __future__ import annotations

import json
import re
import sys
from typing import TYPE_CHECKING

from fabric.model.finding import InputError
from fabric.model.push_change import Refused
from fabric.report.push import nothing_json
from fabric.report.push_progress import end_json, refused_event_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.finding import Finding

STREAMING = frozenset({"push", "rehearse", "rollback"})
_RULE = re.compile(r"(?P<rule>RCE\d{3}): ")


def closes(arguments: Sequence[str]) -> bool:
    """Whether a command line asked for events, or for the Change, as JSON."""
    word = next((a for a in arguments if not a.startswith("-")), "")
    return word in STREAMING and "--json" in arguments


def close(arguments: Sequence[str], error: BaseException, code: int) -> None:
    """Why nothing came about, in the form that was asked for."""
    refused = _refused(error)
    if "--dry-run" in arguments:
        found: list[dict[str, object]] = [nothing_json(refused)]
    else:
        found = [*map(refused_event_json, refused), end_json(code, {})]
    sys.stdout.write("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in found))


def _refused(error: BaseException) -> tuple[Refused, ...]:
    if isinstance(error, InputError):
        return tuple(_of_input(finding) for finding in error.findings)
    if isinstance(error, KeyboardInterrupt):
        return (Refused(None, "", "interrupted", ""),)
    text = str(getattr(error, "message", "") or error) or type(error).__name__
    rule = _RULE.match(text)
    message = text[rule.end() :] if rule else text
    fix = getattr(error, "fix", "")
    return (Refused(None, rule["rule"] if rule else "", _on_one_line(message), fix),)


def _on_one_line(message: str) -> str:
    """A list that stands below its sentence on the screen."""
    head, *rest = message.split("\n")
    return " ".join((head, ", ".join(" ".join(line.split()) for line in rest))).rstrip()


def _of_input(finding: Finding) -> Refused:
    at = f"{finding.location}: " if finding.location else ""
    return Refused(None, finding.rule, f"{at}{finding.message}", finding.fix)
