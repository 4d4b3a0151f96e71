"""Run a small event model of PFC: does a cycle of buffers freeze, under load or a pause storm?"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK, UsageError
from fabric.cli._show import AsJson, derived, style, write_json, write_lines
from fabric.cli.analyze._asking import (
    FailOption,
    MoreArgument,
    RiseOption,
    RootOption,
    RoutingOption,
    asked,
    down,
    switches_of,
    word_of,
)
from fabric.cli.plan import InventoryArgument, Progress
from fabric.model.storm import ARBITRATIONS, RANDOM, StormModel

if TYPE_CHECKING:
    from fabric.analysis.storm.question import StormQuestion
    from fabric.model.design import Design
    from fabric.model.storm import StormStudy

LoadOption = Annotated[
    str, typer.Option("--load", help="Loads offered by each sending NIC, 1 is its line rate.")
]
PauseOption = Annotated[
    str | None,
    typer.Option(
        "--pause",
        metavar="HOST[:SLOTS]",
        help="The NIC that pauses its leaf, and for how long; none: no storm. "
        "Default: one that packets are sent to, 5,000 slots.",
    ),
]
SlotsOption = Annotated[int, typer.Option("--slots", min=1_000, max=1_000_000)]
SeedsOption = Annotated[int, typer.Option("--seeds", min=1, max=100, help="Runs of each case.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The first seed.")]
PatternOption = Annotated[
    str,
    typer.Option(
        "--pattern", help="worst (the flows that a cycle names), uniform, permutation or shift:N."
    ),
]
ArbitrationOption = Annotated[
    str,
    typer.Option("--arbitration", help="Which ingress port is next: random, fifo or round-robin."),
]
STORM_SLOTS = 5_000


def command(
    inventory: InventoryArgument,
    more: MoreArgument = None,
    *,
    load: LoadOption = "0.2,0.6,1.0",
    pause: PauseOption = None,
    slots: SlotsOption = 20_000,
    seeds: SeedsOption = 3,
    seed: SeedOption = 1,
    pattern: PatternOption = "worst",
    arbitration: ArbitrationOption = RANDOM,
    fail: FailOption = None,
    routing: RoutingOption = "as-planned",
    priority_rise: RiseOption = None,
    root: RootOption = None,
    as_json: AsJson = False,
) -> int:
    """Run a small event model of PFC: does a cycle of buffers freeze, under load or a storm?"""
    from fabric.analysis import verdict as proof  # noqa: PLC0415 — after the arguments
    from fabric.analysis.storm.question import DATELINE, StormQuestion  # noqa: PLC0415

    loads, paused, model = _loads(load), *_storm(pause, slots)
    word_of("--arbitration", arbitration, ARBITRATIONS)
    word_of("--routing", routing, proof.ROUTINGS)
    if priority_rise is not None and not priority_rise.startswith(f"{DATELINE}:"):
        word_of("--priority-rise", priority_rise, (*proof.RISES, DATELINE))
    _known_pattern(pattern)
    design = derived(inventory).design
    failed = down(design, fail, more)
    roots = switches_of(design, "--root", root)
    question = StormQuestion(
        proof=proof.Question(routing, priority_rise, *failed, roots),
        model=replace(model, arbitration=arbitration),
        loads=loads,
        seeds=tuple(range(seed, seed + seeds)),
        pattern=pattern,
        paused=paused,
    )
    found = asked(design, lambda: _answer(design, question))
    _print(design, question, found, as_json=as_json)
    return FINDINGS if found.deadlocked else OK


def _loads(text: str) -> tuple[float, ...]:
    try:
        loads = tuple(dict.fromkeys(float(word) for word in text.split(",")))
    except ValueError:
        loads = ()
    if not loads or not all(0 < load <= 1 for load in loads):
        msg = f"--load {text}: a load lies above 0 and is 1 at most"
        raise UsageError(msg, "several with commas: --load 0.2,0.6,1.0")
    return loads


def _storm(pause: str | None, slots: int) -> tuple[str | None, StormModel]:
    """Who pauses (empty: anybody, ``None``: nobody), and the model with its storm.

    Raises:
        UsageError: the storm is not over when throughput is measured.
    """
    name, colon, count = (pause or "").rpartition(":")
    if not colon or not count.isdecimal():
        name, count = pause or "", ""
    model = StormModel(slots=slots)
    room = slots - model.window_slots - model.storm_at
    model = replace(model, storm_slots=int(count) if count else min(STORM_SLOTS, room))
    if not 1 <= model.storm_slots <= room:
        msg = f"--pause {pause}: in {slots:,} slots a storm lasts from 1 to {room:,} slots"
        raise UsageError(msg, "so that it is over when throughput is measured; see --slots")
    return (None if name == "none" else name), model


def _known_pattern(pattern: str) -> None:
    from fabric.analysis.storm.question import PATTERNS  # noqa: PLC0415

    word, _, places = pattern.partition(":")
    if word != "shift":
        word_of("--pattern", pattern, (*PATTERNS, "shift:N"))
    elif not places.isdecimal() or int(places) < 1:
        msg = f"--pattern {pattern}: shift:N sends to the leaf N places on, from 1"
        raise UsageError(msg, "such as --pattern shift:2")


def _answer(design: Design, question: StormQuestion) -> StormStudy:
    from fabric.analysis.storm.paths import PathError  # noqa: PLC0415
    from fabric.analysis.storm.question import UnknownNicError, storm_study  # noqa: PLC0415
    from fabric.analysis.storm.study import StudyError  # noqa: PLC0415

    progress = Progress()
    try:
        return storm_study(design, question, progress)
    except StudyError as error:
        raise UsageError(str(error), error.fix) from None
    except PathError as error:
        raise UsageError(str(error), "`fabric analyze deadlock` proves it all the same") from None
    except UnknownNicError as error:
        import difflib  # noqa: PLC0415

        near = difflib.get_close_matches(str(error), error.known, 3)
        hint = f"did you mean {', '.join(near)}? " if near else ""
        msg = f"--pause {error}: {design.intent.name} has no such host"
        raise UsageError(msg, f"{hint}`fabric show hosts` lists them") from None
    finally:
        progress.clear()


def _print(design: Design, question: StormQuestion, found: StormStudy, *, as_json: bool) -> None:
    from fabric.report import storm as report  # noqa: PLC0415

    failed = question.proof.failed
    if as_json:
        head = {"schema": report.SCHEMA, "fabric": design.intent.name, "failed": list(failed)}
        write_json({**head, **report.study_json(found)})
        return
    state = f" · down: {', '.join(failed)}" if failed else ""
    lines = report.study_lines(found, style())
    write_lines([f"{design.intent.name}{state}", *lines])
