"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.platforms import CODES
from fabric.platforms.juniper_junos.reading import (
    DYNAMIC,
    EQUAL_PATHS,
    EVERY,
    HASH,
    LOAD_BALANCING,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

_SILENT: tuple[None, ...] = (None,) * CODES


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model without what Junos has no word for.

    That is sizes of buffers, and classes that no DSCP leads to.
    """
    written = {one.traffic_class for one in model.class_map.classes}
    for port in model.interfaces:
        chain = port.chain
        stopped = tuple(
            queue if priority in chain.pfc_priorities else None
            for priority, queue in enumerate(chain.pfc_priority_to_queue)
        )
        yield replace(
            chain,
            device=model.name,
            tc_to_queue=tuple(
                q if tc in written else None for tc, q in enumerate(chain.tc_to_queue)
            ),
            tc_to_pg=tuple(g if tc in written else None for tc, g in enumerate(chain.tc_to_pg)),
            pfc_priority_to_queue=stopped,
            pfc_priority_to_pg=_SILENT,
            xoff_bytes=_SILENT,
            buffers=_SILENT,
        )


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """How the chip chooses among equal paths; all of them are always installed."""
    return {
        LOAD_BALANCING: DYNAMIC if model.load_balancing == "dlb" else HASH,
        EQUAL_PATHS: EVERY,
    }
