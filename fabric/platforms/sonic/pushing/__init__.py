"""How SONiC is changed: class C, our own restore scheduled on the device.

The merged candidate is loaded from a file of its own by ``config reload``, and the startup files
stay as they were until the change is saved: the restore reloads them, and a reboot boots them.
``config rollback`` and ``apply-patch`` are not used: they refuse buffer and watchdog tables
(sonic-utilities, gcu_field_operation_validators.conf.json).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.sonic.pushing.committing import SonicCommit
from fabric.platforms.sonic.pushing.previewing import SonicPreview

if TYPE_CHECKING:
    from fabric.changing.procedure import Commit, Preview
    from fabric.model.platform import PlatformSpec
    from fabric.model.push_spec import PushSpec

__all__ = ["commit", "preview"]


def preview(_platform: PlatformSpec, _push: PushSpec) -> Preview:
    """Reading and laying down."""
    return SonicPreview()


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    """Putting in force and going back."""
    return SonicCommit()
