"""One DSCP on one port of a switch that nobody planned: where its lossless chain breaks.

The chain is DSCP → traffic class → queue, → priority group → PFC priority → buffer profile. What a
system's config does not state is never called wrong.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.chain import listed, paused_queue, pausing
from fabric.model.audit import Followed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.qos import QosChain

_DSCPS = range(64)
TC, QUEUE, PG, PFC, PROFILE = "tc", "queue", "pg", "pfc", "profile"


def follow(chain: QosChain, dscp: int, *, states_buffers: bool) -> Followed:
    """Follow ``dscp`` on a port. ``states_buffers``: the config names groups and buffers."""
    tc = chain.dscp_to_tc[dscp]
    if tc is None:
        why = f"DSCP {dscp} → no traffic class"
        return Followed(chain.port, dscp, None, broken_at=TC, why=why)
    group, queue = chain.tc_to_pg[tc], chain.tc_to_queue[tc]
    priorities = pausing(chain, tc if group is None else group)
    broken = next(_breaks(chain, dscp, tc, priorities, states_buffers=states_buffers), None)
    return Followed(
        port=chain.port,
        dscp=dscp,
        tc=tc,
        queue=queue,
        pg=group,
        pfc=priorities[0] if priorities else None,
        profile=_profile(chain, group),
        broken_at=broken[0] if broken else None,
        why=broken[1] if broken else "",
    )


def lossless_dscps(chains: Iterable[QosChain], *, states_buffers: bool) -> tuple[int, ...]:
    """The DSCPs that end in a lossless priority group on some port, in rising order."""
    return tuple(
        sorted(
            {
                dscp
                for chain in chains
                for dscp in _DSCPS
                if _ends_lossless(chain, dscp, states_buffers=states_buffers)
            }
        )
    )


def _ends_lossless(chain: QosChain, dscp: int, *, states_buffers: bool) -> bool:
    tc = chain.dscp_to_tc[dscp]
    if tc is None:
        return False
    group = chain.tc_to_pg[tc]
    if states_buffers:
        return group is not None and (group in chain.lossless_pgs or bool(pausing(chain, group)))
    return bool(pausing(chain, tc if group is None else group))


def _breaks(
    chain: QosChain, dscp: int, tc: int, priorities: tuple[int, ...], *, states_buffers: bool
) -> Iterator[tuple[str, str]]:
    """Hop and reason, in the order of the chain."""
    group, queue = chain.tc_to_pg[tc], chain.tc_to_queue[tc]
    way = f"DSCP {dscp} → TC {tc}"
    if queue is None and states_buffers:
        yield QUEUE, f"{way} → no queue"
    if queue is not None and not chain.remarks:
        for priority in priorities:
            stopped = paused_queue(chain, priority)
            if stopped != queue:
                pause = f"a received pause of priority {priority} stops queue {stopped}"
                yield QUEUE, f"{way} → queue {queue}, but {pause}"
    if group is None and states_buffers:
        yield PG, f"{way} → no priority group"
    if not priorities:
        place = f"{way} → its priority" if group is None else f"{way} → PG {group}"
        yield PFC, f"{place} is not in PFC ({listed(chain.pfc_priorities)})"
    if states_buffers:
        yield from _lossy_buffers(chain, way, group, queue)


def _lossy_buffers(
    chain: QosChain, way: str, group: int | None, queue: int | None
) -> Iterator[tuple[str, str]]:
    if group is not None and group not in chain.lossless_pgs:
        yield PROFILE, f"{way} → PG {group}, which has no lossless buffer profile"
    if queue is not None and not chain.remarks and not chain.queues[queue].lossless_buffer:
        yield PROFILE, f"{way} → queue {queue}, which has a lossy buffer profile"


def _profile(chain: QosChain, group: int | None) -> str | None:
    if group is None or group not in chain.lossless_pgs:
        return None
    buffer = chain.buffers[group]
    return buffer.name if buffer and buffer.name else "lossless"
