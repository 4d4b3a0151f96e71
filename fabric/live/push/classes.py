"""What changed lines do to traffic: the first risk of the system whose pattern a line matches."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.push_change import RiskClass

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.push_spec import Risk

_CLASS = {"safe": RiskClass.SAFE, "traffic": RiskClass.TRAFFIC, "window": RiskClass.WINDOW}
_ORDER = tuple(RiskClass)
_UNKNOWN = "nobody has said what these lines do to traffic"


def classify(
    diff: Iterable[str], risks: Iterable[Risk]
) -> tuple[RiskClass, tuple[tuple[RiskClass, str], ...]]:
    """The worst class of a difference, and each class with why, the worst first.

    No line at all is safe; a line that no risk matches is unclassified.
    """
    patterns = [(re.compile(risk.pattern), _CLASS[risk.risk], risk.why) for risk in risks]
    found: dict[tuple[RiskClass, str], list[str]] = {}
    for sign, path in changed_paths(diff):
        known = ((risk, why) for pattern, risk, why in patterns if matches(pattern, sign, path))
        found.setdefault(next(known, (RiskClass.UNCLASSIFIED, _UNKNOWN)), []).append(path)
    ordered = sorted(found, key=lambda key: -_ORDER.index(key[0]))
    worst = ordered[0][0] if ordered else RiskClass.SAFE
    return worst, tuple((risk, f"{why} ({_some(found[risk, why])})") for risk, why in ordered)


def _some(paths: list[str]) -> str:
    rest = len(paths) - 1
    return paths[0] + (f", and {rest:,} more line{'s' if rest > 1 else ''}" if rest else "")


def matches(pattern: re.Pattern[str], sign: str, path: str) -> bool:
    """A pattern of ``push.yaml`` sees a changed line without its sign, and with it: ``+ line``."""
    return bool(pattern.search(path) or pattern.search(f"{sign} {path}"))


def changed_paths(diff: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Each changed line as its sign and, with the headers above it, ``header > line``.

    Headers are the less indented lines above, changed or not; a line that states its place itself
    stands at the margin and stays as it is.
    """
    above: list[tuple[int, str]] = []
    for line in diff:
        sign, text = line[:1], line[1:].rstrip()
        words = text.strip()
        if not words:
            continue
        indent = len(text) - len(text.lstrip())
        while above and above[-1][0] >= indent:
            above.pop()
        above.append((indent, words))
        if sign in {"+", "-"}:
            yield sign, " > ".join(part for _, part in above)
