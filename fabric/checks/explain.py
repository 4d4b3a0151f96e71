"""The page of a rule, for the terminal and for the documentation."""

from __future__ import annotations

import re
from textwrap import fill, indent
from typing import TYPE_CHECKING

from fabric.checks.registry import UnknownRuleError, all_rules, nearest_id

if TYPE_CHECKING:
    from fabric.checks.rules import Rule

_WIDTH = 88
_EXAMPLE = "Example"
_STAGES = {
    "inventory": "raised while the inventory is read, the design derived or the text rendered",
    "design": "checked in the design, by `fabric plan` and `fabric check`",
    "change": "raised by `fabric push` and the commands that belong to it",
}


def explain(rule_id: str) -> str:
    """The page of a rule as plain text.

    Raises:
        UnknownRuleError: there is none of that id; carries the nearest.
    """
    wanted = rule_id.upper() if not rule_id.isdigit() else f"RCE{int(rule_id):03}"
    known = all_rules()
    if wanted not in known:
        raise UnknownRuleError(rule_id, nearest_id(wanted))
    rule = known[wanted][1]
    head = f"{rule.id}  {rule.title}\n{rule.severity.word}, {_stage(rule)}"
    blocks = [f"{title}\n{_filled(title, text)}" for title, text in _sections(rule)]
    return "\n\n".join((head, *blocks)) + "\n"


def pages() -> dict[str, str]:
    """``docs/rules``: file name to Markdown text, with an index."""
    found = all_rules()
    texts = {f"{rule.id}.md": _markdown(rule) for _, rule in found.values()}
    return {"index.md": _index([rule for _, rule in found.values()]), **texts}


def _stage(rule: Rule) -> str:
    return _STAGES.get(rule.stage, f"checked at stage {rule.stage}")


def _sections(rule: Rule) -> list[tuple[str, str]]:
    named = (
        ("What it checks", rule.what),
        ("Why it matters", _sentence(rule.why)),
        ("What to do", _sentence(rule.fix)),
        (_EXAMPLE, rule.example.strip("\n")),
    )
    return [(title, text) for title, text in named if text]


def _sentence(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '?')) else '.'}"


def _filled(title: str, text: str) -> str:
    """Indented by two; paragraphs filled, an example as it stands."""
    if title == _EXAMPLE:
        return indent(text, "  ")
    paragraphs = (" ".join(part.split()) for part in text.split("\n\n"))
    return "\n\n".join(
        fill(part, _WIDTH, initial_indent="  ", subsequent_indent="  ") for part in paragraphs
    )


def _markdown(rule: Rule) -> str:
    parts = [f"# {rule.id}: {rule.title}", f"**{rule.severity.word}**, {_stage(rule)}."]
    for title, text in _sections(rule):
        body = f"```yaml\n{text}\n```" if title == _EXAMPLE else text
        parts.append(f"## {title}\n\n{body}")
    return "\n\n".join(parts) + "\n"


def _index(rules: list[Rule]) -> str:
    rows = [
        f"| [{r.id}]({r.id}.md) | {re.sub(r'[|]', '/', r.title)} | {r.severity.word} | {r.stage} |"
        for r in rules
    ]
    head = (
        "# Rules\n\nEvery id that `fabric` can print; `fabric explain RCE302` shows one page.\n\n"
        "| id | title | severity | stage |\n|---|---|---|---|\n"
    )
    return head + "\n".join(rows) + "\n"
