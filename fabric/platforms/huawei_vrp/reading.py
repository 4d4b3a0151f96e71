"""From VRP's text to the QoS chain of each port: DSCP → PHB → queue, PFC, ECN, scheduling."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import CODES, DSCPS
from fabric.platforms.huawei_vrp.config import PortLines, numbers, ports
from fabric.platforms.huawei_vrp.watchdog import watchdog_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.reading.sections import Line

DEFAULT = "default"  # profile, domain and drop profile that a switch has by itself
DEFAULT_LOSSLESS = (3,)  # of every PFC profile
GLOBAL_OFF = "dcb pfc global disable"
PHBS = ("be", "af1", "af2", "af3", "af4", "ef", "cs6", "cs7")  # each is a queue
FRAME_OVERHEAD_BYTES = 22  # Ethernet, a tag, FCS: what a frame has around its packet
PFC_ON = re.compile(r"dcb pfc enable(?: (?!mode )(\S+))?(?: mode (auto|manual))?")
WRED = re.compile(r"qos queue (\d) wred (\S+)")
ECN_QUEUE = re.compile(r"qos queue (\d) ecn")

_DOMAIN = re.compile(r"trust upstream (\S+)")
_INBOUND = re.compile(r"ip-dscp-inbound (\d+) phb (\w+)(?: \w+)?")
_PRIORITY = re.compile(r"priority ([\d ]+)")
_NO_PRIORITY = re.compile(r"undo priority ([\d ]+)")
_MTU, _FRAME = re.compile(r"mtu (\d+)"), re.compile(r"jumboframe enable (\d+)")
_DEFAULT_MTU, _DEFAULT_FRAME = 1500, 9216
_SCHEDULER = re.compile(r"qos (pq|drr) ([\d to]+)")
_WEIGHT = re.compile(r"qos queue (\d) drr weight (\d+)")
_SHAPING = re.compile(r"qos queue (\d) shaping percent cir (\d+)(?: pir (\d+))?")
_ECN = re.compile(
    r"ecn (?P<unit>buffer-size )?low-limit (\d+) high-limit (\d+) discard-percentage (\d+)"
)
_BYTES_PER_S_OF_PERCENT = 1_250_000  # of one Gb/s: 10^9 / 8 / 100
_IDENTITY = tuple(range(CODES))
_SILENT: tuple[None, ...] = (None,) * CODES


def chains_of(config: Line, device: str) -> tuple[QosChain, ...]:
    """One chain a port. PHB and queue are one number, and so are priority and queue that it stops.

    What the box fills in by itself and prints nowhere (the default domain, priority 3 of a PFC
    profile) is read as in force; how full a queue must be to pause is not.
    """
    return tuple(_chain(config, port, device) for port in ports(config))


def _chain(config: Line, port: PortLines, device: str) -> QosChain:
    on = port.last(PFC_ON)
    profile = named(config, "dcb pfc", "" if on is None or on[1] in {None, DEFAULT} else on[1])
    lossless = priorities(config, port)
    return QosChain(
        device=device,
        port=port.name,
        dscp_to_tc=dscp_map(config, port),
        tc_to_queue=_IDENTITY,
        tc_to_pg=_SILENT,
        pfc_priority_to_queue=_IDENTITY,
        pfc_priority_to_pg=_SILENT,
        pfc_priorities=lossless,
        watchdog_priorities=lossless,
        lossless_pgs=(),
        xoff_bytes=_SILENT,
        queues=tuple(_queues(config, port)),
        mtu_bytes=_mtu(port),
        watchdog=watchdog_of(config, profile, lossless[0]) if lossless else None,
    )


def named(config: Line, word: str, name: str) -> Line | None:
    """The section ``word name``; ``None``: it is not written."""
    text = f"{word} {name}".strip()
    return next((line for line in config.below if line.text == text), None)


def domain_of(port: PortLines) -> str:
    """The DiffServ domain that the port is bound to."""
    said = port.last(_DOMAIN)
    return said[1] if said else DEFAULT


def dscp_map(config: Line, port: PortLines) -> tuple[int | None, ...]:
    """PHB of each DSCP; ``None`` throughout: the port does not go by DSCP, or nobody knows."""
    domain = domain_of(port)
    written = named(config, "diffserv domain", domain)
    if not port.trusts_dscp or domain == "none" or (written is None and domain != DEFAULT):
        return (None,) * DSCPS
    found = {dscp: dscp // CODES for dscp in range(DSCPS)}  # the default of every domain
    for line in written.below if written else ():
        match = _INBOUND.fullmatch(line.text)
        if match and int(match[1]) < DSCPS and match[2].lower() in PHBS:
            found[int(match[1])] = PHBS.index(match[2].lower())
    return tuple(found.values())


def priorities(config: Line, port: PortLines) -> tuple[int, ...]:
    """Priorities that the port pauses; none where PFC is not on."""
    on = port.last(PFC_ON)
    if on is None or config.has(GLOBAL_OFF):
        return ()
    name = "" if on[1] in {None, DEFAULT} else on[1]
    profile = named(config, "dcb pfc", name)
    if profile is None and name:
        return ()
    found = set(DEFAULT_LOSSLESS)
    for line in profile.below if profile else ():
        if match := _PRIORITY.fullmatch(line.text):
            found.update(numbers(match[1], CODES, line.text))
        elif match := _NO_PRIORITY.fullmatch(line.text):
            found.difference_update(numbers(match[1], CODES, line.text))
    return tuple(sorted(found))


def _mtu(port: PortLines) -> int:
    """The longest IP packet: of a routed port by its MTU, of one in layer 2 by its frames."""
    frame = port.last(_FRAME)
    packet = (int(frame[1]) if frame else _DEFAULT_FRAME) - FRAME_OVERHEAD_BYTES
    if not port.is_routed:
        return packet
    own = port.last(_MTU)
    return min(int(own[1]) if own else _DEFAULT_MTU, packet)


def _queues(config: Line, port: PortLines) -> Iterator[QueueSettings]:
    modes: dict[int, str] = {}
    for match in port.all(_SCHEDULER):
        word = "strict" if match[1] == "pq" else "dwrr"
        modes |= dict.fromkeys(numbers(match[2], CODES, match[0]), word)
    weights = {int(m[1]): int(m[2]) for m in port.all(_WEIGHT)}
    caps = {int(m[1]): int(m[3] or m[2]) for m in port.all(_SHAPING)}
    marking = {int(m[1]) for m in port.all(ECN_QUEUE)}
    profiles = {int(m[1]): m[2] for m in port.all(WRED)}
    for queue in range(CODES):
        mode, cap = modes.get(queue), caps.get(queue)
        low, high, most = _thresholds(config, profiles.get(queue, ""))
        ecn = queue in marking
        yield QueueSettings(
            queue=queue,
            scheduler=mode,
            weight=weights.get(queue, 1) if mode == "dwrr" else None,
            max_rate_bytes_per_s=cap and cap * port.speed_gbps * _BYTES_PER_S_OF_PERCENT,
            ecn=ecn,
            kmin_bytes=low if ecn else None,
            kmax_bytes=high if ecn else None,
            pmax_percent=most if ecn else None,
        )


def _thresholds(config: Line, name: str) -> tuple[int | None, int | None, int | None]:
    """Of a drop profile, in bytes; as shares of the queue or in cells they are no bytes."""
    profile = named(config, "drop-profile", name)
    for line in reversed(profile.below if profile else ()):
        if match := _ECN.fullmatch(line.text):
            low, high, most = int(match[2]), int(match[3]), int(match[4])
            return (low, high, most) if match["unit"] else (None, None, most)
    return (None, None, None)
