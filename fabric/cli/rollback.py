"""Go back to what was in force before an earlier push: shows the difference, asks, verifies."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli import _push_options as options
from fabric.cli._in_lab import LabOption
from fabric.cli._show import AsJson

PushOption = Annotated[
    str | None,
    typer.Option(
        "--push",
        metavar="ID",
        help="Go back behind this push (its first characters do); default: the last that was no "
        "rollback.",
    ),
]


def command(
    build_dir: options.BuildFolder = None,
    *,
    device: options.Devices = None,
    push: PushOption = None,
    dry_run: options.DryRun = False,
    yes: options.Yes = False,
    approve: options.Approve = None,
    workers: options.Workers = 10,
    wave_size: options.WaveSize = 5,
    window: options.Window = False,
    accept_new: options.AcceptNew = False,
    accept_no_timer: options.AcceptNoTimer = False,
    allow_experimental: options.AllowExperimental = False,
    lab: LabOption = None,
    as_json: AsJson = False,
) -> int:
    """Go back to what was in force before an earlier push: shows the difference, asks, verifies."""
    from fabric.cli._push_show import Asked  # noqa: PLC0415 - only now what is heavy
    from fabric.cli._reach import reaching  # noqa: PLC0415
    from fabric.cli._rolling_back import roll_back  # noqa: PLC0415
    from fabric.live.push.looking import Request  # noqa: PLC0415

    asked = Asked(
        build=build_dir,
        devices=tuple(dict.fromkeys(device or ())),
        dry_run=dry_run,
        refresh=True,
        yes=yes,
        approve=approve,
        allow_experimental=allow_experimental,
        accept_no_timer=accept_no_timer,
        accept_new=accept_new,
        as_json=as_json,
        request=Request(window=window, workers=workers, wave_size=wave_size),
        command="fabric rollback",
    )
    asked, way = reaching(asked, lab)
    return roll_back(asked, way, push)
