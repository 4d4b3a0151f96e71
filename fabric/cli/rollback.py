"""Go back to what was in force before an earlier push: shows the difference, asks, verifies."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli._in_lab import LabOption
from fabric.cli._show import AsJson
from fabric.cli.push import BuildArgument

PushOption = Annotated[
    str | None,
    typer.Option(
        "--push", metavar="ID", help="Go back behind this push (its first characters do)."
    ),
]


def command(
    build_dir: BuildArgument = None,
    *,
    device: Annotated[
        list[str] | None,
        typer.Option("--device", "-d", help="Only this device; repeatable."),
    ] = None,
    push: PushOption = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read, compare and show; change nothing.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve without a question.")] = False,
    approve: Annotated[
        str | None,
        typer.Option(
            "--approve", metavar="SHA", help="Approve the Change with this digest (or FILE) alone."
        ),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=1000, help="Devices at a time.")
    ] = 10,
    window: Annotated[
        bool, typer.Option("--window", help="This is a maintenance window: traffic may stop.")
    ] = False,
    accept_new: Annotated[
        bool, typer.Option("--accept-new", help="Take down host keys that are not known yet.")
    ] = False,
    accept_no_timer: Annotated[
        bool,
        typer.Option("--accept-no-timer", help="Also systems that undo nothing by themselves."),
    ] = False,
    allow_experimental: Annotated[
        bool, typer.Option("--allow-experimental", help="Also systems that are experimental.")
    ] = False,
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
        request=Request(window=window, workers=workers),
        command="fabric rollback" + (f" --push {push}" if push else ""),
    )
    asked, way = reaching(asked, lab)
    return roll_back(asked, way, push)
