"""Show what the current plan changes against the one before."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import BUILD, AsJson, OutOption, style, write_json, write_lines
from fabric.files.tree import previous_of
from fabric.plan.compare import compare, unified
from fabric.plan.store import PlanError, only_plan, read_plan
from fabric.report.changes import comparison_json, comparison_lines

FabricArgument = Annotated[
    str | None, typer.Argument(help="Fabric whose plan is meant; default: the only one.")
]
DeviceOption = Annotated[
    str | None,
    typer.Option("--device", "-d", help="Show the text of this device's or host's diff."),
]


def command(
    fabric: FabricArgument = None,
    *,
    device: DeviceOption = None,
    out: OutOption = BUILD,
    as_json: AsJson = False,
) -> int:
    """Show what the current plan changes against the one before."""
    try:
        folder = out / fabric if fabric else only_plan(out, "name one: `fabric diff NAME`")
        new = read_plan(folder)
        previous = previous_of(folder)
        if not previous.is_dir():
            return _nothing_before(new.fabric, folder, as_json=as_json)
        comparison = compare(previous, read_plan(previous), folder, new)
    except PlanError as error:
        raise UsageError(str(error), error.fix) from None
    if as_json:
        write_json({"schema": 1, "fabric": new.fabric, "changes": comparison_json(comparison)})
        return OK
    if device is not None:
        files = [f.name for c in comparison.devices if c.name == device for f in c.files]
        known = {d.name for d in new.devices} | {name for name, _ in new.hosts}
        if not files and device not in known:
            msg = f"{new.fabric} has no device or host {device}"
            raise UsageError(msg, "`fabric show devices` lists them")
        lines = [line for name in files for line in unified(previous, folder, name)]
        write_lines(lines or [f"{device} would not change."])
        return OK
    lines = comparison_lines(comparison, style())
    changed = [c.name for c in comparison.devices]
    if changed:
        lines.append(f"Next: fabric diff --device {changed[0]}")
    write_lines([f"{new.fabric}: the current plan against the one before", *lines])
    return OK


def _nothing_before(fabric: str, folder: Path, *, as_json: bool) -> int:
    if as_json:
        write_json({"schema": 1, "fabric": fabric, "changes": None})
    else:
        write_lines([f"{fabric}: there is no earlier plan beside {folder}; nothing to compare."])
    return OK
