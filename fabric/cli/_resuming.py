"""A push that was cut off, brought to its end: what was approved then is what is done now."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.cli import OK, UsageError
from fabric.cli import _push_plan as plans
from fabric.cli._push_carry import carried_out, prepared
from fabric.cli._push_events import ndjson
from fabric.cli._push_show import refuse
from fabric.cli._pushing import planned_of, with_digest
from fabric.cli._show import write_lines
from fabric.live.push import run
from fabric.live.push.approval import disapproved
from fabric.live.push.change import ChangeError, read_change
from fabric.live.push.folder import pushes_of
from fabric.live.push.journal import JournalError
from fabric.live.push.open_pushes import begun, to_resume
from fabric.live.push.saved import Saved, devices_of
from fabric.report.push_progress import end_json

if TYPE_CHECKING:
    from fabric.cli._push_show import Asked
    from fabric.cli._reach import Reaching
    from fabric.live.push.folder import PushFolder
    from fabric.model.push_change import Change


def resume(asked: Asked, reaching: Reaching) -> int:
    """Finish or restore the open push of the fabric; nothing is done twice."""
    if asked.dry_run or asked.devices or asked.refresh:
        msg = "--resume takes up a push as it was approved: no --dry-run, --device or --refresh"
        raise UsageError(msg, f"{asked.further('push')} --resume")
    asked = with_digest(asked)
    folder = asked.folder or plans.plan_folder(asked.build, command=asked.unnamed)
    plan = plans.plan_in(folder)
    asked = replace(asked, fabric=plan.fabric)
    found = _open(plan.fabric, asked)
    if found is None:
        if asked.as_json:
            ndjson(end_json(OK, {}))
        else:
            ever = any(begun(pushes_of(plan.fabric, asked.state)))
            then = asked.further("status") if ever else f"{asked.further('push')} --dry-run"
            write_lines([f"{plan.fabric}: no push is open.", f"Next: {then}"])
        return OK
    wrong = asked.approve is not None and disapproved(found.change, asked.approve)
    if wrong:
        return refuse(asked, plan.fabric, (wrong,))
    mine = replace(asked, devices=tuple(sorted(devices_of(found.change))))
    planned = planned_of(folder, plan, mine)  # of another device nothing need be known
    with reaching.open(planned) as reach:
        if reach.refused:
            return refuse(asked, plan.fabric, reach.refused)
        todo = prepared(planned, found, reach)
        return carried_out(asked, todo, reach, run.resume)


def _open(fabric: str, asked: Asked) -> Saved | None:
    try:
        folder = to_resume(pushes_of(fabric, asked.state))
    except JournalError as error:
        raise UsageError(str(error), error.fix) from None
    return None if folder is None else Saved(folder, _change(folder))


def _change(folder: PushFolder) -> Change:
    try:
        return read_change(folder.change.read_text(encoding="utf-8"))
    except (OSError, ChangeError) as error:
        msg = f"{folder.change}: {error}, so nobody knows what was approved"
        raise UsageError(msg, _by_hand(folder)) from None


def _by_hand(folder: PushFolder) -> str:
    """The way out that is left; a rollback is refused while this push is open, and says this."""
    return (
        "put change.json back from a copy, then again; without one wait until the timers of its "
        "devices have run out, compare each device with what was in force before (in "
        f"{folder.path / 'checkpoints'}), put that back by hand, and move {folder.path} elsewhere"
    )
