"""Longest-prefix match: packets for addresses that nobody has, and where they go.

A switch that announces more than it has, without a discard route, sends packets for the rest after
the next longer match. If that is a route into the fabric, whoever gets them sends them back: the
announced prefix is the longer match there. Two buffers wait for each other then.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from ipaddress import ip_network
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.addressing import Addressing
    from fabric.model.underlay import BgpSession, Speaker, Underlay


@dataclass(frozen=True, slots=True)
class Bounce:
    """``switch`` announces ``prefix`` and follows ``over`` of ``owner`` for what it lacks of it.

    ``session``: that to the neighbour which sends such packets back.
    """

    switch: str
    prefix: str
    over: str
    owner: str
    session: BgpSession


def bouncing(underlay: Underlay, addressing: Addressing) -> Iterator[Bounce]:
    """Prefixes whose dead addresses bounce between two switches, one a switch and prefix."""
    wide = [
        (prefix, speaker) for speaker in underlay.speakers for prefix in _wide(speaker, addressing)
    ]
    owners = [(ip_network(prefix), prefix, s.device) for prefix, s in wide]
    owners += [(ip_network(p), p, s.device) for s in underlay.speakers for p in s.discards]
    for prefix, speaker in wide:
        inner = ip_network(prefix)
        around = [
            (outer.prefixlen, text, owner)
            for outer, text, owner in owners
            if owner != speaker.device
            and outer.version == inner.version
            and outer.prefixlen < inner.prefixlen
            and outer.supernet_of(inner)  # type: ignore[arg-type] # of one version
        ]
        if not around:
            continue
        _, over, owner = max(around)
        session = _towards(underlay, speaker.device, owner)
        if session is not None:
            yield Bounce(speaker.device, prefix, over, owner, session)


def _wide(speaker: Speaker, addressing: Addressing) -> Iterator[str]:
    """What it announces without having all of it: no loopback, no VLAN, nothing it discards.

    Nor the network of a single port, which is announced only as long as the port is up.
    """
    own = {*addressing.loopback(speaker.device), *speaker.discards}
    here = (s for s in addressing.host_subnets if s.leaf == speaker.device)
    own |= {s.prefix for s in here if s.vlan or s.of_port}
    yield from (prefix for prefix in speaker.announces if prefix not in own)


def _towards(underlay: Underlay, start: str, goal: str) -> BgpSession | None:
    """The first session of a shortest way to another switch."""
    first: dict[str, BgpSession] = {}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for session in underlay.sessions_of(here):
            if session.peer not in first and session.peer != start:
                first[session.peer] = first.get(here, session)
                queue.append(session.peer)
    return first.get(goal)
