"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

_SILENT: tuple[None, ...] = (None,) * CODES


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains without what is not rendered: groups, buffers, which queue a pause stops."""
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
            queues=tuple(
                replace(queue, lossless_buffer=False, max_rate_bytes_per_s=None)
                for queue in port.chain.queues
            ),
        )
