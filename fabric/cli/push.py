"""Push the plan to the switches: shows what would change, asks, changes, reads back."""

from __future__ import annotations

from fabric.cli import _push_options as options
from fabric.cli._in_lab import LabOption
from fabric.cli._show import AsJson


def command(
    build_dir: options.BuildFolder = None,
    *,
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
        resumes=resume,
        request=Request(window=window, workers=workers, wave_size=wave_size),
    )
    asked, way = reaching(asked, lab)
    if resume:
        from fabric.cli._resuming import resume as take_up  # noqa: PLC0415

        return take_up(asked, way)
    from fabric.cli._pushing import push  # noqa: PLC0415

    return push(asked, way)
