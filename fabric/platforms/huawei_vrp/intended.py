"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.huawei_vrp.watchdog import NO_POLLING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel, Interface
    from fabric.model.qos import QosChain, QueueSettings

_SILENT: tuple[None, ...] = (None,) * CODES
_IDENTITY = tuple(range(CODES))
_NAMED = re.compile(r"(\d+)GE")


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model without what VRP does not say: priority groups, buffers, polling."""
    for port in model.interfaces:
        chain = port.chain
        watchdog = chain.watchdog
        yield replace(
            chain,
            device=model.name,
            tc_to_pg=_SILENT,
            pfc_priority_to_queue=_IDENTITY,
            pfc_priority_to_pg=_SILENT,
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            buffers=_SILENT,
            queues=tuple(_queue(queue, port) for queue in chain.queues),
            watchdog=watchdog and replace(watchdog, poll_ms=NO_POLLING),
        )


def named_gbps(port: Interface) -> int:
    """The speed in the port's own name: what it runs at, unless it is split or told otherwise."""
    match = _NAMED.match(port.name)
    return int(match[1]) if match else 0


def _queue(queue: QueueSettings, port: Interface) -> QueueSettings:
    """A cap is written in percent of the port, so a port of another speed caps elsewhere."""
    cap = queue.max_rate_bytes_per_s
    if cap is not None and port.children == 1 and port.speed_gbps not in {named_gbps(port), 40}:
        cap = cap * named_gbps(port) // port.speed_gbps
    return replace(queue, lossless_buffer=False, max_rate_bytes_per_s=cap)
