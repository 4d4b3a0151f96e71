"""The stream of events of a push, a line of JSON each; at its end every device was named."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING

from fabric.model.push_change import Event
from fabric.report import push_progress as running

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from fabric.model.push_change import Change, StepResult


def end_stream(
    change: Change, results: Sequence[StepResult], code: int, told: Mapping[str, str] | None = None
) -> None:
    """Close a stream of events. ``told``: outcomes by device."""
    for one in closing(change, results, code, told):
        ndjson(one)


def closing(
    change: Change, results: Sequence[StepResult], code: int, told: Mapping[str, str] | None = None
) -> list[dict[str, object]]:
    """The last lines of a stream of events, which then names every device."""
    known = told or {}
    waves = {name: wave.number for wave in change.waves for name in wave.devices}
    lines = []
    for one in results:
        if known.get(one.device) != one.outcome.value:
            word, wave = one.outcome.value, waves.get(one.device, 0)
            ended = Event("device", one.device, wave, one.step, word, one.message)
            lines.append(running.event_json(ended))
    out = left_out(change, results)
    lines += [running.refused_event_json(one) for one in change.refused if one.device in out]
    return [*lines, running.end_json(code, running.by_status(results, len(out)))]


def left_out(change: Change, results: Iterable[StepResult]) -> set[str]:
    """Devices that were refused and of which nothing else is told."""
    refused = {one.device for one in change.refused if one.device is not None}
    return refused - {result.device for result in results}


def ndjson(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
