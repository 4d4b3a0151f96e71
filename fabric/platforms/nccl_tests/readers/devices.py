"""The devices that a run lists: ``#  Rank  0 Group  0 Pid 99 on host device  0 [0x1b] model``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.reading import Json

_RANK = re.compile(
    r"\s*#?\s*Rank\s+(?P<rank>\d+)\s+(?:Group\s+\d+\s+)?(?:Pid\s+\d+\s+)?on\s+(?P<host>\S+)\s+"
    r"device\s+(?P<device>\d+)\s+\[[^\]]*\]\s*(?P<gpu>.*?)\s*$"
)


def is_rank(line: str) -> bool:
    """Whether the line lists a device."""
    return bool(_RANK.match(line))


def ranks(lines: list[str]) -> dict[str, Json]:
    """``ranks_listed``, ``highest_rank``, ``ranks_per_host``, ``gpu``; nothing without a list."""
    found = {
        (int(m["rank"]), m["host"], m["device"]): m["gpu"]
        for line in lines
        if (m := _RANK.match(line))
    }
    if not found:
        return {}
    hosts = [host for _, host, _ in found]  # runs that did not meet each list a rank 0
    gpus: list[Json] = [gpu for gpu in dict.fromkeys(found.values()) if gpu]
    return {
        "ranks_listed": len(found),
        "highest_rank": max(rank for rank, _, _ in found),
        "ranks_per_host": {host: hosts.count(host) for host in dict.fromkeys(hosts)},
        "gpu": gpus,
    }
