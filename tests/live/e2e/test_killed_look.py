"""A look that was killed half-way is in nobody's way, and is cleaned up later."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.model.push import Command, Job
from tests.live.e2e.bench import LEAF, TIMER_S

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.live.e2e.bench import Bench

HOUR_S = 3600.0


def _killed_look(one: Bench, mark: str) -> str:
    """Its first step; then nobody is there any more."""
    preview = one.system.preview
    with one.line() as line:
        identity, before = line.ask(preview.identify()), line.ask(preview.running())
        target = preview.target(before, one.planned.rendered(LEAF))
        push_id = f"{one.planned.push_id}-{mark}"
        job = Job(push_id, LEAF, "admin", before, target, TIMER_S, identity)
        for step in preview.stage(job)[:1]:
            for action in step.actions:
                line.perform(action)
    return f"fabric-push-{push_id}"


def _home(one: Bench) -> list[str]:
    with one.line() as line:
        return line.perform(Command('ls "$HOME"')).split()


@pytest.mark.parametrize("system", ["sonic", "frr", "cumulus_nvue"])
def test_a_killed_look_leaves_nothing_for_long(bench: Callable[..., Bench], system: str) -> None:
    one = bench(system)
    old = _killed_look(one, "0123ab")
    one.rehearsal.advance(2 * HOUR_S)
    new = _killed_look(one, "0123ac")  # it takes the old one away; another may still be going on
    assert _home(one) == [new]
    with one.line() as line:
        line.perform(Command(f'mkdir "$HOME"/{old} "$HOME"/fabric-push-mine "$HOME"/theirs'))
    told = one.push(dry_run=True)
    assert told.lines[0]["refused"][0]["rule"] == "RCE919"  # a change of somebody's is
    with one.line() as line:
        line.perform(Command('rm -r "$HOME"/fabric-push-mine'))
    told = one.push()
    assert told.code == 0, told.messages
    assert {old, new, "theirs"} <= set(_home(one))  # none was old
    one.rehearsal.advance(2 * HOUR_S)
    newest = _killed_look(one, "0123ad")
    assert _home(one) == [newest, "theirs"]
