"""What became of a device, held against what was told of it."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

from tests.live.e2e.bench import LEAF

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tests.live.e2e.bench import Bench, Told

AS_BEFORE = {"failed-restored", "skipped", "unreachable"}


def wrong(one: Bench, told: Told, before: dict[str, str], changed: dict[str, str]) -> str:
    """What is not as it was told; empty: all is."""
    one.on_event = lambda _: None
    one.rehearsal.disarm(LEAF)
    one.later()
    outcome, now = told.outcomes.get(LEAF, "nothing"), dict(one.state())
    if outcome == "changed":
        as_told = (told.code, now) == (0, changed)
        return "" if as_told else f"exit {told.code}, not as changed:{unlike(changed, now)}"
    if outcome in AS_BEFORE:
        as_told = (told.code, now) == (3, before)
        return "" if as_told else f"{outcome}, exit {told.code}, but{unlike(before, now)}"
    return f"{outcome}: {told.messages[-600:]}"


def unlike(meant: Mapping[str, str], now: Mapping[str, str]) -> str:
    """The lines of a state that are not as they are meant to be."""
    found = []
    for name in sorted({*meant, *now}):
        lines = difflib.ndiff(meant.get(name, "").splitlines(), now.get(name, "").splitlines())
        found += [f"{name}: {line}" for line in lines if line[0] in "+-"]
    return "".join(f"\n    {line}" for line in found[:_SHOWN])


_SHOWN = 8


def ends(bench: Callable[..., Bench], system: str) -> tuple[dict[str, str], dict[str, str]]:
    """The state before, and that after a push that goes well."""
    one = bench(system)
    before = dict(one.state())
    told = one.push()
    assert told.code == 0, told.messages
    one.later()
    return before, dict(one.state())
