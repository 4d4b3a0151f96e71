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
    from fabric.model.platform import PlatformSpec
    from fabric.model.push_spec import PushSpec

__all__ = ["commit", "preview"]


def preview(_platform: PlatformSpec, _push: PushSpec) -> Preview:
    """Reading and laying down."""
    return FrrPreview()


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    """Putting in force and going back."""
    return FrrCommit()
