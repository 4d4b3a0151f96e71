"""The steps of a push in their order, and what each had the device do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.push.journal import read
from fabric.model.push import Effect
from tests.live.e2e.bench import LEAF

if TYPE_CHECKING:
    from fabric.live.rehearsal.faults import Fault
    from fabric.model.push_change import Event
    from tests.live.e2e.bench import Bench


@dataclass(frozen=True)
class Turn:
    """The ``number``-th step that began, and what it had the device do."""

    number: int
    phase: str
    step: str
    effect: Effect
    done: tuple[str, ...]


def watched(one: Bench, faults: dict[int, Fault]) -> list[list[int]]:
    """Have faults armed by the number of the step that begins.

    The list grows: for each step how much the device had done when it began, and when it ended.
    """
    steps: list[list[int]] = []

    def listen(event: Event) -> None:
        if event.event != "step":
            return
        so_far = len(one.rehearsal.done(LEAF))
        if event.status != "begins":
            steps[-1].append(so_far)
            return
        steps.append([so_far])
        if len(steps) - 1 in faults:
            one.rehearsal.arm(LEAF, faults[len(steps) - 1])

    one.on_event = listen
    return steps


def turns(one: Bench, faults: dict[int, Fault]) -> list[Turn]:
    """The steps of a push with these faults."""
    steps = watched(one, faults)
    one.push()
    done = one.rehearsal.done(LEAF)
    (path,) = one.pushes.glob("*/journal.jsonl")
    begun = [r for r in read(path).records if (r.event, r.status) == ("step", "begins")]
    return [
        Turn(number, r.phase, r.step, r.effect or Effect.READS, done[slice(*steps[number])])
        for number, r in enumerate(begun)
    ]
