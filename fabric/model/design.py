"""The design: everything that follows from the intent, before any text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.addressing import Addressing
    from fabric.model.finding import Finding
    from fabric.model.intent import Intent
    from fabric.model.qos import Lossless
    from fabric.model.topology import Topology
    from fabric.model.underlay import Underlay


@dataclass(frozen=True)
class Design:
    """What ``fabric.load`` returns. ``findings``: of reading and of each stage, not of rules."""

    intent: Intent
    topology: Topology
    addressing: Addressing
    underlay: Underlay
    lossless: Lossless
    findings: tuple[Finding, ...] = ()
