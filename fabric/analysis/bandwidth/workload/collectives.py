"""Factors and bounds of collectives (validation 6; nccl-tests doc/PERFORMANCE.md).

n ranks on m servers, g = n / m on each, K NICs a server with B bytes/s of payload each. ``size``:
bytes as nccl-tests counts them, of all_gather, reduce_scatter and alltoall the total of a rank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fabric.model.workload import ALL_REDUCE, ALLTOALL, NVLS, RING

if TYPE_CHECKING:
    from collections.abc import Callable


class Servers(NamedTuple):
    """``ranks`` n, ``servers`` m with as many each, ``nics`` K used in each, in NIC rates."""

    ranks: int
    servers: int
    nics: float


def bus_factor(operation: str, ranks: int) -> float:
    """The busbw is size / time × this; a rank of a ring sends as much of each byte of ``size``."""
    if ranks < 2:  # noqa: PLR2004 - nobody to send to
        return 0.0
    share = (ranks - 1) / ranks
    return 2 * share if operation == ALL_REDUCE else share


def server_bound(operation: str, algorithm: str, where: Servers, nic: float) -> float | None:
    """What busbw between servers cannot exceed, in the unit of ``nic``, B.

    ``None``: one server, so the NICs do not limit it. Ring: each byte enters and leaves every
    server once, K·B. With a reduction inside servers first (tree, NVLS) 2(m−1)/m of a message
    leaves a server. alltoall: (n−g)/n of each rank's bytes leave its server.
    """
    n, m, nics = where
    if m < 2:  # noqa: PLR2004 - nothing leaves it
        return None
    ranks_each = n / m
    if operation == ALLTOALL:
        return nics * nic / ranks_each * (n - 1) / (n - ranks_each)
    if operation == ALL_REDUCE and algorithm != RING:
        return nics * nic * inside_first(n, m)
    return nics * nic


def inside_first(ranks: int, servers: int) -> float:
    """(n−1)·m / (n·(m−1)): how far a reduction inside servers lifts busbw above K·B."""
    return (ranks - 1) * servers / (ranks * (servers - 1))


def network_steps(operation: str, algorithm: str, servers: int) -> int:
    """Hops between servers that lie one behind the other in a collective, at the least."""
    if servers < 2:  # noqa: PLR2004 - none
        return 0
    deep = (servers - 1).bit_length()
    steps: dict[str, Callable[[], int]] = {
        ALLTOALL: lambda: 1,
        ALL_REDUCE: lambda: 2 * (servers - 1) if algorithm == RING else 2 * deep,
    }
    return steps.get(operation, lambda: servers - 1)()


def inside_share(operation: str, algorithm: str, ranks: int, ranks_each: int) -> float:
    """NVLink bytes that a GPU sends at the least, of each bus byte; 0: nobody shares its server.

    In a ring a GPU whose neighbour is in its server sends all of it there. NVLS: each GPU's part is
    read once, S of 2(n−1)/n·S. alltoall: what goes to ranks of the same server.
    """
    if ranks_each < 2 or ranks < 2:  # noqa: PLR2004 - nobody beside it
        return 0.0
    if operation == ALLTOALL:
        return (ranks_each - 1) / (ranks - 1)
    if operation == ALL_REDUCE and algorithm == NVLS:
        return ranks / (2 * (ranks - 1))
    return 1.0
