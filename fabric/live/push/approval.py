"""What stands between a Change and the devices: refusals that hold it up, and an approval."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.live.push.looking import NOT_REACHED
from fabric.live.push.prepare import NEEDS_WINDOW
from fabric.model.push_change import Refused

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.push_change import Change

NOT_APPROVED = "RCE922"
OVERTAKEN = "RCE921"


def blocking(change: Change) -> tuple[Refused, ...]:
    """Refusals that hold up the whole push; for the others a device can be left out."""
    return tuple(r for r in change.refused if r.device is None or r.rule == NEEDS_WINDOW)


def left_out(change: Change) -> tuple[Refused, ...]:
    """Devices that are not pushed to while the others are."""
    held_up = blocking(change)
    return tuple(refused for refused in change.refused if refused not in held_up)


def all_unreached(refused: Iterable[Refused]) -> bool:
    """Whether nothing is wrong but that devices do not answer."""
    return all(one.rule in NOT_REACHED for one in refused)


def digest_named(word: str) -> str:
    """The digest that ``--approve`` names: itself, or in a file what a dry run printed as JSON."""
    path = Path(word)
    if not path.is_file():
        return word
    text = path.read_text(encoding="utf-8", errors="replace")
    try:
        data = json.loads(text)
    except ValueError:
        data = None
    if isinstance(data, dict):
        return str(data.get("change") or data.get("sha256") or "")
    return (text.split() or [""])[0]


def disapproved(change: Change, digest: str) -> Refused | None:
    """Why this Change is not the approved one."""
    if digest == change.sha256:
        return None
    message = f"what was approved is {digest[:12] or 'nothing'}, the Change is {change.sha256}"
    fix = "look at it (`fabric push --dry-run`, the same options) and approve that one"
    return Refused(None, NOT_APPROVED, message, fix)


def not_by_yes(change: Change) -> Refused | None:
    """``--yes`` approves what is whole; a Change that leaves devices out is approved by digest."""
    out = left_out(change)
    if not out:
        return None
    names = ", ".join(dict.fromkeys(str(refused.device) for refused in out))
    message = f"--yes does not cover that devices are left out: {names}"
    fix = f"mend what is refused, or push the others: --approve {change.sha256}"
    return Refused(None, NOT_APPROVED, message, fix)


def overtaken_refusals(devices: Iterable[str]) -> tuple[Refused, ...]:
    """Devices that were changed after the saved Change was made."""
    return tuple(
        Refused(
            device,
            OVERTAKEN,
            f"{device}: its configuration was changed since the dry run",
            "fabric push --refresh makes a new Change; look at it first",
        )
        for device in devices
    )
