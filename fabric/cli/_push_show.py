"""What a push prints: the Change, refusals, questions; text or JSON."""

from __future__ import annotations

import re
import shlex
import sys
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.cli import OK, PARTIAL, USAGE
from fabric.cli._push_events import end_stream, ndjson
from fabric.cli._show import style, write_json, write_lines
from fabric.live.push import approval, ending
from fabric.live.push.folder import STATE
from fabric.live.push.looking import WAVE_SIZE, Request
from fabric.live.push.standing import Standings
from fabric.report import push as screens
from fabric.report import push_progress as running
from fabric.report.text import terminal_style

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.push_change import Change, Refused

_COMMAND = re.compile(r"\bfabric (?P<command>push|rollback|status)\b")
_HARD = {"RCE910", "RCE911", "RCE912", "RCE914"}  # no Change comes about


@dataclass(frozen=True)
class Asked:
    """The command line of a push. ``lab``: to this lab and to no switch."""

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
    accept_new: bool = False
    command: str = "fabric push"
    state: Path = STATE
    time_factor: float = 1.0
    folder: Path | None = None  # of the plan, where it is known already
    resumes: bool = False
    faults: tuple[str, ...] = ()  # of a rehearsal, as they were typed
    rehearsed: bool = False  # nothing is left at its end: no status, no rollback, nothing to resume
    lab: str | None = None
    fabric: str = ""  # name of the fabric, once its plan was read

    @property
    def sure(self) -> bool:
        """Nobody is asked."""
        return self.yes or self.approve is not None

    def further(self, command: str) -> str:
        """``push``, ``rollback`` or ``status`` for the same plan and the same devices.

        Of a rehearsal only its push can be done once more: nothing else of it is left.
        """
        if self.rehearsed:
            again = (self.command, self.build, *self._faults(()))
            return _line(again) if command == "push" else f"fabric {command}"
        named = self.fabric if command == "status" else self.build
        lab = f"--lab {self.lab}" if self.lab else ""
        return _line((f"fabric {command}", named if self.build else "", lab))

    def worded(self, text: str) -> str:
        """A text whose commands are of the same plan and the same devices as this one."""
        if self.rehearsed:  # its folder goes with it; a push keeps the same in another
            text = text.replace(f"{self.state}/", f"{STATE}/")
        return _COMMAND.sub(lambda found: self.further(found["command"]), text)

    @property
    def again(self) -> str:
        """The command, with all that the Change depends on."""
        return self._again(())

    def _again(self, devices: tuple[str, ...]) -> str:
        accepted = not self.rehearsed  # there they count as given
        flags = {
            f"--lab {self.lab}": self.lab is not None,
            "--window": self.request.window and accepted,
            "--allow-experimental": self.allow_experimental and accepted,
            "--accept-no-timer": self.accept_no_timer and accepted,
            "--accept-new": self.accept_new,
            f"--wave-size {self.request.wave_size}": self.request.wave_size != WAVE_SIZE,
        }
        given = (flag for flag, is_given in flags.items() if is_given)
        return _line((self.command, self.build, *given, *self._faults(devices)))

    def _faults(self, devices: tuple[str, ...]) -> list[str]:
        """Those of these devices; for none: all."""
        named = [fault for fault in self.faults if not devices or _struck(fault) in devices]
        return [f"--fault {shlex.quote(fault)}" for fault in named]

    @property
    def unnamed(self) -> str:
        """The command as it was given, with its plan left open."""
        flags = {
            "--dry-run": self.dry_run,
            "--offline": self.offline,
            "--refresh": self.refresh,
            "--resume": self.resumes,
            "--yes": self.yes and not self.rehearsed,
            f"--approve {self.approve}": self.approve is not None,
            "--json": self.as_json,
        }
        given = (flag for flag, is_given in flags.items() if is_given)
        return _line((replace(self, build="NAME").for_devices(()), *given))

    @property
    def look(self) -> str:
        """The dry run that shows what this one does."""
        return f"{self.again} --dry-run{' --offline' if self.offline else ''}"

    def for_devices(self, devices: tuple[str, ...]) -> str:
        """The command for these devices alone; for none: for those that it was given for."""
        named = devices or self.devices
        return _line((self._again(named), *(f"--device {name}" for name in named)))


def _line(parts: Iterable[str | None]) -> str:
    return " ".join(part for part in parts if part)


def _struck(fault: str) -> str:
    """The device of a fault, ``KIND@DEVICE[:STEP]``."""
    return fault.partition("@")[2].partition(":")[0]


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
    again = asked.for_devices(asked.devices)
    if change.offline or not change.waves:
        return lines[:-1]
    if approval.blocking(change):
        return [*lines, "It is not pushed as it stands: see what is refused."]
    alone = f"{again} --approve {change.sha256}"
    return [*lines, f"Do only this: {again}", f"In a pipeline: {alone}"]


def _next(asked: Asked, change: Change) -> list[str]:
    if not change.waves:
        return []
    canary = change.waves[0].devices[0]
    lines = ["", f"Show: {asked.look} --device {canary} (the diff, each command)"]
    if change.offline:
        return lines
    if approval.blocking(change):
        return [*lines, "It is not pushed as it stands: see what is refused."]
    alone = f"{asked.again} --approve {change.sha256}"
    return [*lines, f"Do it: {asked.again}", f"In a pipeline: {alone}"]


def nothing_to_do(asked: Asked, change: Change) -> int:
    return _not_begun(asked, change, "", ["", "Nothing to change."])


def declined(asked: Asked, change: Change) -> int:
    """The question was answered with no."""
    return _not_begun(asked, change, "nobody approved it", ["Nothing was changed."])


def _not_begun(asked: Asked, change: Change, why: str, lines: list[str]) -> int:
    if asked.as_json:
        untouched = tuple(ending.results(change, Standings.of(()), why))
        end_stream(change, untouched, OK)
    else:
        write_lines(lines)
    return OK


def answered(asked: Asked, change: Change) -> bool:
    if asked.sure:
        return True
    if asked.as_json:  # who is asked has to see it, and standard output is a program's
        shape = terminal_style(is_terminal=sys.stderr.isatty())
        lines = screens.change_lines(change, shape, dry_run=False)
        sys.stderr.write("".join(f"{line}\n" for line in lines))
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
    refused = tuple(replace(one, fix=asked.worded(one.fix)) for one in refused)
    if asked.as_json and asked.dry_run:
        write_json(screens.nothing_json(refused))
    elif asked.as_json:
        for one in refused:
            ndjson(running.refused_event_json(one))
        count = len({one.device for one in refused if one.device is not None})
        ndjson(running.end_json(code, {"refused": count} if count else {}))
    else:
        seen = {(one.device, one.rule, one.message) for one in shown}
        new = tuple(r for r in refused if (r.device, r.rule, r.message) not in seen)
        lines = ["", *screens.refused_lines(new, style())] if new else []
        write_lines([*lines, "", f"{fabric}: nothing was changed."])
    return code
