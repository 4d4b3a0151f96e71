"""A study of a design: routing, rule and pattern by name, the NIC that pauses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis import cycle, dateline, deadlock, priorities, verdict
from fabric.analysis.network import of_topology
from fabric.analysis.priorities import UNLIMITED
from fabric.analysis.storm import traffic
from fabric.analysis.storm.ground import Ground
from fabric.analysis.storm.study import StudyError, Trial, refuse_large, study
from fabric.model.storm import StormStudy

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising
    from fabric.analysis.storm.traffic import Demand, Nic
    from fabric.analysis.verdict import Question
    from fabric.model.deadlock import CycleStep
    from fabric.model.design import Design
    from fabric.model.storm import StormModel

PATTERNS = (traffic.WORST, traffic.UNIFORM, traffic.PERMUTATION)  # and shift:N
DATELINE = "dateline"
FIRST = ""  # pause the first NIC that packets are sent to


class UnknownNicError(LookupError):
    """No NIC of that name; ``known``: all of them."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(name)
        self.known = known


@dataclass(frozen=True, slots=True)
class StormQuestion:
    """What is asked. ``pattern``: worst, uniform, permutation or shift:N.

    ``paused``: host, or host/port, that pauses its leaf; ``FIRST``; or ``None`` for no storm.
    """

    proof: Question
    model: StormModel
    loads: tuple[float, ...]
    seeds: tuple[int, ...]
    pattern: str = "worst"
    paused: str | None = FIRST


def storm_study(
    design: Design,
    question: StormQuestion,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _of: None,
) -> StormStudy:
    """The model's answer beside the proof's.

    Raises:
        StudyError: the fabric is too large, or nobody has anybody to send to.
        UnknownNicError: nobody of the name that is to pause.
        fabric.analysis.storm.paths.PathError: packets cannot be followed.
        fabric.analysis.routing.dragonfly.GroupError: minimal paths without groups.
    """
    topology, proof = design.topology, question.proof
    refuse_large(len(topology.switches), len(topology.host_links))
    network = of_topology(topology).without(proof.cables, proof.switches)
    nics = traffic.nics_of_topology(topology, network)
    forwarding = verdict.forwarding_of(design, network, proof)
    rising = rising_of(design, forwarding, proof.rise)
    numbers = verdict.priority_numbers(design, proof.rise)
    rising = replace(rising, levels=min(rising.levels, len(numbers)))
    cbd = deadlock.prove(forwarding, rising).cbd
    demand_of, words = _demand(design, network, nics, question)
    paused = _paused(nics, question, demand_of)
    found = study(
        Ground(network, forwarding, rising, nics),
        demand_of,
        Trial(question.loads, question.seeds, question.model, paused, numbers.__getitem__),
        progress,
    )
    if not cbd and any(run.deadlocked for run in found.runs):
        msg = "the model stands still where the proof finds no cycle: one of them is wrong"
        raise AssertionError(msg)
    return StormStudy(
        routing=proof.routing,
        rise=rising.name,
        pattern=words,
        flows=found.flows,
        paused="" if paused is None else nics[paused].name,
        cbd=cbd,
        model=question.model,
        runs=found.runs,
        notes=tuple(_notes(design, found.lost, forwarding.notes)),
    )


def rising_of(design: Design, forwarding: Forwarding, rise: str | None) -> Rising:
    """The rule of that name: those of the proof, and datelines.

    ``dateline``: across the cables that :mod:`fabric.analysis.dateline` finds;
    ``dateline:A:B,C:D``: across those between A and B, and between C and D.

    Raises:
        StudyError: a dateline between two switches that no cable joins.
    """
    if rise is None or not rise.startswith(DATELINE):
        return verdict.rising_of(design, forwarding.network, rise)
    _, _, pairs = rise.partition(":")
    if not pairs:
        return _found_dateline(forwarding)
    return across(forwarding.network, [tuple(pair.split(":")) for pair in pairs.split(",")])


