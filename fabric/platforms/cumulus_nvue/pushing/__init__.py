"""How Cumulus Linux with NVUE is changed: class A, a candidate that is applied for a time.

The owned parts are unset and set again in a pending revision, so what NVUE compares is the whole of
them. ``nv config replace`` is not used: what ``nv config show`` prints of secrets is an asterisk.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.cumulus_nvue.pushing.committing import NvueCommit
from fabric.platforms.cumulus_nvue.pushing.previewing import NvuePreview

if TYPE_CHECKING:
    from fabric.changing.procedure import Commit, Preview
    from fabric.model.platform import PlatformSpec
    from fabric.model.push_spec import PushSpec

__all__ = ["commit", "preview"]


def preview(_platform: PlatformSpec, _push: PushSpec) -> Preview:
    """Reading and laying down."""
    return NvuePreview()


def commit(_platform: PlatformSpec, _push: PushSpec) -> Commit:
    """Putting in force and going back."""
    return NvueCommit()
