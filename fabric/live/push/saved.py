"""Changes on the disk: a dry run leaves one, a push takes the newest of its plan and devices."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from fabric.live.push.change import ChangeError, change_pieces, read_change
from fabric.live.push.folder import (
    NotWrittenError,
    PushFolder,
    private_folder,
    write_private,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from fabric.model.push_change import Change

_TIME, _NAMED = "%Y%m%d-%H%M%S", re.compile(r"(?P<time>\d{8}-\d{6})-")


@dataclass(frozen=True, slots=True)
class Saved:
    """A Change and the folder that it lies in with its texts."""

    folder: PushFolder
    change: Change


def new_folder(pushes: Path, time: str, plan_sha256: str) -> PushFolder:
    """A folder for one more push. ``time``: ``20261201-064256``, so that names sort by it.

    Where the clock was set back since the last one, the name bears a second more than that one's.

    Raises:
        NotWrittenError: it cannot be made.
    """
    private_folder(pushes)
    time, number = _not_earlier(pushes, time), 1
    while True:
        name = f"{time}-{plan_sha256[:6]}" + (f"-{number}" if number > 1 else "")
        try:
            (pushes / name).mkdir(mode=0o700)
        except FileExistsError:
            number += 1
        except OSError as error:
            raise NotWrittenError(pushes, error) from None
        else:
            return PushFolder(pushes / name)


def _not_earlier(pushes: Path, time: str) -> str:
    last = max(
        (found["time"] for p in pushes.iterdir() if (found := _NAMED.match(p.name))), default=""
    )
    if last <= time:
        return time
    try:
        after = datetime.strptime(last, _TIME).replace(tzinfo=UTC) + timedelta(seconds=1)
    except ValueError:  # nobody's clock said that
        return time
    return after.strftime(_TIME)


def folders(pushes: Path) -> Iterator[PushFolder]:
    """The newest first; also those without a Change (a dry run that was cut off)."""
    if pushes.is_dir():
        found = [path for path in pushes.iterdir() if path.is_dir()]
        yield from (PushFolder(path) for path in sorted(found, reverse=True))


def save(folder: PushFolder, change: Change) -> Saved:
    """Write the Change into its folder."""
    write_private(folder.change, change_pieces(change))
    return Saved(folder, change)


def newest(pushes: Path, plan_sha256: str, devices: Collection[str]) -> Saved | None:
    """The newest Change of this plan and just these devices that nothing was done with yet."""
    for folder in folders(pushes):
        saved = None if folder.journal.exists() else _saved(folder)
        if saved and _is_of(saved.change, plan_sha256, devices):
            return saved
    return None


def _is_of(change: Change, plan_sha256: str, devices: Collection[str]) -> bool:
    return change.plan_sha256 == plan_sha256 and devices_of(change) == set(devices)


def _saved(folder: PushFolder) -> Saved | None:
    try:
        return Saved(folder, read_change(folder.change.read_text(encoding="utf-8")))
    except (OSError, ChangeError):
        return None


def devices_of(change: Change) -> set[str]:
    """All devices that a Change speaks of, also refused ones."""
    named = {refused.device for refused in change.refused if refused.device is not None}
    return {device.device for device in change.devices} | named


def overtaken(saved: Change, now: Change) -> tuple[str, ...]:
    """Devices whose configuration is no longer the one that the saved Change was made for."""
    then = {device.device: device.before_sha256 for device in saved.devices}
    return tuple(
        device.device
        for device in now.devices
        if then.get(device.device, device.before_sha256) != device.before_sha256
    )


def forget(folder: PushFolder) -> None:
    """Remove the folder of a Change that nothing was done with."""
    if not folder.journal.exists():
        shutil.rmtree(folder.path, ignore_errors=True)  # the disk may be read-only by now


def forget_older(pushes: Path, saved: Saved) -> None:
    """Remove Changes of the same plan and devices that this one takes the place of."""
    devices = devices_of(saved.change)
    for folder in list(folders(pushes)):
        older = None if folder == saved.folder or folder.journal.exists() else _saved(folder)
        if older is None or older.change.plan_sha256 != saved.change.plan_sha256:
            continue
        if devices_of(older.change) <= devices:
            forget(folder)
