"""Push the plan to the switches: shows what would change, asks, changes, reads back."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli._in_lab import LabOption
from fabric.cli._show import AsJson

BuildArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="[BUILD_DIR]",
        help="Folder of a plan, or a fabric below build/; default: the only one there.",
    ),
]


def command(
    build_dir: BuildArgument = None,
    *,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Read, compare and show; change nothing.")
    ] = False,
    offline: Annotated[
        bool, typer.Option("--offline", help="With --dry-run: do not even read devices.")
    ] = False,
    refresh: Annotated[
        bool, typer.Option("--refresh", help="Make a new Change; a saved one no longer counts.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Approve without a question.")] = False,
    approve: Annotated[
        str | None,
        typer.Option(
            "--approve", metavar="SHA", help="Approve the Change with this digest (or FILE) alone."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Bring a push that was cut off to its end.")
    ] = False,
    device: Annotated[
        list[str] | None,
        typer.Option("--device", "-d", help="Only this device, its diff in full; repeatable."),
    ] = None,
    workers: Annotated[
        int, typer.Option("--workers", min=1, max=1000, help="Devices at a time.")
    ] = 10,
    wave_size: Annotated[
        int, typer.Option("--wave-size", min=1, help="Devices in a wave, at the most.")
    ] = 5,
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
    """Push the plan to the switches: shows what would change, asks, changes, reads back."""
    from fabric.cli._push_show import Asked  # noqa: PLC0415 - only now what is heavy
    from fabric.cli._reach import reaching  # noqa: PLC0415
    from fabric.live.push.looking import Request  # noqa: PLC0415

    asked = Asked(
        build=build_dir,
        devices=tuple(dict.fromkeys(device or ())),
        dry_run=dry_run,
        offline=offline,
        refresh=refresh,
        yes=yes,
        approve=approve,
        allow_experimental=allow_experimental,
        accept_no_timer=accept_no_timer,
        accept_new=accept_new,
        as_json=as_json,
        request=Request(window=window, workers=workers, wave_size=wave_size),
    )
    asked, way = reaching(asked, lab)
    if resume:
        from fabric.cli._resuming import resume as take_up  # noqa: PLC0415

        return take_up(asked, way)
    from fabric.cli._pushing import push  # noqa: PLC0415

    return push(asked, way)
