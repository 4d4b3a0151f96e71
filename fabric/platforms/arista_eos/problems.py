"""What EOS takes though it breaks lossless Ethernet."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.platforms.arista_eos.reading import (
    PFC_ALL_OFF,
    PFC_ON,
    WATCHDOG,
    bindings,
    dscp_map,
    queue_map,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.platforms.arista_eos.lines import Line
    from fabric.platforms.arista_eos.reading import Binding

_ACTION = "priority-flow-control pause watchdog action"
_TIMER = re.compile(r"priority-flow-control pause watchdog default (\S+) ([\d.]+)")


def problems_of(config: Line) -> Iterator[str]:
    """One sentence each; nothing: well."""
    ports = list(bindings(config))
    yield from _maps(config)
    if config.has(PFC_ALL_OFF):
        yield "priority-flow-control all off: no port pauses"
    profiles = {name for name, _ in config.sections("qos profile")}
    for port in ports:
        if port.profile and port.profile not in profiles:
            yield f"interface {port.name}: there is no qos profile {port.profile}"
        yield from _port(port)
    yield from _watchdog(config, ports)
    words = {word for port in ports for word, _ in port.queues().values()}
    if len(words) > 1:
        yield "uc-tx-queue and tx-queue: a chip has one of the two, the other does nothing"


def _maps(config: Line) -> Iterator[str]:
    missing = [dscp for dscp, target in enumerate(dscp_map(config)) if target is None]
    if missing:
        yield f"qos map dscp: {len(missing)} of 64 follow the default map, {missing[0]} first"
    open_classes = [code for code, queue in enumerate(queue_map(config)) if queue is None]
    if open_classes:
        yield f"qos map traffic-class: no tx-queue for {', '.join(map(str, open_classes))}"


def _port(port: Binding) -> Iterator[str]:
    where = f"interface {port.name}"
    if not port.trusts_dscp:
        yield f"{where}: does not trust DSCP"
    priorities = port.priorities()
    if not priorities:
        yield f"{where}: no priority is no-drop"
    elif not port.has(*PFC_ON):
        yield f"{where}: priority-flow-control is not on"
    queues = port.queues()
    for priority in priorities:
        texts = [line.text for line in queues.get(priority, ("", ()))[1]]
        if not any(text.startswith("random-detect ecn minimum-threshold") for text in texts):
            yield f"{where}: queue {priority} is no-drop and marks nothing (ECN)"
        elif "random-detect ecn count" not in texts:
            yield f"{where}: nobody counts what queue {priority} marks"


def _watchdog(config: Line, ports: Iterable[Binding]) -> Iterator[str]:
    """The default action takes the port down; EOS replaces a polling interval that is too long."""
    if not any(port.has(WATCHDOG) for port in ports):
        return
    if not any(config.sections(_ACTION)):
        yield f"{_ACTION}: none, so a storm error-disables its port"
    found = (_TIMER.fullmatch(line.text) for line in config.below)
    timers = {match[1]: float(match[2]) for match in found if match}
    poll = timers.get("polling-interval")
    limits = [timers[name] / 2 for name in ("timeout", "recovery-time") if name in timers]
    if poll is not None and limits and poll > min(limits):
        most = min(limits)
        yield f"watchdog: polling-interval {poll:g} is above half of the shorter time, {most:g}"