def across(network: Network, pairs: Sequence[tuple[str, ...]], levels: int = UNLIMITED) -> Rising:
    """One up on crossing between the switches of a pair, either way.

    Raises:
        StudyError: no pair, or two that no cable joins.
    """
    raising = np.zeros(len(network.tail), dtype=np.bool_)
    for pair in pairs:
        ends = [network.number.get(name, -1) for name in pair]
        joins = np.isin(network.tail, ends) & np.isin(network.head, ends)
        if len(pair) != 2 or not joins.any():  # noqa: PLR2004 — a cable has two ends
            msg = f"dateline {':'.join(pair)}: a dateline lies where a cable joins two switches"
            raise StudyError(msg, "such as dateline:leaf-0:leaf-1, or dateline alone")
        raising |= joins
    name = f"dateline {', '.join('–'.join(pair) for pair in pairs)}"
    return priorities.on_arcs(network, raising, name, levels=levels)


def _found_dateline(forwarding: Forwarding) -> Rising:
    network = forwarding.network
    bundles = dateline.dateline(forwarding).bundles
    arcs = [2 * bundle for bundle in bundles]
    ends = [(network.names[network.tail[a]], network.names[network.head[a]]) for a in arcs]
    return across(network, ends)


def _demand(
    design: Design, network: Network, nics: tuple[Nic, ...], question: StormQuestion
) -> tuple[Callable[[np.random.Generator], Demand], str]:
    """The pattern, and its name in words."""
    word, _, number = question.pattern.partition(":")
    match word:
        case traffic.UNIFORM:
            uniform = traffic.uniform(nics)
            return lambda _: uniform, "every NIC to every other"
        case traffic.SHIFT:
            shifted = traffic.shift(nics, network.leaves, int(number))
            return lambda _: shifted, f"each leaf to the one {int(number)} places on"
        case traffic.WORST if steps := _cycle(design, network, question.proof):
            worst = traffic.worst(nics, network, steps)
            pairs = len({(step.source, step.destination) for step in steps})
            return lambda _: worst, f"the {pairs} pairs of leaves that a shortest cycle names"
    reason = ", for no cycle names a worst one" if word == traffic.WORST else ""
    words = f"a random permutation of the NICs for each seed{reason}"
    return lambda rng: traffic.permutation(nics, rng), words


def _cycle(design: Design, network: Network, proof: Question) -> tuple[CycleStep, ...]:
    """The cycle that there is without a rise of levels: of this routing, else of shortest paths.

    So a cure is shown under the flows that deadlock without it.
    """
    level = priorities.none(network)
    for routing in dict.fromkeys((proof.routing, "spf")):
        forwarding = verdict.forwarding_of(design, network, replace(proof, routing=routing))
        found = deadlock.prove(forwarding, level)
        if found.cbd and not forwarding.floods:
            return cycle.shortest(found, int)
    return ()


def _paused(
    nics: tuple[Nic, ...],
    question: StormQuestion,
    demand_of: Callable[[np.random.Generator], Demand],
) -> int | None:
    """The number of the NIC that pauses."""
    wanted = question.paused
    if wanted is None:
        return None
    if wanted == FIRST:
        targets = demand_of(np.random.default_rng([question.seeds[0], 0])).destination
        return int(targets[0]) if len(targets) else None
    names = [nic.name for nic in nics]
    for number, name in enumerate(names):
        if wanted in (name, name.partition("/")[0]):
            return number
    raise UnknownNicError(wanted, tuple(dict.fromkeys(n.partition("/")[0] for n in names)))


def _notes(design: Design, lost: int, notes: tuple[str, ...]) -> list[str]:
    speeds = sorted({link.speed_gbps for link in design.topology.links})
    found = list(notes)
    if len(speeds) > 1:
        listed = " and ".join(map(str, speeds))
        found.append(f"cables of {listed} Gb/s all carry one packet a slot")
    if lost:
        found.append(f"{lost:,} flows have no way and are left out")
    return found
