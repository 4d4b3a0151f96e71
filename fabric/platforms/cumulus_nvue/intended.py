"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.cumulus_nvue.queues import BYTES_PER_KBPS
from fabric.platforms.cumulus_nvue.reading import HASH_SEED, POOLS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain, QueueSettings, Watchdog

_SILENT: tuple[None, ...] = (None,) * CODES
# The vendor's example for flow control (Quality of Service, Flow Control Buffers), and RoCE mode's.
_HALVES = "default-lossless 50 %, default-lossy 50 %"


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model without what the switch works out itself, or has no command for.

    That is priority groups and their buffers, which queue a received pause stops, and when the
    watchdog restores.
    """
    queues: dict[tuple[QueueSettings, ...], tuple[QueueSettings, ...]] = {}
    for port in model.interfaces:
        chain = port.chain
        if chain.queues not in queues:
            queues[chain.queues] = tuple(_queue(queue) for queue in chain.queues)
        yield replace(
            chain,
            device=model.name,
            tc_to_pg=_SILENT,
            pfc_priority_to_queue=_SILENT,
            pfc_priority_to_pg=_SILENT,
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            buffers=_SILENT,
            queues=queues[chain.queues],
            watchdog=_watchdog(chain.watchdog),
        )


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """The seed of the ECMP hash, and the pools."""
    return {HASH_SEED: str(model.hash_seed), POOLS: _HALVES}


def _queue(queue: QueueSettings) -> QueueSettings:
    cap = queue.max_rate_bytes_per_s
    in_steps = None if cap is None else cap // BYTES_PER_KBPS * BYTES_PER_KBPS
    return replace(queue, lossless_buffer=False, max_rate_bytes_per_s=in_steps)


def _watchdog(timers: Watchdog | None) -> Watchdog | None:
    return None if timers is None else replace(timers, restore_ms=timers.poll_ms)
