"""What the rendered config of a switch must show when it is read back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.qos import QueueSettings
from fabric.platforms import CODES
from fabric.platforms.arista_eos.left_out import chip_is_known
from fabric.platforms.arista_eos.reading import DYNAMIC, HASH, LOAD_BALANCING, OWN_CLASS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

_SILENT: tuple[None, ...] = (None,) * CODES
_BYTES_PER_KBPS = 125
_DEFAULT = "strict"  # the priority of a queue of which nothing is said


def intended(model: DeviceModel) -> Iterator[QosChain]:
    """The chains of the model without what EOS has no word for.

    That is priority groups and their buffers, which queue a received pause stops, the settings of
    the switch's own queue, and all queues of a chip of which the word is not known. What is not
    said of a queue leaves it strict.
    """
    queues: dict[tuple[QueueSettings, ...], tuple[QueueSettings, ...]] = {}
    known = chip_is_known(model)
    for port in model.interfaces:
        chain = port.chain
        if chain.queues not in queues:
            queues[chain.queues] = tuple(_queue(q, known=known) for q in chain.queues)
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
        )


def intended_settings(model: DeviceModel) -> dict[str, str]:
    """How the chip chooses among equal paths."""
    return {LOAD_BALANCING: DYNAMIC if model.load_balancing == "dlb" else HASH}


def _queue(queue: QueueSettings, *, known: bool) -> QueueSettings:
    if not known or queue.queue >= OWN_CLASS:
        return QueueSettings(queue.queue, _DEFAULT)
    cap = queue.max_rate_bytes_per_s
    in_steps = None if cap is None else cap // _BYTES_PER_KBPS * _BYTES_PER_KBPS
    return replace(
        queue,
        scheduler=queue.scheduler or _DEFAULT,
        lossless_buffer=False,
        max_rate_bytes_per_s=in_steps,
    )
