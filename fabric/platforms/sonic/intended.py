"""What the rendered CONFIG_DB of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.sonic.reading import SEED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

_SILENT: tuple[None, ...] = (None,) * CODES


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """The type, from which the ECMP hash takes its seed: adjacent tiers must differ."""
    tier = model.position.tier
    kind = "ToRRouter" if tier == 0 else "LeafRouter" if tier % 2 else "SpineRouter"
    return {SEED: kind}


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model without what is left to the box.

    That is every buffer where no table of the SKU is known, and the MTU where lanes are not.
    """
    lanes = all(port.lanes for port in model.interfaces)
    for port in model.interfaces:
        chain = replace(port.chain, device=model.name)
        if model.buffers is None:
            chain = replace(
                chain,
                lossless_pgs=(),
                xoff_bytes=_SILENT,
                buffers=_SILENT,
                queues=tuple(replace(queue, lossless_buffer=False) for queue in chain.queues),
            )
        yield chain if lanes else replace(chain, mtu_bytes=None)
