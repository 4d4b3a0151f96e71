"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.dell_sonic.reading import SEED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain, QueueSettings

LOSSLESS_GROUPS = (3, 4)  # those with headroom after `buffer init lossless`
LOSSY_GROUP = 7
_SILENT: tuple[None, ...] = (None,) * CODES
_KBYTE = 1000
_BYTES_PER_KBPS = 125


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model as this system says them.

    Headroom and its groups follow from speed and cable length, so they are not in the text; lossy
    classes have group 7; thresholds are whole KBytes and rates whole kbit/s.
    """
    queues: dict[tuple[QueueSettings, ...], tuple[QueueSettings, ...]] = {}
    for port in model.interfaces:
        chain = port.chain
        if chain.queues not in queues:
            queues[chain.queues] = tuple(_queue(queue) for queue in chain.queues)
        yield replace(
            chain,
            device=model.name,
            tc_to_pg=tuple(_group(group) for group in chain.tc_to_pg),
            lossless_pgs=(),
            xoff_bytes=_SILENT,
            buffers=_SILENT,
            queues=queues[chain.queues],
        )


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """The seed of the hash, which differs from tier to tier."""
    return {SEED: str(model.hash_seed)}


def _group(group: int | None) -> int | None:
    return group if group is None or group in LOSSLESS_GROUPS else LOSSY_GROUP


def _queue(queue: QueueSettings) -> QueueSettings:
    return replace(
        queue,
        lossless_buffer=False,
        max_rate_bytes_per_s=_in_steps(queue.max_rate_bytes_per_s, _BYTES_PER_KBPS),
        kmin_bytes=_in_steps(queue.kmin_bytes, _KBYTE),
        kmax_bytes=_in_steps(queue.kmax_bytes, _KBYTE),
    )


def _in_steps(value: int | None, step: int) -> int | None:
    return None if value is None else value // step * step
