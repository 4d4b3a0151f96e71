"""NICs by the names that a traffic matrix may give them: host, host/netdev, "host netdev"."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.inventory.translate import nearest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.topology import Topology


class UnknownNicError(ValueError):
    """No NIC is meant, or not clear which; ``fix``: how to mend it."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


@dataclass(frozen=True)
class NicNames:
    """``nics``: "host netdev" by number; ``rails`` of each; ``of_host``: numbers by host.

    Only NICs with a cable, as planned, are there.
    """

    nics: tuple[str, ...]
    rails: tuple[int, ...]
    of_host: Mapping[str, tuple[int, ...]]
    _by_name: Mapping[str, int]

    @classmethod
    def of(cls, topology: Topology) -> NicNames:
        """Those of a topology."""
        cabled = {(link.a.device, link.a.port) for link in topology.host_links}
        found = [
            (host.name, port.netdev, port.rail)
            for host in topology.hosts
            for port in host.ports
            if any((host.name, netdev) in cabled for netdev in port.cabled)
        ]
        of_host: dict[str, list[int]] = {}
        by_name: dict[str, int] = {}
        for number, (host, netdev, _) in enumerate(found):
            of_host.setdefault(host, []).append(number)
            by_name[f"{host} {netdev}"] = by_name[f"{host}/{netdev}"] = number
        return cls(
            tuple(f"{host} {netdev}" for host, netdev, _ in found),
            tuple(rail for _, _, rail in found),
            {host: tuple(numbers) for host, numbers in of_host.items()},
            by_name,
        )

    def pairs(self, source: str, target: str) -> list[tuple[int, int]]:
        """NICs that send and receive, an equal part each pair: one, or one a rail of two hosts.

        Raises:
            UnknownNicError: hosts whose NICs do not match rail by rail.
        """
        here, there = self.numbers(source), self.numbers(target)
        if len(here) == len(there) == 1:
            return [(here[0], there[0])]
        at = {self.rails[nic]: nic for nic in there}
        rails = [self.rails[nic] for nic in here]
        if len(here) != len(there) or len(at) != len(there) or set(rails) != at.keys():
            message = f"the NICs of {source} and of {target} do not match rail by rail"
            raise UnknownNicError(message, f"name one at either end, as {self._shown(here)}")
        return [(nic, at[rail]) for nic, rail in zip(here, rails, strict=True)]

    def numbers(self, name: str) -> tuple[int, ...]:
        """All of a host, or one.

        Raises:
            UnknownNicError: there is none of that name.
        """
        if name in self.of_host:
            return self.of_host[name]
        if name in self._by_name:
            return (self._by_name[name],)
        host = name.replace("/", " ").partition(" ")[0]
        if host in self.of_host:
            known = [self.nics[nic].replace(" ", "/") for nic in self.of_host[host]]
            message = f"{host} has no NIC {name!r}"
            raise UnknownNicError(message, nearest(name, known))
        near = difflib.get_close_matches(host, self.of_host, 3, 0.5)
        hint = f"did you mean {', '.join(near)}? " if near else ""
        message = f"there is no host {host!r}"
        raise UnknownNicError(message, f"{hint}`fabric show hosts` lists them")

    def _shown(self, numbers: tuple[int, ...]) -> str:
        return self.nics[numbers[0]].replace(" ", "/")
