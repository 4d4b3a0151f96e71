"""Which systems this installation has pushed to before: ``contacts.jsonl``.

It speaks of an installation, not of a fabric, so it lies in the user's state folder, below
``$XDG_STATE_HOME/fabric`` (by default ``~/.local/state/fabric``), or in ``$FABRIC_STATE``.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

_FILE = "contacts.jsonl"


@dataclass(frozen=True, slots=True)
class Contact:
    """A system that was changed, read back, taken back, read back and changed again.

    ``timer``: whether its own timer was seen to take a change back. ``at``: seconds since 1970.
    """

    platform: str
    os_version: str
    device: str
    fabric: str
    timer: bool
    at: float


def contacts_file() -> Path:
    """Where they are kept."""
    named = os.environ.get("FABRIC_STATE")
    if named:
        return Path(named) / _FILE
    base = os.environ.get("XDG_STATE_HOME")
    return (Path(base) if base else Path.home() / ".local" / "state") / "fabric" / _FILE


def known(path: Path) -> frozenset[tuple[str, str]]:
    """(platform, OS version) of every contact; a line that cannot be read counts as none."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    return frozenset(found for line in lines if (found := _pair(line)))


def _pair(line: str) -> tuple[str, str] | None:
    try:
        data = json.loads(line)
        return str(data["platform"]), str(data["os_version"])
    except (ValueError, TypeError, KeyError):
        return None


def record(path: Path, contact: Contact) -> None:
    """Add one.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    line = json.dumps(asdict(contact), ensure_ascii=False) + "\n"
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.write(descriptor, line.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
