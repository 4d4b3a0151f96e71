"""Failure sweeps of a design: ``--failures 1``, ``2`` or ``sample:N``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from fabric.analysis import assumptions, verdict

if TYPE_CHECKING:
    from fabric.analysis.network import Network
    from fabric.analysis.routing.models import Model
    from fabric.analysis.sweep import Progress
    from fabric.analysis.verdict import Question
    from fabric.model.deadlock import DeadlockVerdict, SweepVerdict
    from fabric.model.design import Design

SEED = 1
_SAMPLE = "sample:"


class Extent(NamedTuple):
    """``cables`` cut in each set; ``drawn``: how many sets, ``None`` for all of them."""

    cables: int
    drawn: int | None = None

    @classmethod
    def of(cls, word: str) -> Extent:
        """From the word of the command line.

        Raises:
            ValueError: it is none.
        """
        number = word.removeprefix(_SAMPLE)
        if word.startswith(_SAMPLE) and number.isdecimal() and number.isascii() and int(number):
            return cls(2, int(number))
        if word in {"1", "2"}:
            return cls(int(word))
        msg = f"{word} is none of 1, 2 and sample:N, as in sample:1000"
        raise ValueError(msg)


def model_of(design: Design, network: Network, question: Question) -> Model:
    """The routing model that the question names, on this network."""
    from fabric.analysis.routing import models  # noqa: PLC0415

    match question.routing:
        case "spf":
            return models.Spf(network)
        case "l2-flood":
            return models.L2Flood(network)
        case "updown":
            return models.UpDown(network, question.roots)
        case "dragonfly-minimal":
            return models.DragonflyMinimal(network)
        case _:
            return models.Bgp(network, verdict.bgp_rules(design, network, question.routing))


def swept(
    design: Design,
    question: Question,
    extent: Extent,
    *,
    progress: Progress | None = None,
    by_symmetry: bool = True,
) -> SweepVerdict:
    """What further failures do, beyond those of the question.

    One cable: with all single switches beside them in ``nodes``. ``progress``: called with the sets
    done and their number. An interrupt ends it early, with what is known by then.

    Raises:
        fabric.analysis.failure_sets.SweepTooLargeError: more sets than are worked out.
        fabric.analysis.routing.dragonfly.GroupError: minimal paths without groups.
    """
    from fabric.analysis.network import of_topology  # noqa: PLC0415
    from fabric.analysis.sweep import Sweep  # noqa: PLC0415

    whole = of_topology(design.topology)
    network = whole.without(question.cables, question.switches)
    if question.routing == "l2-flood":
        network, _ = network.apart()

    def verdict_of(cables: tuple[str, ...], switches: tuple[str, ...]) -> DeadlockVerdict:
        more = replace(
            question,
            cables=question.cables.union(cables),
            switches=question.switches.union(switches),
        )
        certificate = verdict.certified(design, more)
        return verdict.judged(design, more, whole, certificate=certificate)

    sweep = Sweep(
        model_of(design, network, question),
        verdict.rising_of(design, network, question.rise),
        verdict_of,
        progress=progress,
        by_symmetry=by_symmetry,
    )
    if extent.drawn is not None:
        found = sweep.drawn(extent.drawn, seed=SEED, size=extent.cables)
    else:
        found = sweep.single() if extent.cables == 1 else sweep.cables(extent.cables)
    unfailed = verdict_of((), ())
    return replace(found, unfailed=unfailed, assumptions=assumptions.of(design, question.routing))
