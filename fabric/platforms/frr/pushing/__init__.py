"""How FRR on Linux is changed: class C, our own restore scheduled on the device.

``frr-reload.py`` brings the running configuration to the candidate line by line and keeps sessions.
The disk keeps the old files until the change is saved, so a reboot ends in the old configuration.
Measured with FRR 8.4.4: ``docs/platforms/frr.md``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.frr.pushing.committing import FrrCommit
from fabric.platforms.frr.pushing.previewing import FrrPreview

if TYPE_CHECKING:
    from fabric.changing.procedure import Commit, Preview

__all__ = ["commit", "preview"]


def preview() -> Preview:
    """Reading and laying down."""
    return FrrPreview()


def commit() -> Commit:
    """Putting in force and going back."""
    return FrrCommit()
