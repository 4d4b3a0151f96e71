"""How NICs hang on their leaves: one by one, with the interface of the leaf that faces each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.topology import End

if TYPE_CHECKING:
    from fabric.model.topology import Link, Topology


@dataclass(frozen=True, slots=True)
class Attachment:
    """A NIC at its leaf. ``leaf``: the interface of the switch that faces it.

    ``ordinal``: the NIC is the n-th of its host on this leaf, from 1. ``links``: its cables.
    """

    nic: End
    leaf: End
    ordinal: int
    links: tuple[Link, ...]

    @property
    def member(self) -> str:
        """Its place in the leaf's blocks: ``gpu-1``, or ``gpu-1:2`` of a host's second NIC."""
        return self.nic.device if self.ordinal == 1 else f"{self.nic.device}:{self.ordinal}"


def attachments(topology: Topology) -> list[Attachment]:
    """Every cabled NIC, in the order of the host links."""
    nic_of = {(h.name, d): n.netdev for h in topology.hosts for n in h.ports for d in n.cabled}
    links: dict[End, list[Link]] = {}
    for link in topology.host_links:
        nic = End(link.a.device, nic_of[link.a.device, link.a.port])
        links.setdefault(nic, []).append(link)
    seen: Counter[tuple[str, str]] = Counter()
    found: list[Attachment] = []
    for nic, cables in links.items():
        leaf = cables[0].b
        seen[nic.device, leaf.device] += 1
        found.append(Attachment(nic, leaf, seen[nic.device, leaf.device], tuple(cables)))
    return found
