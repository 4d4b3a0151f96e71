"""Going back behind an earlier push, for whoever reaches the devices: SSH or a rehearsal."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.cli import UsageError
from fabric.cli import _push_plan as plans
from fabric.cli._pushing import can_be_asked, check, planned_of, with_devices
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
    given = f"fabric rollback --push {push}" if push else "fabric rollback"
    command = replace(asked, command=given, refresh=False).unnamed
    folder = plans.plan_folder(asked.build, command=command)
    can_be_asked(asked)
    plan = plans.plan_in(folder)
    asked = replace(asked, fabric=plan.fabric)
    try:
        earlier = rollback.earlier_push(pushes_of(plan.fabric, asked.state), push)
        changed = rollback.changed_by(earlier)
        plans.check_devices(plan, [name for name in asked.devices if name not in changed])
        planned = planned_of(folder, plan, asked)
        back = rollback.rewound(planned, earlier, asked.devices)
    except rollback.RollbackError as error:
        msg = f"{error.rule}: {error}"
        raise UsageError(msg, asked.worded(error.fix)) from None
    # Another push may have been begun until it is typed.
    asked = replace(asked, command=f"fabric rollback --push {earlier.path.name}")
    head = f"Back to what was in force before push {earlier.path.name}:"
    if not asked.as_json:
        write_lines([head, ""])
    elif not (asked.dry_run or asked.sure):  # with the Change, for who is asked
        sys.stderr.write(f"{head}\n\n")
    return with_devices(asked, back, reaching)
