"""A sound design made by hand, for tests of the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.design import addressing, lossless, underlay
from fabric.model.design import Design
from tests.samples import sample_intent, sample_topology, with_roce

if TYPE_CHECKING:
    from fabric.model.finding import Suppression
    from fabric.model.intent import Intent
    from fabric.model.topology import Topology


def sound_intent() -> Intent:
    """The sample with a watchdog that is slow enough for 100G."""
    intent = sample_intent()
    slow = replace(intent.roce.watchdog, detect_ms=400, restore_ms=800)
    return with_roce(intent, watchdog=slow)


def design(intent: Intent | None = None, topology: Topology | None = None) -> Design:
    intent = intent or sound_intent()
    topology = topology or sample_topology()
    addresses = addressing.allocate(topology, intent)
    return Design(
        intent=intent,
        topology=topology,
        addressing=addresses,
        underlay=underlay.derive(topology, addresses, intent),
        lossless=lossless.derive(topology, intent),
    )


def suppressing(*suppressions: Suppression) -> Design:
    return design(replace(sound_intent(), suppressions=suppressions))
