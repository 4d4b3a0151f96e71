"""What can still be said about an inventory that has errors."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING

from fabric.model.finding import Severity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from fabric.files.yaml import Path
    from fabric.model.finding import Problem


class Doubt(Enum):
    """What a draft does not know, so that nothing is said about it."""

    HOSTS = "which hosts there are"
    SPEEDS = "how fast ports are"
    POOLS = "what addresses and AS numbers are cut from"


# Keys of an entry of hosts: that say nothing about how many hosts there are or where they stand.
_ASIDE = frozenset(
    {
        "nic", "speed", "netdevs", "rdma_devices", "numa", "gpus", "gpu_of_nic", "env", "cross_nic",
        "qps_per_connection", "oob_interface", "network_config", "member_netdevs",
    }
)  # fmt: skip
_SPEEDS = frozenset({"nic", "speed", "server"})


def doubts(
    problems: Iterable[Problem], bad: Collection[str], with_speed: Collection[int] = ()
) -> frozenset[Doubt]:
    """What is in doubt after these problems.

    ``bad``: sections set aside as a whole. ``with_speed``: entries of ``hosts:`` that name a
    speed, so that it does not follow from the NIC.
    """
    found: set[Doubt] = set()
    errors = [p.path for p in problems if p.severity >= Severity.ERROR and p.rule != "RCE005"]
    for path in (*errors, *((section,) for section in bad)):
        sure = path[:1] == ("hosts",) and path[1:2] and path[1] in with_speed
        found |= _doubts(path) - ({Doubt.SPEEDS} if sure and path[2:] == ("nic",) else set())
    return frozenset(found)


def follows(path: Path, refused: Collection[Path]) -> bool:
    """Whether a problem of the design follows from one that is told: at its place or above it.

    Of an entry of ``hosts:`` with a wrong number, name or place nothing more is said.
    """
    return any(told and _is_below(path, told) for told in refused)


def _is_below(path: Path, told: Path) -> bool:
    match told:
        case ("hosts", int(number), str(key), *_) if key not in _ASIDE:
            return path[:2] == ("hosts", number)
    return path[: len(told)] == told


def _doubts(path: Path) -> set[Doubt]:
    match path:
        case ("hosts", int(), str(key), *_):
            about_hosts = set() if key in _ASIDE else {Doubt.HOSTS}
            return about_hosts | ({Doubt.SPEEDS} if key in _SPEEDS else set())
        case ("hosts", *_):
            return {Doubt.HOSTS, Doubt.SPEEDS}
        case ("links", *_):
            return {Doubt.SPEEDS}
        case ("addressing", "bgp" | "links" | "host_subnets", *_):
            return set()
        case ("addressing", *_) | ("management", *_) | ():
            return {Doubt.POOLS}
    return set()
