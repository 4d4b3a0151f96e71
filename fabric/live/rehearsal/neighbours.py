"""Which BGP sessions of a rehearsal come up: both ends are cabled together and name each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fabric.live.rehearsal.box import PeerState

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabric.live.rehearsal.box import Clock, Peering, Setup

Ask: TypeAlias = (
    "Callable[[str], tuple[Peering, ...] | None]"  # the sessions of a device; None: it is down
)


class Cabling:
    """Who is cabled to whom, and since when each session is in its state."""

    def __init__(self, setups: Iterable[Setup], clock: Clock, ask: Ask) -> None:
        self._clock, self._ask = clock, ask
        self._ends = {
            (setup.device, cable.port): (cable.peer, cable.peer_port)
            for setup in setups
            for cable in setup.neighbours
        }
        self._since: dict[tuple[str, str, str], tuple[str, float]] = {}

    def state(self, peering: Peering) -> PeerState:
        """What has become of this session, seen from the end that asks."""
        state, hostname, asn = self._judge(peering)
        key = (peering.device, peering.port, peering.remote)
        if self._since.get(key, ("", 0.0))[0] != state:
            self._since[key] = (state, self._clock())
        return PeerState(state, hostname, asn, self._clock() - self._since[key][1])

    def _judge(self, peering: Peering) -> tuple[str, str, int]:
        if not peering.up:
            return "Idle", "", 0
        for peer, port in self._opposite(peering):
            for other in self._ask(peer) or ():
                if other.up and _meet(peering, other, port):
                    agreed = _accepts(peering, other) and _accepts(other, peering)
                    return ("Established" if agreed else "Idle"), peer, other.local_asn
        return "Active", "", 0

    def _opposite(self, peering: Peering) -> list[tuple[str, str]]:
        """Devices and ports at which the other end may be."""
        if peering.port:
            end = self._ends.get((peering.device, peering.port))
            return [end] if end else []
        return [end for (device, _), end in self._ends.items() if device == peering.device]


def _meet(here: Peering, there: Peering, port: str) -> bool:
    if there.port and there.port != port:
        return False
    if not here.remote or not there.remote:
        return not here.remote and not there.remote and there.port == port
    return there.remote == here.local and here.remote == there.local


def _accepts(here: Peering, there: Peering) -> bool:
    if here.remote_asn == 0:
        return here.local_asn != there.local_asn
    return here.remote_asn == there.local_asn
