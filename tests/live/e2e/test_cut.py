"""A session that is cut at every command of every step, before it was carried out and after.

What is cut in turn is taken from a push that goes well (or back): its journal says which steps
there were, the fake how many things each had it do. In full for one system of each timer class;
elsewhere steps that change nothing in force are cut at their beginning alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from fabric.live.push.journal import read
from fabric.live.rehearsal.faults import Fault
from fabric.model.push import Effect
from tests.live.e2e.bench import LEAF
from tests.live.e2e.outcome import ends, wrong
from tests.live.e2e.systems import IN_FULL, SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.model.push_change import Event
    from tests.live.e2e.bench import Bench

FORTH = ("apply", "confirm", "save")


@dataclass(frozen=True)
class Turn:
    """The ``number``-th step that began, and what it had the device do."""

    number: int
    phase: str
    step: str
    effect: Effect
    done: tuple[str, ...]

    def cuts(self, *, in_full: bool) -> Iterator[Fault]:
        """A question that is asked until it is answered is cut the first time."""
        if in_full or self.effect >= Effect.RUNS:
            for skip in sorted({self.done.index(said) for said in self.done}):
                yield Fault("drop", skip=skip)
                yield Fault("drop", skip=skip, after=True)
        else:
            yield Fault("drop")


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


def cut_in_turn(
    bench: Callable[..., Bench], system: str, phases: tuple[str, ...], trouble: dict[int, Fault]
) -> None:
    before, changed = ends(bench, system)
    found = turns(bench(system), trouble)
    wrongs = []
    for turn in (turn for turn in found if turn.phase in phases):
        for fault in turn.cuts(in_full=system in IN_FULL):
            one = bench(system)
            begun = watched(one, {**trouble, turn.number: fault})
            told = one.push()
            text = wrong(one, told, before, changed)
            where = f"{turn.phase}: {turn.step}: {'after' if fault.after else 'before'}"
            if text:
                wrongs.append(f"{where} {turn.done[fault.skip]}: {text}")
            assert len(begun) > turn.number, f"{where} was never begun"
    assert not wrongs, "\n".join(wrongs)


@pytest.mark.parametrize("phase", FORTH)
@pytest.mark.parametrize("system", SYSTEMS)
def test_on_the_way_forth(bench: Callable[..., Bench], system: str, phase: str) -> None:
    cut_in_turn(bench, system, (phase,), {})


@pytest.mark.parametrize("failed", [Effect.RUNS, Effect.SAVES])
@pytest.mark.parametrize("system", SYSTEMS)
def test_on_the_way_back(bench: Callable[..., Bench], system: str, failed: Effect) -> None:
    """Cut once more while what failed when it was put in force, or when it was saved, goes back."""
    found = turns(bench(system), {})
    number = next(turn.number for turn in found if turn.effect is failed)
    cut_in_turn(bench, system, ("restore",), {number: Fault("drop", after=True)})
