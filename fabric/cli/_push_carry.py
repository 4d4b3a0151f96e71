"""An approved Change carried out, or taken up again, and how it ended."""

from __future__ import annotations

import json
import sys
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.cli import OK, PARTIAL
from fabric.cli._push_events import closing, left_out, ndjson
from fabric.cli._push_show import ask, refuse
from fabric.cli._reader import Reader
from fabric.cli._show import style, write_lines
from fabric.live.push import ending, run
from fabric.live.push.standing import LOST
from fabric.live.push.terms import Options, Prepared
from fabric.model.push_change import Outcome, Refused
from fabric.report import push_progress as running
from fabric.report.text import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.cli._push_show import Asked
    from fabric.live.push.looking import Reach
    from fabric.live.push.planned import PlannedFabric
    from fabric.live.push.saved import Saved
    from fabric.live.push.terms import Report
    from fabric.model.push_change import Event


def prepared(planned: PlannedFabric, now: Saved, reach: Reach) -> Prepared:
    """What carrying out a Change needs."""
    same = now.change.plan_sha256 == planned.sha256
    return Prepared(
        change=now.change,
        push_id=f"fabric-{now.change.plan_sha256[:10]}",
        folder=now.folder,
        systems=planned.systems,
        users=reach.users,
        model=planned.model if same else lambda _device: None,
    )


def carried_out(asked: Asked, todo: Prepared, reach: Reach, work: Callable[..., Report]) -> int:
    """Carry it out (``run.push``) or go on with it (``run.resume``), and tell how it went."""
    waves = {wave.number: len(wave.devices) for wave in todo.change.waves}
    progress, reader = running.Progress(style(), waves, time.monotonic), Reader()
    told: dict[str, str] = {}  # outcomes by device

    def observe(event: Event) -> None:
        reader.told(lambda: shown(event))

    def shown(event: Event) -> None:
        reach.listener(event)
        event = replace(event, message=asked.worded(event.message))
        if event.event == "device":
            told[event.device] = event.status
        if asked.as_json:
            if event.event != "end":
                ndjson(running.event_json(event))
            return
        lines = progress.lines(event)
        if lines:
            write_lines(lines)
            sys.stdout.flush()

    go_on = (lambda _question: True) if asked.sure else ask
    options = Options(go_on, asked.request.workers, asked.time_factor)
    try:
        report = work(
            todo,
            dial=reach.dial,
            observer=observe,
            options=options,
            means=reach.means,
            contacts=reach.contacts,
        )
    except run.PushError as error:
        refused = Refused(None, error.rule, str(error), error.fix)
        return refuse(asked, todo.change.fabric, (refused,))
    results = [replace(one, message=asked.worded(one.message)) for one in report.results]
    report = replace(report, results=tuple(results))
    out = left_out(todo.change, report.results)
    code = ending.exit_code(report)
    code = PARTIAL if code == OK and out else code
    if asked.as_json:
        ended = closing(todo.change, results, code, told)
        lines = [json.dumps(one, ensure_ascii=False) for one in ended]
    else:
        lines = _lines(asked, report, progress, out)
    reader.result("\n".join(lines))
    return code


def _lines(asked: Asked, report: Report, progress: running.Progress, out: set[str]) -> list[str]:
    results = report.results
    lines = running.end_lines(results, style(), took_s=progress.took_s, command=asked.for_devices)
    if report.message:
        text = asked.worded(report.message)
        lines += ["", *wrapped(text, style(), indent=4, first="  ")]
    if out:
        lines.append(f"  left out: {', '.join(sorted(out))}")
    if not asked.rehearsed:
        lines += ["", f"Next: {_next(asked, report)}"]
    return lines


def _next(asked: Asked, report: Report) -> str:
    found = {result.outcome for result in report.results}
    if report.interrupted or found & LOST:
        return f"{asked.further('status')} · {asked.further('push')} --resume"
    again = asked.command.startswith("fabric rollback")  # behind one is what was just taken back
    back = f" · {asked.further('rollback')}" if Outcome.CHANGED in found and not again else ""
    return asked.further("status") + back
