"""A push from its plan to its approval, for whoever reaches the devices: SSH or a rehearsal."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.cli import FINDINGS, OK, PARTIAL, UsageError
from fabric.cli import _push_plan as plans
from fabric.cli._push_show import Asked, answered, nothing_to_do, refuse, show
from fabric.cli._show import style, write_lines
from fabric.cli.plan import Progress as Bar
from fabric.live.push import approval, offline, prepare, refusals, saved
from fabric.live.push.folder import NotWrittenError, pushes_of
from fabric.live.push.looking import NOT_REACHED, Looking
from fabric.live.push.planned import planned_fabric
from fabric.model.push_change import Change, Refused
from fabric.report.push import change_lines

if TYPE_CHECKING:
    from fabric.cli._reach import Reaching
    from fabric.live.push.looking import Reach
    from fabric.live.push.planned import PlannedFabric
    from fabric.live.push.saved import Saved
    from fabric.model.plan import Plan

_MEND_DISK = "pushes are kept in `.fabric` in this folder: mend its permissions, or make room"


def push(asked: Asked, reaching: Reaching) -> int:
    """Everything: the plan, its refusals, the devices, the Change, the approval, the push."""
    asked = check(asked)
    folder = asked.folder or plans.plan_folder(asked.build)
    plan = plans.plan_in(folder)
    asked = replace(asked, fabric=plan.fabric)
    plans.check_devices(plan, asked.devices)
    broken = refusals.of_plan(folder, plan)
    if broken:
        return refuse(asked, plan.fabric, broken)
    planned = planned_of(folder, plan, asked)
    broken = refusals.of_design(planned) or refusals.of_texts(planned)
    if broken:
        return refuse(asked, plan.fabric, broken)
    if asked.offline or (asked.dry_run and reaching.leads_nowhere(planned)):
        return show(asked, _offline(asked, planned, {}, ()), OK)
    return with_devices(asked, planned, reaching)


def with_devices(asked: Asked, planned: PlannedFabric, reaching: Reaching) -> int:
    """The part from the first look at a device on."""
    with reaching.open(planned) as reach:
        if reach.refused:
            return refuse(asked, planned.plan.fabric, reach.refused)
        return _dry_run(asked, planned, reach) if asked.dry_run else _push(asked, planned, reach)


def check(asked: Asked) -> Asked:
    """What can be said before anything is read; the same with the digest that is approved.

    Raises:
        UsageError: options that do not go together, or nobody can be asked.
    """
    if asked.offline and not asked.dry_run:
        msg = "--offline reads nothing, so there is nothing to approve"
        raise UsageError(msg, "add --dry-run")
    if not (asked.dry_run or asked.yes or asked.approve is not None or sys.stdin.isatty()):
        msg = "RCE922: nobody can be asked: there is no terminal"
        raise UsageError(msg, "--approve SHA (of `fabric push --dry-run --json`), or --yes")
    return with_digest(asked)


def with_digest(asked: Asked) -> Asked:
    """The same with the digest that ``--approve`` names, which may be a file.

    Raises:
        UsageError: it names none, or --yes says otherwise.
    """
    if asked.approve is None:
        return asked
    if asked.yes:
        msg = "--yes and --approve exclude each other"
        raise UsageError(msg, "--approve alone approves one Change")
    try:
        return replace(asked, approve=approval.digest_named(asked.approve))
    except approval.ApprovalError as error:
        msg = f"{approval.NOT_APPROVED}: {error}"
        raise UsageError(msg, error.fix) from None


def planned_of(folder: Path, plan: Plan, asked: Asked) -> PlannedFabric:
    """The plan with the Design that its inputs give."""
    from fabric import flow  # noqa: PLC0415 - needs pydantic

    derived = flow.derive(folder / "inputs" / plan.inventory)
    design, roots, locate = derived.design, derived.roots, derived.reading.locate
    return planned_fabric(folder, plan, design, roots, asked.devices, locate=locate)


def _flags(asked: Asked, planned: PlannedFabric) -> tuple[Refused, ...]:
    """What concerns the whole push and not what is read."""
    accepted = refusals.of_flags(
        planned,
        allow_experimental=asked.allow_experimental,
        accept_no_timer=asked.accept_no_timer,
    )
    return (*refusals.of_systems(planned), *accepted)


def _offline(
    asked: Asked, planned: PlannedFabric, users: dict[str, str], refused: tuple[Refused, ...]
) -> Change:
    pushes = pushes_of(planned.plan.fabric, asked.state)
    found = offline.imagine(planned, planned.wanted, asked.request, pushes=pushes, users=users)
    told = (*_flags(asked, planned), *refused)
    return prepare.change_of(planned, found, told, asked.request, offline=True)


def _look(asked: Asked, planned: PlannedFabric, reach: Reach) -> Saved:
    """Read every device; the Change is in a folder of its own.

    Raises:
        UsageError: our own disk does not take what has to be kept.
    """
    try:
        return _looked(asked, planned, reach)
    except NotWrittenError as error:
        msg = f"{error}; nothing was changed on any device"
        raise UsageError(msg, _MEND_DISK) from None


def _looked(asked: Asked, planned: PlannedFabric, reach: Reach) -> Saved:
    pushes = pushes_of(planned.plan.fabric, asked.state)
    now = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    folder = saved.new_folder(pushes, now, planned.sha256)
    bar = Bar()
    try:
        if planned.rollback_of:
            folder.keep_rollback_of(planned.rollback_of)
        look = Looking(planned, asked.request, reach, folder)
        found, refused = look.at(planned.wanted, lambda _, done, of: bar("reading", done, of))
    except BaseException:
        saved.forget(folder)
        raise
    finally:
        bar.clear()
    told = (*_flags(asked, planned), *refused)
    change = prepare.change_of(planned, found, told, asked.request, offline=False)
    return saved.save(folder, change)


def _open(asked: Asked, planned: PlannedFabric) -> tuple[Refused, ...]:
    """A push of this fabric that goes on or was cut off: its timers are not somebody else's."""
    from fabric.live.push import run  # noqa: PLC0415 - heavy

    try:
        run.refuse_while_open(pushes_of(planned.plan.fabric, asked.state))
    except run.PushError as error:
        return (Refused(None, error.rule, str(error), error.fix),)
    except OSError as error:
        msg = f"{error.filename or asked.state} cannot be read: {error.strerror}"
        raise UsageError(msg, _MEND_DISK) from None
    return ()


