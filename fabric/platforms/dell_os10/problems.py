"""What OS10 takes though it breaks lossless Ethernet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.names import natural_sorted
from fabric.platforms.dell_os10.reading import PFC_ON, dscp_map, pauses, queue_map, queues

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.dell_os10.reading import Config

_WHOLE = 100  # percent
_NAMED = (
    ("service-policy input type network-qos ", "policy-map type network-qos"),
    ("service-policy output type queuing ", "policy-map type queuing"),
    ("qos-map traffic-class ", "qos-map traffic-class"),
    ("trust-map dscp ", "trust dscp-map"),
)


def problems_of(config: Config) -> Iterator[str]:
    """One sentence each; nothing: well."""
    for port in natural_sorted(config.ports):
        yield from (f"interface {port}: {what}" for what in _port(config, port))
    yield from _profiles(config)
    yield from _neighbours(config)


def _port(config: Config, port: str) -> Iterator[str]:
    for head, kind in _NAMED:
        name = config.bound(port, head)
        if name is not None and config.section(kind, name) is None:
            yield f"there is no {kind} {name}"
    yield from _maps(config, port)
    yield from _pausing(config, port)
    shares = [queue.weight for queue in queues(config, port) if queue.weight]
    if shares and sum(shares) != _WHOLE:
        yield f"bandwidth percent is {sum(shares)} together, not {_WHOLE}"


def _maps(config: Config, port: str) -> Iterator[str]:
    open_codes = [dscp for dscp, group in enumerate(dscp_map(config, port)) if group is None]
    if open_codes:
        yield f"{len(open_codes)} of 64 DSCPs have no qos-group, {open_codes[0]} first"
    if None in queue_map(config, port):
        yield "a qos-group has no queue"


def _pausing(config: Config, port: str) -> Iterator[str]:
    texts = config.ports[port]
    if any(text in ("flowcontrol receive on", "flowcontrol transmit on") for text in texts):
        yield "link-level flow control is on, which refuses PFC"
    paused = pauses(config, port)
    if not paused:
        yield "no priority is paused"
    elif PFC_ON not in texts:
        yield "priority-flow-control is not on"
    for priority in sorted(paused):
        if not queues(config, port)[priority].ecn:
            yield f"queue {priority} is paused and marks nothing (ECN)"


def _profiles(config: Config) -> Iterator[str]:
    known = {name for name, _ in config.root.all("wred")}
    for policy, section in config.root.all("policy-map type queuing"):
        for _, entry in section.all("class"):
            name = entry.rest("random-detect")
            if name is not None and name not in known:
                yield f"policy-map {policy}: there is no wred profile {name}"


def _neighbours(config: Config) -> Iterator[str]:
    for _, section in config.root.all("router bgp"):
        for name, neighbour in section.all("neighbor"):
            if not neighbour.has("no shutdown"):
                yield f"neighbor {name} is shut, as all are by default"
