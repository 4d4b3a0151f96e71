"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain, QueueSettings

_SILENT: tuple[None, ...] = (None,) * CODES


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains without what OS10 has no word for: groups, buffers, which queue a pause stops.

    Thresholds are written in kilobytes, and nobody says how many bytes one has.
    """
    for port in model.interfaces:
        yield replace(
            port.chain,
            device=model.name,
            tc_to_pg=_SILENT,
            pfc_priority_to_queue=_SILENT,
            pfc_priority_to_pg=_SILENT,
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            buffers=_SILENT,
            queues=tuple(_queue(queue) for queue in port.chain.queues),
        )


def _queue(queue: QueueSettings) -> QueueSettings:
    return replace(
        queue, kmin_bytes=None, kmax_bytes=None, lossless_buffer=False, max_rate_bytes_per_s=None
    )
