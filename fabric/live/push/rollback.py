"""Back to the checkpoint of an earlier push: a push whose target is what was in force before that.

The target is the whole configuration, so nothing is merged: what is in force afterwards is, to the
byte, what was in force then.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, cast

from fabric.live.push.change import ChangeError, read_change
from fabric.live.push.folder import BEFORE, PushFolder
from fabric.live.push.journal import JournalError
from fabric.live.push.open_pushes import begun, standings
from fabric.live.push.planned import PlannedFabric
from fabric.live.push.unchanged import is_that
from fabric.model.names import natural_sorted

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

    from fabric.changing.procedure import Preview
    from fabric.model.device import DeviceModel
    from fabric.model.plan import DevicePlan
    from fabric.model.push import Files

NO_SUCH_PUSH, NOT_OF_PUSH = "RCE947", "RCE948"


class RollbackError(Exception):
    """There is nothing to go back to; ``rule`` and ``fix`` for the user."""

    def __init__(self, rule: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.rule, self.fix = rule, fix


def earlier_push(pushes: Path, wanted: str | None) -> PushFolder:
    """The push to go back behind: the last that is no rollback itself, or the one that is named.

    Raises:
        RollbackError: there is none of that name, or none at all.
    """
    found = list(begun(pushes))
    names = [folder.path.name for folder in found]
    if wanted is None:
        return _last(found, pushes.parent.name)
    fitting = [folder for folder in found if folder.path.name.startswith(wanted)]
    if len(fitting) == 1:
        return fitting[0]
    msg = f"{len(fitting) or 'no'} pushes of {pushes.parent.name} are called {wanted}"
    fix = f"the last ones are {', '.join(names[:5])}" if names else "no push was ever begun"
    raise RollbackError(NO_SUCH_PUSH, msg, fix)


def _last(found: list[PushFolder], fabric: str) -> PushFolder:
    """So that the rest of a push is taken back by one rollback after another."""
    last = next((folder for folder in found if not folder.rollback_of), None)
    if last is not None:
        return last
    if found:
        msg = f"only rollbacks of {fabric} are left here"
        raise RollbackError(NO_SUCH_PUSH, msg, "`fabric status --all` lists them; --push ID")
    msg = f"nothing was ever pushed to {fabric} from here"
    raise RollbackError(NO_SUCH_PUSH, msg, "`fabric push --dry-run` shows what would be")


def changed_by(folder: PushFolder) -> tuple[str, ...]:
    """Devices that a push laid anything down on or changed, whatever became of them.

    Raises:
        RollbackError: its journal cannot be read.
    """
    try:
        devices = standings(folder).devices
    except JournalError as error:
        raise RollbackError(error.rule, str(error), error.fix) from None
    return tuple(natural_sorted(n for n, s in devices.items() if s.touched or s.restored))


def rewound(planned: PlannedFabric, folder: PushFolder, named: Collection[str]) -> Rewound:
    """The fabric as it was before a push; ``named``: these devices alone.

    Raises:
        RollbackError: a device was not changed by that push, is not in the plan any more, or its
            checkpoint has gone or is not as it was kept.
    """
    changed = changed_by(folder)
    wanted = set(named) or set(changed)
    by_name = {device.name: device for device in planned.plan.devices}
    name = folder.path.name
    there = {d for d in wanted if folder.place(d, BEFORE).is_dir()}
    damaged = {d: folder.damaged(d, BEFORE) for d in there}
    told = {
        f"push {name} did not change": wanted.difference(changed),
        "no longer in the plan, so nobody knows how to reach": wanted.difference(by_name),
        f"no checkpoint is left of push {name} for": wanted.intersection(changed) - there,
        **{_damaged(folder, d): damaged[d] for d in natural_sorted(there)},
        f"not what was in force when push {name} was approved is the checkpoint of": {
            d
            for d in there & set(by_name)
            if not damaged[d] and _other(planned, folder, by_name[d])
        },
    }
    wrong = [f"{text} {', '.join(natural_sorted(who))}" for text, who in told.items() if who]
    if wrong or not wanted:
        msg = "; ".join(wrong) or f"push {name} changed nothing"
        raise RollbackError(NOT_OF_PUSH, msg, "`fabric status --push ID` shows what it changed")
    own = {f.name: getattr(planned, f.name) for f in fields(planned)}
    seal = hashlib.sha256(f"rollback {name} {planned.sha256}".encode()).hexdigest()
    own |= {"wanted": tuple(d for n, d in by_name.items() if n in wanted), "sha256": seal}
    own["systems"] = {
        key: replace(system, preview=_whole(system.preview))
        for key, system in planned.systems.items()
    }
    return Rewound(**own, checkpoints=folder)


def _other(planned: PlannedFabric, folder: PushFolder, device: DevicePlan) -> bool:
    """Whether a checkpoint is known not to be what was in force when that push was approved."""
    files, system = folder.files(device.name, BEFORE), planned.systems.get(device.platform)
    try:
        change = read_change(folder.change.read_text(encoding="utf-8"))
    except (OSError, ChangeError):
        return False  # nothing to compare with; what going back changes is shown all the same
    digests = {one.device: one.before_sha256 for one in change.devices}
    if files is None or system is None or device.name not in digests:
        return False
    return not is_that(system.preview, files, digests[device.name])


def _damaged(folder: PushFolder, device: str) -> str:
    place = folder.place(device, BEFORE)
    return f"the checkpoint of {device} is damaged: in {place} these are not as they were kept:"


@dataclass(frozen=True)
class Rewound(PlannedFabric):
    """A plan whose texts are the checkpoints of an earlier push."""

    checkpoints: PushFolder

    @property
    def rollback_of(self) -> str:
        """The push whose checkpoints these are."""
        return self.checkpoints.path.name

    def rendered(self, device: str) -> Files:
        """The whole configuration that was in force before that push."""
        return self.checkpoints.files(device, BEFORE) or {}

    def way_out(self, device: str) -> str:
        """What lets us in was changed since, by other hands; by hand it goes back too."""
        return (
            "a rollback never changes that: put these lines on the device back by hand (they lie "
            f"in {self.checkpoints.place(device, BEFORE)}), then again; or go back on the others "
            "alone, with --device"
        )

    def model(self, device: str) -> DeviceModel | None:
        """Nothing is compared with the plan: an older one may have been in force."""
        del device
        return None


def _whole(preview: Preview) -> Preview:
    return cast("Preview", _WholeTarget(preview))


class _WholeTarget:
    """A preview whose target is a whole configuration, not one to be merged."""

    def __init__(self, preview: Preview) -> None:
        self._preview = preview

    def __getattr__(self, name: str) -> object:
        return getattr(self._preview, name)

    def target(self, running: Files, rendered: Files) -> Files:
        """What was in force, all of it."""
        del running
        return rendered
