"""What goes wrong at a step, at every step that the procedures name: back, or clearly told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.faults import Fault
from fabric.model.push import Effect
from tests.live.e2e.bench import LEAF, TIMER_S
from tests.live.e2e.outcome import ends, wrong
from tests.live.e2e.systems import SYSTEMS, TIMED

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push import Step
    from tests.live.e2e.bench import Bench


def steps(bench: Callable[..., Bench], system: str) -> list[tuple[str, Step]]:
    return [(phase, step) for phase, all_ in bench(system).steps().items() for step in all_]


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_refused_line_is_restored_and_told(bench: Callable[..., Bench], system: str) -> None:
    before, changed = ends(bench, system)
    trouble, refused = [], 0
    for phase, step in steps(bench, system):
        if phase == "restore" or step.effect < Effect.STAGES:
            continue
        one = bench(system)
        one.arm_at((step.name, Fault("reject")))
        told = one.push()
        taken = "reject" not in one.rehearsal.armed(LEAF)
        refused += taken
        text = wrong(one, told, before, changed)
        if not text and taken and told.code == 0:
            text = "a refused line was not noticed"
        if text:
            trouble.append(f"{phase}: {step.name}: {text}")
    assert not trouble, "\n".join(trouble)
    assert refused, "nothing was ever refused"


@pytest.mark.parametrize("system", TIMED)
def test_a_timer_that_runs_out_takes_the_change_back(
    bench: Callable[..., Bench], system: str
) -> None:
    before, _ = ends(bench, system)
    one = bench(system)

    def expire(event: object) -> None:
        if (getattr(event, "event", ""), getattr(event, "status", "")) == ("gate", "passed"):
            one.rehearsal.advance(TIMER_S + 120)
            assert dict(one.state())["running"] == before["running"]

    one.on_event = expire
    told = one.push()
    assert told.outcomes == {LEAF: "failed-restored"}, told.messages
    assert wrong(one, told, before, {}) == ""
