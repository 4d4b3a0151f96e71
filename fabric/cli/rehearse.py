"""Rehearse a push: all of it, against fake switches that were configured as they ship."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import Annotated

import typer

from fabric.cli import UsageError
from fabric.cli import _push_options as options
from fabric.cli._show import AsJson, write_lines

_AS_IF = (
    "As if given: --yes --window --accept-no-timer --allow-experimental. `fabric push` wants those "
    "it needs in so many words."
)


def command(
    plan: Annotated[
        str | None,
        typer.Argument(
            metavar="[INVENTORY|BUILD_DIR]",
            help="An inventory, or a plan as `fabric push` takes it; default: the only one there.",
        ),
    ] = None,
    *,
    fault: Annotated[
        list[str] | None,
        typer.Option(
            "--fault",
            metavar="KIND@DEVICE[:STEP]",
            help="What goes wrong, and where; repeatable. A word that is none lists the kinds.",
        ),
    ] = None,
    dry_run: options.DryRun = False,
    offline: options.Offline = False,
    refresh: options.Refresh = False,
    yes: options.Yes = False,
    approve: options.Approve = None,
    resume: options.Resume = False,
    device: options.Devices = None,
    workers: options.Workers = 10,
    wave_size: options.WaveSize = 5,
    window: options.Window = False,
    accept_new: options.AcceptNew = False,
    accept_no_timer: options.AcceptNoTimer = False,
    allow_experimental: options.AllowExperimental = False,
    as_json: AsJson = False,
) -> int:
    """Rehearse a push: all of it, against fake switches that were configured as they ship."""
    del yes, window, accept_no_timer, allow_experimental  # as if given: nothing real is at stake
    from fabric.cli._push_show import Asked  # noqa: PLC0415 - only now what is heavy
    from fabric.cli._pushing import push  # noqa: PLC0415
    from fabric.cli._rehearsing import (  # noqa: PLC0415
        SECOND_S,
        FakeSwitches,
        afterwards,
        private_plan,
    )
    from fabric.live.push.folder import STATE  # noqa: PLC0415
    from fabric.live.push.looking import Request  # noqa: PLC0415
    from fabric.live.rehearsal.control import RehearsalError  # noqa: PLC0415
    from fabric.live.rehearsal.room import private_room  # noqa: PLC0415

    if fault and offline:
        msg = "--offline asks no fake switch, so that nothing can go wrong at one"
        raise UsageError(msg, "leave out --offline, or --fault")

    def tell(lines: list[str]) -> None:
        if as_json:
            sys.stderr.write("".join(f"{line}\n" for line in lines))
        else:
            write_lines(lines)
            sys.stdout.flush()

    asked = Asked(
        build=plan,
        devices=tuple(dict.fromkeys(device or ())),
        dry_run=dry_run,
        offline=offline,
        refresh=refresh,
        yes=approve is None,
        approve=approve,
        allow_experimental=True,
        accept_no_timer=True,
        accept_new=accept_new,
        as_json=as_json,
        request=Request(window=True, workers=workers, wave_size=wave_size),
        command="fabric rehearse",
        time_factor=SECOND_S,
        faults=tuple(fault or ()),
        rehearsed=True,
    )
    if resume:
        msg = "a rehearsal leaves nothing open: there is none to take up"
        raise UsageError(msg, f"{asked.for_devices(())} from the start")
    try:
        with private_room() as private:
            copy = private_plan(asked, private)
            asked = replace(asked, folder=copy, state=private / STATE)
            switches = FakeSwitches(private, asked.faults, tell)
            tell([_AS_IF])
            code = push(asked, switches)
            if not dry_run:
                tell(["", *afterwards(asked, code, copy)])
            return code
    except RehearsalError as error:
        msg = f"no rehearsal: {error}"
        raise UsageError(msg) from None
