"""What a push prints: the Change, refusals, questions; text or JSON."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.cli import OK, PARTIAL, USAGE
from fabric.cli._show import style, write_json, write_lines
from fabric.live.push import approval
from fabric.live.push.folder import STATE
from fabric.live.push.looking import Request
from fabric.model.push_change import Change
from fabric.report import push as screens
from fabric.report import push_progress as running

if TYPE_CHECKING:
    from fabric.model.push_change import Refused

_HARD = {"RCE910", "RCE911", "RCE912", "RCE914"}  # no Change comes about


@dataclass(frozen=True)
class Asked:
    """The command line of a push."""

    build: str | None = None
    devices: tuple[str, ...] = ()
    dry_run: bool = False
    offline: bool = False
    refresh: bool = False
    yes: bool = False
    approve: str | None = None
    allow_experimental: bool = False
    accept_no_timer: bool = False
    as_json: bool = False
    request: Request = field(default_factory=Request)
    command: str = "fabric push"
    state: Path = STATE
    time_factor: float = 1.0


def show(asked: Asked, change: Change, code: int) -> int:
    """A dry run's result."""
    if any(refused.rule in _HARD for refused in change.refused):
        code = USAGE
    if asked.as_json:
        write_json(screens.change_json(change))
    elif asked.devices:
        write_lines(_details(change, asked))
    else:
        write_lines([*screens.change_lines(change, style(), dry_run=True), *_next(asked, change)])
    return code


def _details(change: Change, asked: Asked) -> list[str]:
    shape = style()
    lines = [screens.OFFLINE] if change.offline else []
    for device in change.devices:
        lines += [*screens.device_lines(device, shape), ""]
    if change.refused:
        lines += [*screens.refused_lines(change.refused, shape), ""]
    again = " ".join(f"--device {name}" for name in asked.devices)
    return [*lines, f"Do only this: {asked.command} {again}"]


def _next(asked: Asked, change: Change) -> list[str]:
    lines = [""]
    if change.waves:
        canary = change.waves[0].devices[0]
        lines.append(f"Show: {asked.command} --dry-run --device {canary} (the diff, each command)")
    if not change.offline and change.waves:
        lines.append(f"Do it: {asked.command} · in a pipeline: --approve {change.sha256}")
    return lines if len(lines) > 1 else []


def nothing_to_do(asked: Asked, change: Change) -> int:
    count = len(change.devices)
    if asked.as_json:
        ndjson(running.end_json(OK, {"unchanged": count} if count else {}))
    else:
        write_lines(["", "Nothing to change."])
    return OK


def answered(asked: Asked, change: Change) -> bool:
    if asked.yes or asked.approve is not None:
        return True
    count = sum(len(wave.devices) for wave in change.waves)
    out = len({refused.device for refused in change.refused})
    rest = f" ({out:,} left out, as told above)" if out else ""
    many = "device" if count == 1 else "devices"
    return ask(f"Push to {count:,} {many} of {change.fabric}{rest}?")


def ask(question: str) -> bool:
    """A question on the terminal; anything but yes is no."""
    sys.stderr.write(f"\n{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in {"y", "yes"}


def refuse(
    asked: Asked, fabric: str, refused: tuple[Refused, ...], shown: tuple[Refused, ...] = ()
) -> int:
    """Refused before anything was touched. ``shown``: what stands on the screen already."""
    code = PARTIAL if approval.all_unreached(refused) else USAGE
    if asked.as_json and asked.dry_run:
        write_json(screens.change_json(_empty(fabric, refused)))
    elif asked.as_json:
        for one in refused:
            ndjson(running.refused_event_json(one))
        ndjson(running.end_json(code, {"refused": len({one.device for one in refused})}))
    else:
        new = tuple(one for one in refused if one not in shown)
        lines = ["", *screens.refused_lines(new, style())] if new else []
        write_lines([*lines, "", f"{fabric}: nothing was changed."])
    return code


def _empty(fabric: str, refused: tuple[Refused, ...]) -> Change:
    """A Change that did not come about."""
    return Change(1, fabric, "", False, 0, (), (), refused, "")  # noqa: FBT003


def ndjson(value: object) -> None:
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")
    sys.stdout.flush()
