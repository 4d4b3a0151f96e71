"""What stands between a Change and the devices: refusals that hold it up, and an approval."""

from __future__ import annotations

import json
import re
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
_DIGEST = re.compile("[0-9a-f]{64}")


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


class ApprovalError(ValueError):
    """What ``--approve`` names is the digest of no Change; ``fix`` for the user."""

    fix = "the digest has 64 characters: `change` in the JSON of a dry run, or that file"


def digest_named(word: str) -> str:
    """The digest that ``--approve`` names: itself, or in a file what a dry run printed as JSON.

    Raises:
        ApprovalError: neither.
    """
    if _DIGEST.fullmatch(word):
        return word
    path = Path(word)
    if not word or not path.exists():
        msg = f"--approve {word or repr(word)} is neither the digest of a Change nor a file"
        raise ApprovalError(msg)
    try:
        return _digest_in(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or str(error)
        msg = f"--approve {word}: {why}"
        raise ApprovalError(msg) from None


def _digest_in(text: str) -> str:
    """Of what a dry run printed as JSON, of a change.json, or of a digest alone."""
    if not text.lstrip().startswith("{"):
        digest = text.strip()
    else:
        data = json.loads(text)
        if data.get("offline"):
            msg = "this Change was made offline, from no device: it cannot be approved"
            raise ValueError(msg)
        digest = str(data.get("change") or data.get("sha256") or "")
    if not _DIGEST.fullmatch(digest):
        msg = "this file holds no digest of a Change"
        raise ValueError(msg)
    return digest


def disapproved(change: Change, digest: str) -> Refused | None:
    """Why this Change is not the approved one."""
    if digest == change.sha256:
        return None
    message = f"what was approved is {digest[:12]}…, the Change is {change.sha256}"
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
