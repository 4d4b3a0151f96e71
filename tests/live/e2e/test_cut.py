"""A session that is cut at every command of every step, before it was carried out and after.

What is cut in turn is taken from a push that goes well (or back): its journal says which steps
there were, the fake how many things each had it do. In full for one system of each timer class;
elsewhere steps that change nothing in force are cut at their beginning alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.faults import Fault
from fabric.model.push import Effect
from tests.live.e2e.outcome import ends, wrong
from tests.live.e2e.systems import IN_FULL, SYSTEMS
from tests.live.e2e.turns import turns, watched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.live.e2e.bench import Bench
    from tests.live.e2e.turns import Turn

FORTH = ("apply", "confirm", "save")


def cuts(turn: Turn, *, in_full: bool) -> Iterator[Fault]:
    """A question that is asked until it is answered is cut the first time."""
    if in_full or turn.effect >= Effect.RUNS:
        for skip in sorted({turn.done.index(said) for said in turn.done}):
            yield Fault("drop", skip=skip)
            yield Fault("drop", skip=skip, after=True)
    else:
        yield Fault("drop")


def cut_in_turn(
    bench: Callable[..., Bench], system: str, phases: tuple[str, ...], trouble: dict[int, Fault]
) -> None:
    before, changed = ends(bench, system)
    found = turns(bench(system), trouble)
    wrongs = []
    for turn in (turn for turn in found if turn.phase in phases):
        for fault in cuts(turn, in_full=system in IN_FULL):
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
