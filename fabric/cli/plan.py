"""Design a fabric from its inventory and write every config to build/<fabric>/."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import UsageError
from fabric.cli._show import (
    BUILD,
    AsJson,
    FailOn,
    OutOption,
    exit_code,
    severity,
    style,
    today,
    write_json,
    write_lines,
)
from fabric.files.tree import NotOursError

if TYPE_CHECKING:
    from fabric.flow import Planned
    from fabric.report.text import Style

InventoryArgument = Annotated[Path, typer.Argument(help="The inventory, a YAML file.")]
SLOW_S = 1.0


def command(
    inventory: InventoryArgument,
    *,
    out: OutOption = BUILD,
    fail_on: FailOn = "error",
    as_json: AsJson = False,
) -> int:
    """Design a fabric from its inventory and write every config to build/<fabric>/."""
    from fabric import flow  # noqa: PLC0415 — after the arguments are known to be good

    limit = severity(fail_on)
    started = time.perf_counter()
    progress = Progress()
    try:
        done = flow.plan(inventory, out=out, today=today(), progress=progress)
    except NotOursError as error:
        raise UsageError(str(error), "move it away, or name another folder with --out") from None
    except OSError as error:
        msg = f"{error.filename or out}: {error.strerror}"
        raise UsageError(msg, "mend its permissions, or name another folder with --out") from None
    finally:
        progress.clear()
    if as_json:
        write_json(_json(done))
    else:
        write_lines(_text(done, time.perf_counter() - started, style()))
    return exit_code(done.findings, limit)


class Progress:
    """One line on standard error, from one second on, on terminals only."""

    def __init__(self) -> None:
        self._started = time.monotonic()
        self._shown = False

    def __call__(self, what: str, done: int, of: int) -> None:
        """So many are done."""
        if not sys.stderr.isatty() or time.monotonic() - self._started < SLOW_S:
            return
        if done % 50 == 0 or done == of:
            filled = 24 * done // of
            bar = "━" * filled + " " * (24 - filled)
            sys.stderr.write(f"\r{what:<9} {bar} {done:,}/{of:,} ")
            sys.stderr.flush()
            self._shown = True

    def clear(self) -> None:
        """Take the line away."""
        if self._shown:
            sys.stderr.write("\r" + " " * 60 + "\r")
            sys.stderr.flush()


def _json(done: Planned) -> dict[str, object]:
    import dataclasses  # noqa: PLC0415

    from fabric.report.changes import comparison_json  # noqa: PLC0415
    from fabric.report.findings import findings_json  # noqa: PLC0415
    from fabric.report.listing import qos  # noqa: PLC0415

    shared = findings_json(done.findings)
    return {
        "schema": shared["schema"],
        "fabric": done.plan.fabric,
        "path": str(done.folder),
        "pushable": done.plan.pushable,
        "devices": [dataclasses.asdict(device) for device in done.plan.devices],
        "hosts": [name for name, _ in done.plan.hosts],
        "design": dataclasses.asdict(done.plan.summary),
        "qos": qos(done.derived.design),
        "changed": done.changed,
        "changes": comparison_json(done.comparison),
        "lock": None if done.lock_path is None else str(done.lock_path),
        "findings": shared["findings"],
        "summary": shared["summary"],
    }


def _text(done: Planned, seconds: float, shape: Style) -> list[str]:
    from fabric.report.changes import change_line, moved_line  # noqa: PLC0415
    from fabric.report.findings import findings_text  # noqa: PLC0415
    from fabric.report.summary import summary_lines  # noqa: PLC0415

    plan = done.plan
    lines = summary_lines(plan.summary, done.derived.design, shape)
    lines += ["", *findings_text(done.findings, shape, evidence=False), ""]
    what = f"{len(plan.devices):,} configs, {len(plan.hosts):,} hosts, cables, addresses, qos.md"
    verb = "Wrote" if done.changed else "Unchanged:"
    since = change_line(done.comparison, changed=done.changed)
    lines.append(f"{verb} {done.folder} ({what}) in {seconds:.1f} s. {since}")
    if done.comparison is not None and done.comparison.moved:
        lines.append(shape.paint(moved_line(done.comparison), "yellow"))
    if done.lock_path is None:
        lines.append(
            "The lock lies in the plan alone: the inventory's folder is not writable "
            f"({done.folder}/inputs)."
        )
    if not plan.pushable:
        lines.append("Not pushable: mend the errors above first.")
    example = plan.devices[0].name if plan.devices else "DEVICE"
    diff = "fabric diff · " if done.comparison is not None else ""
    lines.append(f"Next: {diff}fabric show ports {example} · less {done.folder}/qos.md")
    return lines
