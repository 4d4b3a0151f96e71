"""What NVUE makes of all settings together: is the whole right, and what does FRR get."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.frr.config import FrrConfig
from fabric.live.rehearsal.nvue import tree

if TYPE_CHECKING:
    from fabric.live.rehearsal.nvue.tree import Settings

_WHOLE = 100  # percent


def invalid(settings: Settings) -> list[str]:
    """What the whole check at apply finds."""
    reasons = []
    pools = [int(path[-1]) for path in settings if path[-2:-1] == ("memory-percent",)]
    if sum(pools) > _WHOLE:
        reasons.append(
            "Config invalid at qos.traffic-pool: memory-percent adds up to more than 100"
        )
    lossless = {
        path[2]
        for path in settings
        if path[:2] == ("qos", "traffic-pool")
        and len(path) > 2  # noqa: PLR2004
        and path[2] in {"default-lossless", "roce-lossless"}
    }
    if len(lossless) > 1:
        reasons.append("Config invalid at qos.traffic-pool: only one lossless pool can be set")
    speaks = any(
        path[:4] == ("vrf", "default", "router", "bgp") and "neighbor" in path for path in settings
    )
    number = any(
        path[:3] == ("router", "bgp", "autonomous-system")
        or path[:5] == ("vrf", "default", "router", "bgp", "autonomous-system")
        for path in settings
    )
    if speaks and not number:
        reasons.append("Config invalid at vrf.default.router.bgp: autonomous-system is required")
    return reasons


def frr_of(force: Settings) -> FrrConfig:
    """What NVUE writes for FRR, as far as sessions go."""
    asn = next((path[-1] for path in force if path[-2:-1] == ("autonomous-system",)), "")
    if not asn.isdigit():
        return FrrConfig()
    lines = [f"router bgp {asn}"]
    lines += [f" bgp router-id {path[-1]}" for path in force if path[-2:-1] == ("router-id",)]
    for path in sorted(force, key=tree.natural):
        if path[:5] != ("vrf", "default", "router", "bgp", "neighbor"):
            continue
        kind = "" if re.match(r"[\d:]", path[5]) else " interface"
        if path[6:7] == ("remote-as",):
            lines.append(f" neighbor {path[5]}{kind} remote-as {path[7]}")
        elif path[6:7] == ("peer-group",):
            group = [
                other[-1]
                for other in force
                if other[4:6] == ("peer-group", path[7]) and other[-2] == "remote-as"
            ]
            lines += [f" neighbor {path[5]}{kind} remote-as {each}" for each in group]
        elif path[6:8] == ("shutdown", "on"):
            lines.append(f" neighbor {path[5]} shutdown")
    return FrrConfig("\n".join(lines))
