"""What VRP takes though it breaks lossless Ethernet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.huawei_vrp.config import ports
from fabric.platforms.huawei_vrp.reading import (
    DEFAULT,
    ECN_QUEUE,
    GLOBAL_OFF,
    PFC_ON,
    WRED,
    domain_of,
    named,
    priorities,
)
from fabric.platforms.huawei_vrp.settings import DSCP_MAPPING, ECN_ON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.platforms.huawei_vrp.config import PortLines
    from fabric.reading.sections import Line

_POOL = "qos buffer headroom-pool"
_RECOVERY = "dcb pfc deadlock recovery-behavior"


def problems_of(config: Line) -> Iterator[str]:
    """One sentence each; nothing: well."""
    if config.has(GLOBAL_OFF):
        yield f"{GLOBAL_OFF}: no port pauses"
    found = ports(config)
    for port in found:
        yield from _port(config, port)
    if any(port.last(PFC_ON) for port in found):
        yield from _switch(config)


def _switch(config: Line) -> Iterator[str]:
    """``dcb pfc dscp-mapping`` and the pool belong to family a, ``qos ecn enable`` to family b."""
    mapped, pooled = any(config.all(DSCP_MAPPING)), any(config.all(_POOL))
    if config.has(ECN_ON) and (mapped or pooled):
        yield f"{ECN_ON} and a headroom pool: commands of two families of boxes"
    elif pooled and not mapped:
        yield f"no {DSCP_MAPPING}: untagged RoCE is taken for priority 0, and nobody pauses for it"
    elif mapped and not pooled:
        yield f"no {_POOL}: there is no headroom, so packets are lost after the pause"
    elif not mapped and not config.has(ECN_ON):
        yield f"neither {DSCP_MAPPING} nor {ECN_ON}: one of them is needed on every box"
    if config.rest(_RECOVERY) is None:
        yield f"no {_RECOVERY}: some boxes forward by default, others discard"


def _port(config: Line, port: PortLines) -> Iterator[str]:
    where = f"interface {port.name}"
    if not port.trusts_dscp:
        yield f"{where}: in layer 2 it does not trust DSCP"
    if port.has("flow-control"):
        yield f"{where}: flow-control and PFC exclude each other"
    if port.is_routed and not any(text.startswith("mtu ") for text in port.lines):
        yield f"{where}: its MTU is 1500, whatever frames it takes"
    yield from _missing(config, port, where)
    yield from _lossless(config, port, where)


def _missing(config: Line, port: PortLines, where: str) -> Iterator[str]:
    domain = domain_of(port)
    if domain not in {DEFAULT, "none"} and named(config, "diffserv domain", domain) is None:
        yield f"{where}: there is no diffserv domain {domain}"
    for match in port.all(WRED):
        if match[2] != DEFAULT and named(config, "drop-profile", match[2]) is None:
            yield f"{where}: queue {match[1]} has no drop-profile {match[2]}"


def _lossless(config: Line, port: PortLines, where: str) -> Iterator[str]:
    lossless = priorities(config, port)
    if not lossless:
        yield f"{where}: no priority is lossless"
    marking = {int(match[1]) for match in port.all(ECN_QUEUE)}
    profiled = {int(match[1]) for match in port.all(WRED)}
    for priority in lossless:
        if priority not in marking:
            yield f"{where}: queue {priority} is lossless and marks nothing (ECN)"
        elif priority not in profiled:
            yield f"{where}: queue {priority} marks by no drop-profile"
