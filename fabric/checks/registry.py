"""All rules there are, found by scanning the open room."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, TypedDict

from fabric import discover
from fabric.checks.rules import Rule

if TYPE_CHECKING:
    from fabric.model.finding import Severity

_ROOM = "fabric.checks.rules"


@dataclass(frozen=True, slots=True)
class RuleInfo:
    """One line of ``fabric rules``. ``checked`` False: raised while reading or rendering."""

    id: str
    title: str
    severity: Severity
    stage: str
    family: str
    checked: bool


class UnknownRuleError(LookupError):
    """No rule has that id; ``nearest`` is a known id close to it, if any."""

    def __init__(self, rule_id: str, nearest: str | None) -> None:
        hint = f", did you mean {nearest}?" if nearest else ";"
        super().__init__(f"there is no rule {rule_id}{hint} `fabric rules` lists them")
        self.rule_id, self.nearest = rule_id, nearest


def all_rules() -> dict[str, tuple[str, Rule]]:
    """Every rule with its family, by id, in order of ids.

    Raises:
        ValueError: two rules of one id.
    """
    found = [
        (family, value)
        for family in discover.entry_names(_ROOM)
        for value in vars(discover.entry(_ROOM, family)).values()
        if isinstance(value, Rule)
    ]
    twice = sorted(key for key, n in Counter(rule.id for _, rule in found).items() if n > 1)
    if twice:
        msg = f"two rules are called {', '.join(twice)}"
        raise ValueError(msg)
    return {item[1].id: item for item in sorted(found, key=lambda pair: pair[1].id)}


class RuleJson(TypedDict):
    """A rule in JSON."""

    id: str
    title: str
    severity: str
    stage: str
    family: str
    checked: bool


def rule_json(info: RuleInfo) -> RuleJson:
    """One rule as plain values."""
    return RuleJson(
        id=info.id,
        title=info.title,
        severity=info.severity.word,
        stage=info.stage,
        family=info.family,
        checked=info.checked,
    )


def rules() -> tuple[RuleInfo, ...]:
    """Every id that the program can print, in order."""
    return tuple(
        RuleInfo(r.id, r.title, r.severity, r.stage, family, r.check is not None)
        for family, r in all_rules().values()
    )


def nearest_id(rule_id: str) -> str | None:
    """A known id close to a mistyped one."""
    close = get_close_matches(rule_id.upper(), list(all_rules()), n=1, cutoff=0.7)
    return close[0] if close else None
