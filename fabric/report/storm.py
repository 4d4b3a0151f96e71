"""The event model of PFC as text and as JSON: the same facts, and that they are a model's."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from fabric.report.text import Style, columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.model.storm import StormCase, StormRun, StormStudy

SCHEMA = 1
_SHOWN = 24  # buffers of a cycle in the text; JSON has all
_CURES = (
    "`fabric analyze deadlock` lists the ways out that were checked, and what they cost; --routing "
    "updown, or --priority-rise with one of its rules, tries them here under the same flows."
)
IS_MODEL = (
    "one packet size, cables of one speed, fixed thresholds, no congestion control; it shows how a "
    "cycle of buffers behaves and forecasts no rates"
)


def study_json(study: StormStudy) -> dict[str, object]:
    """A study as plain values (without ``schema``)."""
    model = study.model
    return {
        "model": {
            "what": f"slotted event model of PFC: {IS_MODEL}",
            **asdict(model),
            "storm_at": model.storm_at,
            "storm_end": model.storm_end,
            "window_slots": model.window_slots,
        },
        "routing": study.routing,
        "priority_rise": study.rise,
        "pattern": study.pattern,
        "flows": study.flows,
        "paused": study.paused or None,
        "cbd": study.cbd,
        "deadlocked": study.deadlocked,
        "cases": [_case_json(case) for case in study.cases],
        "runs": [{**asdict(run), "deadlocked": run.deadlocked} for run in study.runs],
        "notes": list(study.notes),
    }


def _case_json(case: StormCase) -> dict[str, object]:
    return {
        "load": case.load,
        "storm": case.storm,
        "runs": len(case.runs),
        "deadlocked": case.deadlocked,
        "throughput": case.throughput,
        "busiest_cable": case.busiest,
    }


def study_lines(study: StormStudy, style: Style) -> list[str]:
    """A study for a reader: the answer, the table, one standstill, what it is worth."""
    lines = [_headline(study, style), *_facts(study, style), "", *_table(study), ""]
    lines += wrapped(_meaning(study), style)
    example = study.example
    if example is not None:
        lines += ["", *_standstill(study, example, style), "", *wrapped(_CURES, style)]
    for note in study.notes:
        lines += ["", *wrapped(f"Note: {note}.", style)]
    return [*lines, "", *wrapped(f"A model: {IS_MODEL}.", style)]


def _headline(study: StormStudy, style: Style) -> str:
    count, runs = study.deadlocked, len(study.runs)
    if count:
        return style.paint(f"Deadlock in {count} of {runs} runs of the model", "red")
    if study.cbd:
        return style.paint(f"CBD, but no deadlock in {runs} runs of the model", "yellow")
    return style.paint(f"No deadlock in {runs} runs of the model, and no CBD", "green")


def _facts(study: StormStudy, style: Style) -> list[str]:
    model = study.model
    seeds = list(dict.fromkeys(run.seed for run in study.runs))
    named = str(seeds[0]) if len(seeds) == 1 else f"{seeds[0]} to {seeds[-1]}"
    parts = [
        f"routing {study.routing}",
        f"priority rise {study.rise}",
        f"traffic: {study.pattern}, {study.flows:,} flows",
        f"{model.slots:,} slots",
        f"XOFF at {model.xoff_packets} packets, XON at {model.xon_packets}",
        f"pause obeyed {model.delay_slots} slots later",
        f"arbitration {model.arbitration}",
        f"seed{'s' if len(seeds) > 1 else ''} {named}",
    ]
    if study.paused:
        parts.insert(
            3,
            f"storm: {study.paused} pauses its leaf in slots {model.storm_at:,} to "
            f"{model.storm_end - 1:,}",
        )
    return wrapped(" · ".join(parts), style, indent=2, first="  ")


def _table(study: StormStudy) -> list[str]:
    head = ("load per NIC", "busiest cable", "storm", "deadlocked", "throughput at the end")
    rows = [
        (
            f"{case.load:g}",
            f"{case.busiest:.2f}",
            f"{study.model.storm_slots:,} slots" if case.storm else "no",
            f"{case.deadlocked} of {len(case.runs)}",
            f"{100 * case.throughput:.0f} %",
        )
        for case in study.cases
    ]
    return columns([head, *rows], right=(0, 1, 2, 3, 4), gap=3)


def _meaning(study: StormStudy) -> str:
    if not study.cbd:
        after = ", and the storm passes" if study.paused else ""
        return (
            f"Without a cycle of buffers nothing can freeze{after}: the proof says so for any load."
        )
    if not study.deadlocked:
        return (
            "The cycle of buffers is there, and this traffic did not close it: a deadlock stays "
            "possible (`fabric analyze deadlock`)."
        )
    return " ".join(_sentences(study))


def _sentences(study: StormStudy) -> Iterator[str]:
    calm = [case for case in study.cases if not case.storm]
    frozen = [case for case in calm if case.deadlocked]
    spared = [case for case in calm if not case.deadlocked]
    if frozen:
        over = "" if all(case.busiest > 1 for case in frozen) else ", not all of it overload"
        yield f"Load alone freezes it at {_loads(frozen)}{over}."
    if spared:
        yield f"At {_loads(spared)} load alone did not."
    after = {case.load for case in study.cases if case.storm and case.deadlocked}
    struck = [case for case in spared if case.load in after]
    if struck:
        yield (
            f"There one NIC that pauses for {study.model.storm_slots:,} slots is enough, and the "
            "deadlock stays after it has stopped."
        )


def _loads(cases: Sequence[StormCase]) -> str:
    words = [f"{case.load:g}" for case in cases]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def _standstill(study: StormStudy, run: StormRun, style: Style) -> list[str]:
    case = f"load {run.load:g}, {'storm' if run.storm else 'no storm'}, seed {run.seed}"
    since = f"nothing moves from slot {run.frozen_at:,} on"
    if run.storm and run.frozen_at is not None and run.frozen_at >= study.model.storm_end:
        since += f", {run.frozen_at - study.model.storm_end:,} after the storm had ended"
    text = (
        f"The first of them ({case}): {since}, nor when all hosts have stopped; "
        f"{len(run.cycle)} buffers wait for each other, {run.stuck:,} packets are stuck:"
    )
    rows = [
        (
            f"{step.sender} {step.sender_port}".rstrip(),
            "→",
            f"{step.receiver} {step.receiver_port}".rstrip(),
            f"priority {step.priority}",
            f"holds {step.packets} packets and pauses {step.sender}",
        )
        for step in run.cycle[:_SHOWN]
    ]
    lines = [*wrapped(text, style), "", *columns(rows)]
    if len(run.cycle) > _SHOWN:
        lines.append(f"  … and {len(run.cycle) - _SHOWN:,} more (--json has all)")
    return lines
