"""How NICs hang on their leaves: one by one, with the interface of the leaf that faces each."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.topology import End

if TYPE_CHECKING:
    from fabric.model.topology import Host, Link, Topology


@dataclass(frozen=True, slots=True)
class Attachment:
    """A NIC at its leaf. ``leaf``: the interface of the switch that faces it.

    ``ordinal``: the NIC is the n-th of its host on this leaf, from 1. ``links``: its cables.
    ``second``: the interface on the other leaf of a pair, for a bond that ends on two.
    """

    nic: End
    leaf: End
    ordinal: int
    links: tuple[Link, ...]
    second: End | None = None

    @property
    def member(self) -> str:
        """Its place in the leaf's blocks: ``gpu-1``, or ``gpu-1:2`` of a host's second NIC."""
        return self.nic.device if self.ordinal == 1 else f"{self.nic.device}:{self.ordinal}"


def attachments(topology: Topology) -> list[Attachment]:
    """Every cabled NIC, host by host."""
    return [one for host in topology.hosts for one in attachments_of(topology, host)]


def attachments_of(topology: Topology, host: Host) -> list[Attachment]:
    """The cabled NICs of a host in their order."""
    link_at = {link.end(host.name).port: link for link in topology.links_of(host.name)}
    seen: Counter[str] = Counter()
    found: list[Attachment] = []
    for nic in host.ports:
        links = tuple(link_at[name] for name in nic.cabled if name in link_at)
        if links:
            leaf = links[0].other(host.name)
            faces = [End(x.device, x.name) for x in topology.lags_of(host.name, nic.netdev)]
            face, second = (*faces, None, None)[:2]
            seen[leaf.device] += 1
            own, ordinal = End(host.name, nic.netdev), seen[leaf.device]
            found.append(Attachment(own, face or leaf, ordinal, links, second))
    return found
