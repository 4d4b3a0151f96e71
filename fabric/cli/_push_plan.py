"""Which plan a push is about, and whether it may be pushed at all."""

from __future__ import annotations

import difflib
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.cli import UsageError
from fabric.cli._show import BUILD
from fabric.plan.store import PLAN_FILE, PlanError, plans_below, read_plan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.plan import Plan

_PLAN_FIRST = "run `fabric plan INVENTORY` first"


def plan_folder(wanted: str | None, build: Path = BUILD, *, command: str) -> Path:
    """The folder of a plan: named itself, by its fabric, or the only one below ``build``.

    Raises:
        UsageError: there is none, or there are several; ``command`` has NAME in it.
    """
    if wanted is None:
        return _only(build, command)
    for folder in (Path(wanted), build / wanted):
        if (folder / PLAN_FILE).is_file():
            return folder
    if plans_below(Path(wanted)):
        return _only(Path(wanted), command)
    names = [path.name for path in plans_below(build)]
    close = difflib.get_close_matches(wanted, names, 1)
    hint = f"did you mean {close[0]}?" if close else f"plans below {build}: {', '.join(names)}"
    msg = f"{wanted} is no folder of a plan and no fabric below {build}"
    raise UsageError(msg, hint if names else _PLAN_FIRST)


def _only(build: Path, command: str) -> Path:
    found = plans_below(build)
    if len(found) == 1:
        return found[0]
    if not found:
        msg = f"there is no plan below {build}"
        raise UsageError(msg, _PLAN_FIRST)
    named = "" if build == BUILD else f"{build}/"
    listed = "".join(f"\n  {named}{path.name}  {_devices(path)}" for path in found)
    msg = f"there are {len(found)} plans below {build}; NAME is one of:{listed}"
    raise UsageError(msg, f"name it: {command}")


def _devices(folder: Path) -> str:
    try:
        return f"{len(read_plan(folder).devices):,} devices"
    except PlanError as error:
        return str(error)


def plan_in(folder: Path) -> Plan:
    """The plan in a folder.

    Raises:
        UsageError: it is damaged, or of another schema.
    """
    try:
        return read_plan(folder)
    except PlanError as error:
        raise UsageError(str(error), error.fix) from None


def check_devices(plan: Plan, named: Sequence[str]) -> None:
    """All devices that were named are the plan's.

    Raises:
        UsageError: one is not; all that are wrong at once, with what was meant.
    """
    known = [device.name for device in plan.devices]
    wrong = [name for name in named if name not in known]
    if not wrong:
        return
    close = [match for name in wrong for match in difflib.get_close_matches(name, known, 1)]
    hint = f"did you mean {', '.join(close)}? " if close else ""
    msg = f"{plan.fabric} has no device {', '.join(wrong)}"
    raise UsageError(msg, f"{hint}`fabric show devices` lists them")
