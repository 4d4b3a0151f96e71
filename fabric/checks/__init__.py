"""Rules: what is wrong with a design, why it matters, what to do.

An open room: a rule is a function in ``rules/<family>.py``. ``run`` judges a design, ``rules``
lists every id that the program can print, ``explain`` prints its page.
"""

from __future__ import annotations

from fabric.checks.explain import explain, pages
from fabric.checks.registry import RuleInfo, UnknownRuleError, rule_json, rules
from fabric.checks.run import CheckResult, run
from fabric.checks.suppressions import unknown_rules

__all__ = [
    "CheckResult",
    "RuleInfo",
    "UnknownRuleError",
    "explain",
    "pages",
    "rule_json",
    "rules",
    "run",
    "unknown_rules",
]
