"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.cisco_nxos.reading import IDENTITY, NETWORK_MTU, SEED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain, QueueSettings

_SILENT: tuple[None, ...] = (None,) * CODES


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model without what NX-OS has no confirmed word for.

    That is priority groups and their buffers, and the watchdog's times. Which queue a received
    pause stops is said for the lossless priorities.
    """
    queues: dict[tuple[QueueSettings, ...], tuple[QueueSettings, ...]] = {}
    for port in model.interfaces:
        chain = port.chain
        if chain.queues not in queues:
            queues[chain.queues] = tuple(replace(q, lossless_buffer=False) for q in chain.queues)
        yield replace(
            chain,
            device=model.name,
            tc_to_queue=IDENTITY,
            tc_to_pg=_SILENT,
            pfc_priority_to_queue=tuple(
                queue if priority in chain.pfc_priorities else None
                for priority, queue in enumerate(chain.pfc_priority_to_queue)
            ),
            pfc_priority_to_pg=_SILENT,
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            buffers=_SILENT,
            queues=queues[chain.queues],
            watchdog=None,
        )


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """The seed of ECMP; the MTU of network-qos, which is that of the ports."""
    mtus = {port.mtu_bytes for port in model.interfaces}
    shared = {NETWORK_MTU: str(*mtus)} if len(mtus) == 1 else {}
    return {SEED: str(model.hash_seed)} | shared
