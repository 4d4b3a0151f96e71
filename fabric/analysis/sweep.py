"""The proof for many sets of failures (validation 1.5): counts, and the smallest to go wrong."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from fabric.analysis import failure_sets
from fabric.analysis.orbits import Symmetry
from fabric.analysis.rerouting import Rerouting
from fabric.model.deadlock import SweepVerdict

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.analysis.failure_sets import FailureSet
    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising
    from fabric.analysis.rerouting import Outcome
    from fabric.analysis.routing.models import Model
    from fabric.model.deadlock import DeadlockVerdict

    # Of cables (ids) and switches (names) that have failed.
    VerdictOf = Callable[[tuple[str, ...], tuple[str, ...]], DeadlockVerdict]
    Progress = Callable[[int, int], None]  # sets done, of how many
    Make = Callable[[Network, Symmetry | None], list[FailureSet]]

PAIRS = 2


class _HangsOnOrderError(Exception):
    """Routes depend on the order of the switches, so symmetry says nothing about them."""


@dataclass
class _Tally:
    """What is known so far; ``twice``: of sets, that a pair may be met from each of its ends."""

    twice_sets: int = 0
    twice_cbd: int = 0
    twice_unreachable: int = 0
    worked_out: int = 0
    smallest: tuple[tuple[bool, int], FailureSet] | None = None

    def add(self, failed: FailureSet, outcome: Outcome) -> None:
        """One set worked out."""
        self.worked_out += 1
        self.twice_sets += failed.twice
        self.twice_cbd += failed.twice * outcome.cbd
        self.twice_unreachable += failed.twice * outcome.unreachable

    def wants(self, outcome: Outcome) -> bool:
        """Whether a set with this outcome can go before the smallest so far."""
        return self.smallest is None or (not outcome.cbd, 1) < self.smallest[0]

    def keep(self, failed: FailureSet, outcome: Outcome) -> None:
        """A counter-example, if it goes before: a CBD first, then the fewest failures."""
        rank = (not outcome.cbd, len(failed.bundles) + len(failed.switches))
        if self.smallest is None or rank < self.smallest[0]:
            self.smallest = rank, failed


class Sweep:
    """Sweeps over one network under one routing model and rule of levels.

    ``verdict_of`` gives the smallest counter-example in full. ``by_symmetry``: only one set of each
    orbit is worked out, where symmetry holds.
    """

    def __init__(
        self,
        model: Model,
        rising: Rising,
        verdict_of: VerdictOf,
        *,
        progress: Progress | None = None,
        by_symmetry: bool = True,
    ) -> None:
        self._network, self._model, self._rising = model.network, model, rising
        self._verdict_of, self._progress = verdict_of, progress
        self._by_symmetry = by_symmetry
        self._known: dict[tuple[tuple[int, ...], tuple[int, ...]], Outcome] = {}

    @cached_property
    def _rerouting(self) -> Rerouting:
        return Rerouting(self._model, self._rising)

    @cached_property
    def _symmetry(self) -> Symmetry:
        return Symmetry(self._network, self._model.seen(), self._rising.way)

    def cables(self, size: int) -> SweepVerdict:
        """All sets of one or of two cables.

        Raises:
            SweepTooLargeError: too many of them.
        """
        make = failure_sets.single_cables if size == 1 else failure_sets.cable_pairs
        total = failure_sets.count(self._network, size)
        return self._whole(make, total, failure_sets.what(size))

    def switches(self) -> SweepVerdict:
        """All single switches.

        Raises:
            SweepTooLargeError: too many of them.
        """
        total = int(self._network.alive.sum())
        return self._whole(failure_sets.single_switches, total, "single switches")

    def single(self) -> SweepVerdict:
        """All single cables, with all single switches beside them.

        Raises:
            SweepTooLargeError: too many of them.
        """
        found = self.cables(1)
        return replace(found, nodes=self.switches()) if found.complete else found

    def drawn(self, number: int, *, seed: int, size: int = PAIRS) -> SweepVerdict:
        """So many sets of ``size`` cables, drawn without repetition.

        Raises:
            SweepTooLargeError: too many of them.
        """
        total = failure_sets.count(self._network, size)
        tally = _Tally()
        sets = failure_sets.drawn(self._network, number, seed, size)
        complete = self._work(sets, tally, len(sets))
        done = tally.twice_sets // 2
        share = f"{100 * done / total:.2g} %" if done < total else "all of them"
        words = f"{done:,} of {total:,} {failure_sets.what(size)}, {share}"
        words += f", drawn with seed {seed}"
        return self._verdict(tally, total, words, complete=complete)

    def _whole(self, make: Make, total: int, what: str) -> SweepVerdict:
        tally, complete = _Tally(), False
        try:
            complete = self._alike(make, tally, total)
        except _HangsOnOrderError:
            tally = _Tally()
            complete = self._work(make(self._network, None), tally, total)
        except KeyboardInterrupt:  # while orbits were looked for
            pass
        done = tally.twice_sets // 2
        words = f"all {total:,} {what}" if complete else f"{done:,} of {total:,} {what}"
        if tally.worked_out < done:
            words += f", {tally.worked_out:,} worked out and the others by symmetry"
        return self._verdict(tally, total, words, complete=complete)

    def _alike(self, make: Make, tally: _Tally, total: int) -> bool:
        """Work one set of each orbit out; whether it came to its end."""
        wanted = self._by_symmetry and self._model.symmetric
        if not wanted or not self._rerouting.unfailed.free:
            raise _HangsOnOrderError
        return self._work(make(self._network, self._symmetry), tally, total, strict=True)

    def _work(
        self, sets: list[FailureSet], tally: _Tally, total: int, *, strict: bool = False
    ) -> bool:
        """Work sets out; whether it came to its end. ``strict``: each stands for others."""
        try:
            for failed in sets:
                outcome = self._outcome(failed)
                if strict and not outcome.free:
                    raise _HangsOnOrderError
                tally.add(failed, outcome)
                if (outcome.cbd or outcome.unreachable) and tally.wants(outcome):
                    tally.keep(self._shrunk(failed, outcome), outcome)
                if self._progress is not None:
                    self._progress(tally.twice_sets // 2, total)
        except KeyboardInterrupt:
            return False
        return True

    def _outcome(self, failed: FailureSet) -> Outcome:
        key = (failed.bundles, failed.switches)
        if key not in self._known:
            self._known[key] = self._rerouting.outcome(*key)
        return self._known[key]

    def _shrunk(self, failed: FailureSet, outcome: Outcome) -> FailureSet:
        """The part of a set of which no part does the same; empty: so it is with nothing failed."""
        for part in _parts(failed):
            less = self._outcome(part)
            if less.cbd if outcome.cbd else less.unreachable:
                return self._shrunk(part, outcome)
        return failed

    def _verdict(self, tally: _Tally, total: int, coverage: str, *, complete: bool) -> SweepVerdict:
        smallest = None
        if tally.smallest is not None:
            names = tally.smallest[1].names(self._network)
            smallest = (names[0] + names[1], self._verdict_of(*names))
        return SweepVerdict(
            sets=tally.twice_sets // 2,
            of=total,
            with_cbd=tally.twice_cbd // 2,
            with_unreachable=tally.twice_unreachable // 2,
            smallest=smallest,
            worked_out=tally.worked_out,
            coverage=coverage if complete else f"{coverage}, then interrupted",
            complete=complete,
        )


def _parts(failed: FailureSet) -> Iterator[FailureSet]:
    """The set without one of its failures."""
    for n in range(len(failed.bundles)):
        yield failed._replace(bundles=failed.bundles[:n] + failed.bundles[n + 1 :])
    for n in range(len(failed.switches)):
        yield failed._replace(switches=failed.switches[:n] + failed.switches[n + 1 :])