def _dry_run(asked: Asked, planned: PlannedFabric, reach: Reach) -> int:
    other = _open(asked, planned)
    if other:
        return refuse(asked, planned.plan.fabric, other)
    now = _look(asked, planned, reach)
    change = now.change
    silent = tuple(refused for refused in change.refused if refused.rule in NOT_REACHED)
    if silent and not change.devices:
        saved.forget(now.folder)
        return show(asked, _offline(asked, planned, dict(reach.users), silent), PARTIAL)
    saved.forget_older(now.folder.path.parent, now)
    return show(asked, change, PARTIAL if silent else FINDINGS if change.refused else OK)


def _push(asked: Asked, planned: PlannedFabric, reach: Reach) -> int:
    from fabric.live.push import run  # noqa: PLC0415 - not for a dry run

    pushes = pushes_of(planned.plan.fabric, asked.state)
    other = _open(asked, planned)
    if other:
        return refuse(asked, planned.plan.fabric, other)
    wanted = {device.name for device in planned.wanted}
    before = None if asked.refresh else saved.newest(pushes, planned.sha256, wanted)
    now = _look(asked, planned, reach)
    change = now.change
    if before is not None:
        stale = saved.overtaken(before.change, change)
        if stale:
            saved.forget(now.folder)
            told = approval.overtaken_refusals(stale)
            return refuse(asked, change.fabric, told)
    saved.forget_older(pushes, now)
    if not asked.as_json:
        write_lines(change_lines(change, style(), dry_run=False))
    wrong = _not_approved(asked, change)
    if wrong:
        return refuse(asked, change.fabric, wrong, shown=change.refused)
    if not change.waves:
        saved.forget(now.folder)  # no later push is to take it up as if somebody had looked at it
        return nothing_to_do(asked, change)
    if not answered(asked, change):
        write_lines(["Nothing was changed."])
        return OK
    from fabric.cli import _push_carry as carry  # noqa: PLC0415 - not for a dry run

    return carry.carried_out(asked, carry.prepared(planned, now, reach), reach, run.push)


def _not_approved(asked: Asked, change: Change) -> tuple[Refused, ...]:
    """Why this Change is not carried out; empty: it is, if a question is still answered so."""
    held_up = approval.blocking(change)
    if held_up:
        return held_up
    if asked.approve is not None:
        wrong = approval.disapproved(change, asked.approve)
        return (wrong,) if wrong else ()
    if not change.waves and change.refused:
        return change.refused
    wrong = approval.not_by_yes(change) if asked.yes else None
    return (*approval.left_out(change), wrong) if wrong else ()
