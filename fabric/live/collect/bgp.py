"""Which BGP sessions a device has, and which of them are up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.collect.fact import observed_fact

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push import Action

_UP = "established"


def sessions_up(
    device: str, platform: str, perform: Callable[[Action], str]
) -> tuple[frozenset[str], frozenset[str]]:
    """Peers whose session is up, and all peers; by address, or interface where unnumbered.

    Raises:
        NotAskedError: no command is known, or none gave an answer that is understood.
        DeviceError: the device cannot be reached, or the session was lost.
    """
    peers = observed_fact(device, platform, "bgp", perform).peers
    up = frozenset(p.address for p in peers if (p.state or "").lower() == _UP)
    return up, frozenset(p.address for p in peers)
