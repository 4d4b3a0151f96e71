"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.qos import QueueSettings
from fabric.platforms import CODES
from fabric.platforms.nokia_srl.reading import NO_POLLING, SEED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

_SILENT: tuple[None, ...] = (None,) * CODES
_POOLS = {"ingress_lossless_pool", "egress_lossless_pool"}


def is_xgs(model: DeviceModel) -> bool:
    """Whether the chip has the form of PFC that ``blocks/qos.j2`` writes in full."""
    return model.asic.startswith(("trident", "tomahawk"))


def is_sized(model: DeviceModel) -> bool:
    """Whether thresholds are written: the chip has this form, and its pools are known."""
    pools = {pool.name for pool in model.buffers.pools} if model.buffers else set()
    profiles = [port.profile for port in model.interfaces if port.profile is not None]
    known = all(profile.ecn.pause_together_bytes is not None for profile in profiles)
    return is_xgs(model) and pools >= _POOLS and known


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model as SR Linux says them.

    Lossy classes have no PFC queue, priorities without PFC stop nothing, and the watchdog has no
    polling interval. What sizes buffers is there where :func:`is_sized`.
    """
    xgs, sized = is_xgs(model), is_sized(model)
    for port in model.interfaces:
        chain = port.chain
        lossless = chain.pfc_priorities
        watchdog = chain.watchdog
        yield replace(
            chain,
            device=model.name,
            tc_to_pg=tuple(pg if xgs and pg in lossless else None for pg in chain.tc_to_pg),
            pfc_priority_to_queue=tuple(
                queue if code in lossless else None
                for code, queue in enumerate(chain.pfc_priority_to_queue)
            ),
            pfc_priority_to_pg=_SILENT,
            lossless_pgs=chain.lossless_pgs if sized else (),
            xoff_bytes=chain.xoff_bytes if sized else _SILENT,
            buffers=_SILENT,
            queues=tuple(_queue(queue, sized=sized) for queue in chain.queues),
            watchdog=watchdog and replace(watchdog, poll_ms=NO_POLLING),
        )


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """The seed of the hash, which differs from tier to tier."""
    return {SEED: str(model.hash_seed)}


def _queue(queue: QueueSettings, *, sized: bool) -> QueueSettings:
    if sized:
        return replace(queue, lossless_buffer=False)
    return QueueSettings(
        queue=queue.queue,
        scheduler=queue.scheduler,
        weight=queue.weight,
        max_rate_bytes_per_s=queue.max_rate_bytes_per_s,
    )
