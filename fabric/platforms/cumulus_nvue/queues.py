"""What each traffic class of a port does: share, cap, marking."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.model.qos import QueueSettings
from fabric.platforms import CODES
from fabric.platforms.cumulus_nvue import defaults
from fabric.platforms.cumulus_nvue.ports import OFF
from fabric.platforms.cumulus_nvue.tree import Node

if TYPE_CHECKING:
    from fabric.platforms.cumulus_nvue.ports import Binding

BYTES_PER_KBPS = 125


def queues_of(port: Binding) -> tuple[QueueSettings, ...]:
    """What each traffic class does."""
    queues = _scheduled(port)
    caps = dict(port.profile("egress-shaper").at("traffic-class").codes(CODES))
    marks = dict(port.profile("congestion-control").at("traffic-class").codes(CODES))
    return tuple(
        _marked(port, replace(queue, max_rate_bytes_per_s=_cap(caps.get(n))), marks.get(n))
        for n, queue in enumerate(queues)
    )


def _scheduled(port: Binding) -> list[QueueSettings]:
    """Shares: a profile of the port's own leaves what it does not name without one."""
    own = port.own("egress-scheduler")
    queues = [QueueSettings(n, None) if own else port.base.queues[n] for n in range(CODES)]
    for number, node in port.profile("egress-scheduler").at("traffic-class").codes(CODES):
        mode = node.value("mode") or "dwrr"
        share = node.number("bw-percent")
        share = queues[number].weight if share is None else share
        queues[number] = QueueSettings(number, mode, share if mode == "dwrr" else None)
    return queues


def _cap(node: Node | None) -> int | None:
    rate = None if node is None else node.number("max-rate")
    return None if rate is None else rate * BYTES_PER_KBPS


def _marked(port: Binding, queue: QueueSettings, node: Node | None) -> QueueSettings:
    """A traffic class that a profile names is marked unless it says otherwise."""
    by_default = queue.queue in port.base.marked and not port.own("congestion-control")
    if node is None and not by_default:
        return queue
    node = node or Node()
    if node.value("ecn") in OFF:
        return queue
    kmin, kmax = node.number("min-threshold"), node.number("max-threshold")
    pmax = node.number("probability")
    return replace(
        queue,
        ecn=True,
        kmin_bytes=defaults.KMIN_BYTES if kmin is None else kmin,
        kmax_bytes=defaults.KMAX_BYTES if kmax is None else kmax,
        pmax_percent=defaults.PMAX_PERCENT if pmax is None else pmax,
    )
