"""Show what became of the last push: every device, timers that still run, what to do next."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK, UsageError
from fabric.cli._in_lab import LabOption, kept_in, lab_of
from fabric.cli._show import BUILD, AsJson, style, write_json, write_lines

if TYPE_CHECKING:
    from fabric.model.push_status import PushStatus

FabricArgument = Annotated[
    str | None, typer.Argument(help="Name of a fabric; default: the only one pushed to from here.")
]


def command(
    fabric: FabricArgument = None,
    *,
    push: Annotated[
        str | None, typer.Option("--push", metavar="ID", help="This push instead of the last.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All pushes, a line each.")] = False,
    lab: LabOption = None,
    as_json: AsJson = False,
) -> int:
    """Show what became of the last push: every device, timers that still run, what to do next."""
    from fabric.cli._push_show import Asked  # noqa: PLC0415 - heavy
    from fabric.live.push.folder import STATE, pushes_of  # noqa: PLC0415 - after the arguments
    from fabric.live.push.status import fabrics, push_statuses  # noqa: PLC0415
    from fabric.plan.store import plans_below  # noqa: PLC0415
    from fabric.report import push_status as screens  # noqa: PLC0415

    where = lab_of(lab) if lab else None
    state = kept_in(where) if where else STATE
    name = _fabric(fabric, state, lab)
    found = list(push_statuses(pushes_of(name, state), time.time()))
    many = len(fabrics(state)) > 1 or len(plans_below(BUILD)) > 1
    words = Asked(build=name if fabric or many else None, fabric=name, lab=where)
    found = [replace(one, next=tuple(map(words.worded, one.next))) for one in found]
    chosen = found if every else _chosen(found, push, name)
    if as_json:
        write_json(screens.status_json(chosen))
    elif every:
        from fabric.report.text import columns  # noqa: PLC0415

        write_lines([name, *columns([screens.one_line(one) for one in found])])
    else:
        write_lines(screens.status_lines(chosen[0], style()))
    bad = any(d.outcome in screens.BAD for d in chosen[0].devices) if chosen else False
    return FINDINGS if bad or (chosen and chosen[0].open) else OK


def _fabric(wanted: str | None, state: Path, lab: str | None) -> str:
    """The fabric that is meant.

    Raises:
        UsageError: it was never pushed to, or several were.
    """
    from fabric.live.push.status import fabrics  # noqa: PLC0415

    known = fabrics(state)
    name = Path(wanted).name if wanted else None
    if name in known:
        return str(name)
    if name is None and len(known) == 1:
        return known[0]
    if not known or name is not None:
        msg = f"nothing was pushed {f'to {name} ' if name else ''}from this folder"
        listed = f"known here: {', '.join(known)}" if known else "`fabric push` does"
        listed += "" if lab else "; of pushes to a lab: `fabric status --lab LAB`"
        raise UsageError(msg, listed)
    msg = f"several fabrics were pushed to from here: {', '.join(known)}"
    raise UsageError(msg, f"name one: fabric status {known[0]}")


def _chosen(found: list[PushStatus], wanted: str | None, fabric: str) -> list[PushStatus]:
    fitting = [one for one in found if wanted is None or one.push.startswith(wanted)]
    if wanted is not None and len(fitting) > 1:
        msg = f"{len(fitting)} pushes of {fabric} are called {wanted}"
        raise UsageError(msg, f"the last ones are {', '.join(one.push for one in fitting[:5])}")
    if fitting:
        return fitting[:1]
    msg = f"{fabric}: no push {f'is called {wanted}' if wanted else 'was ever begun'}"
    raise UsageError(msg, "`fabric status --all` lists them" if found else "fabric push --dry-run")
