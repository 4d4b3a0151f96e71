"""What an audit of one switch found: where each DSCP goes on each port, and where it breaks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.finding import Finding


@dataclass(frozen=True, slots=True)
class Followed:
    """One DSCP on one port.

    ``pfc``: the priority that is paused for it; ``profile``: name of the lossless buffer profile.
    ``None`` for what the config does not state. ``broken_at``: the first hop that breaks (``tc``,
    ``queue``, ``pg``, ``pfc`` or ``profile``), ``None``: the DSCP is lossless here. ``why``: in
    words.
    """

    port: str
    dscp: int
    tc: int | None
    queue: int | None = None
    pg: int | None = None
    pfc: int | None = None
    profile: str | None = None
    broken_at: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Audit:
    """``followed``: every port with every DSCP that should be lossless; ``findings``: worst first.

    ``given``: the DSCPs were named, not found in the config.
    """

    device: str
    platform: str
    dscps: tuple[int, ...]
    given: bool
    followed: tuple[Followed, ...]
    findings: tuple[Finding, ...]
