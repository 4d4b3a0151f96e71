"""Going back behind an earlier push, for whoever reaches the devices: SSH or a rehearsal."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.cli import UsageError
from fabric.cli import _push_plan as plans
from fabric.cli._pushing import check, planned_of, with_devices
from fabric.cli._show import write_lines
from fabric.live.push import rollback
from fabric.live.push.folder import pushes_of

if TYPE_CHECKING:
    from fabric.cli._push_show import Asked
    from fabric.cli._reach import Reaching


def roll_back(asked: Asked, reaching: Reaching, push: str | None) -> int:
    """A push to what was in force before push ``push`` (default: the last that is no rollback).

    Raises:
        UsageError: there is nothing to go back to, or nobody can be asked.
    """
    asked = check(asked)
    folder = plans.plan_folder(asked.build, command="fabric rollback")
    plan = plans.plan_in(folder)
    asked = replace(asked, fabric=plan.fabric)
    try:
        earlier = rollback.earlier_push(pushes_of(plan.fabric, asked.state), push)
        planned = planned_of(folder, plan, asked)
        back = rollback.rewound(planned, earlier, asked.devices)
    except rollback.RollbackError as error:
        msg = f"{error.rule}: {error}"
        raise UsageError(msg, asked.worded(error.fix)) from None
    # Another push may have been begun until it is typed.
    asked = replace(asked, command=f"fabric rollback --push {earlier.path.name}")
    if not asked.as_json:
        write_lines([f"Back to what was in force before push {earlier.path.name}:", ""])
    return with_devices(asked, back, reaching)
