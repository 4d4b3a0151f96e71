"""May this switch be taken out of service now? Exit 0: yes, 1: no."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli import FINDINGS, OK, UsageError
from fabric.cli._show import AsJson, derived, write_json, write_lines
from fabric.cli.analyze._asking import FailOption, MoreArgument, down, somebody_fix, switches_of
from fabric.cli.analyze._progress import Shown
from fabric.cli.plan import InventoryArgument

SwitchArgument = Annotated[str, typer.Argument(help="The switch to take out.")]
LeastOption = Annotated[
    float,
    typer.Option("--least", min=0.0, max=100.0, help="Percent of today's rate that must stay."),
]


def command(
    inventory: InventoryArgument,
    switch: SwitchArgument,
    more: MoreArgument = None,
    *,
    fail: FailOption = None,
    least: LeastOption = 50.0,
    as_json: AsJson = False,
) -> int:
    """May this switch be taken out of service now? Exit 0: yes, 1: no."""
    from fabric.analysis.bandwidth.answer import State  # noqa: PLC0415
    from fabric.analysis.bandwidth.draining import drained  # noqa: PLC0415
    from fabric.analysis.failure_sets import SweepTooLargeError  # noqa: PLC0415
    from fabric.report import bandwidth as report  # noqa: PLC0415

    design = derived(inventory).design
    (name,) = switches_of(design, "SWITCH", [switch])
    failed = down(design, fail, more)
    if name in failed.switches:
        msg = f"{name} is down already"
        raise UsageError(msg, "leave it out of --fail")
    shown = Shown("kinds of failures")
    try:
        state = State(design, failed.cables, failed.switches)
        found = drained(state, name, least=least / 100, progress=shown.progress)
    except SweepTooLargeError as error:
        raise UsageError(str(error), "fabric analyze bandwidth --fail names what is down") from None
    except ValueError as error:
        down_now = bool(failed.cables or failed.switches)
        raise UsageError(str(error), somebody_fix(design, failed=down_now)) from None
    finally:
        shown.clear()
    names = sorted(failed.cables | failed.switches)
    if as_json:
        head: dict[str, object] = {"schema": report.SCHEMA, "fabric": design.intent.name}
        write_json({**head, "failed": names, **report.drain_json(found)})
    else:
        lost = f" · down: {', '.join(names)}" if names else ""
        title = f"{design.intent.name}{lost} · may {name} be taken out?"
        write_lines([title, *report.drain_lines(found)])
    return OK if found.may else FINDINGS
