"""What rules look at: a design and what follows from it, computed once and only when asked for.

The one file where rules meet other rooms.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property
from operator import attrgetter
from typing import TYPE_CHECKING

from fabric.checks.hosts import qps_of
from fabric.model.names import natural_sorted
from fabric.model.qos import QosChain
from fabric.model.topology import End

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from fabric.analysis.prefixes import Bounce
    from fabric.model.bandwidth import Effective
    from fabric.model.deadlock import DeadlockVerdict
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel
    from fabric.model.intent import DeviceHardware, HostGroup, RocePolicy
    from fabric.model.qos import ClassMap, LosslessProfile, TrafficClass

_BODY = attrgetter(*(f.name for f in fields(QosChain) if f.name not in ("device", "port")))
_NAMES_IN_FULL = 3
_TRIALS = 50
_MOST_FLOWS = 20_000  # a trial; more would take a plan longer than some seconds


@dataclass(frozen=True, slots=True)
class ChainGroup:
    """Ports that treat packets alike. ``chain`` is that of the first one."""

    chain: QosChain
    ends: tuple[End, ...]

    @property
    def devices(self) -> tuple[str, ...]:
        """The switches, each once."""
        return tuple(dict.fromkeys(end.device for end in self.ends))


@dataclass(frozen=True)
class Chains:
    """The QoS chains of every cabled port of every lossless switch."""

    groups: tuple[ChainGroup, ...]
    by_end: Mapping[tuple[str, str], QosChain]

    def at(self, end: End) -> QosChain | None:
        """The chain of a port, or that of a port alike.

        ``None``: a host, or a switch without lossless function.
        """
        return self.by_end.get((end.device, end.port))


def class_of(class_map: ClassMap, dscp: int) -> TrafficClass | None:
    """The class of a DSCP, ``None`` where the map has a hole."""
    return next((c for c in class_map.classes if dscp in c.dscps), None)


class Facts:
    """Facts of one design.

    ``device_of``: makes the model of a switch (default: :mod:`fabric.design.devices`).
    ``missing``: facts that cannot be had here, each with the reason.
    ``written``: chains that take the place of the design's, read from rendered text.
    """

    def __init__(
        self,
        design: Design,
        *,
        device_of: Callable[[str], DeviceModel] | None = None,
        missing: Mapping[str, str] | None = None,
        written: Iterable[QosChain] = (),
    ) -> None:
        self.design = design
        self.intent = design.intent
        self.topology = design.topology
        self.addressing = design.addressing
        self.underlay = design.underlay
        self.lossless = design.lossless
        self.missing = dict(missing or {})
        self._device_of = device_of
        self._written = {(chain.device, chain.port): chain for chain in written}

    @property
    def roce(self) -> RocePolicy:
        """The lossless policy."""
        return self.intent.roce

    @property
    def class_map(self) -> ClassMap:
        """The class map in force."""
        return self.lossless.class_map

    @property
    def host_groups(self) -> tuple[HostGroup, ...]:
        """The groups that have hosts."""
        return tuple(group for group in self.intent.host_groups if group.names)

    def hosts_text(self, group: str) -> str:
        """``64 hosts``; with several groups ``64 hosts of group a``."""
        count = len(self.intent.group(group).names)
        hosts = f"{count:,} host{'s' if count > 1 else ''}"
        return f"{hosts} of group {group}" if len(self.host_groups) > 1 else hosts

    @cached_property
    def hardware(self) -> dict[str, DeviceHardware]:
        """Hardware by switch."""
        known = self.intent.hardware
        own = dict(known.devices)
        roles = dict(known.roles)
        return {
            s.name: own.get(s.name) or roles.get(s.role) or known.default
            for s in self.topology.switches
        }

    @cached_property
    def lossless_switches(self) -> tuple[str, ...]:
        """Switches whose system has PFC."""
        return tuple(
            name for name, hw in self.hardware.items() if hw.platform.capabilities.lossless
        )

    @cached_property
    def profiles(self) -> dict[str, LosslessProfile]:
        """Lossless profiles by name."""
        return {profile.name: profile for profile in self.lossless.profiles}

    @cached_property
    def profiles_of(self) -> dict[str, tuple[LosslessProfile, ...]]:
        """Lossless profiles of the ports with a cable, by switch."""
        of_port = {(p.device, p.port): p.profile for p in self.lossless.ports}
        names: dict[str, dict[str, None]] = {}
        for link in self.topology.links:
            for end in (link.a, link.b):
                name = of_port.get((end.device, end.port))
                if name is not None:
                    names.setdefault(end.device, {})[name] = None
        return {
            device: tuple(self.profiles[name] for name in used) for device, used in names.items()
        }

    @cached_property
    def profiles_in_use(self) -> tuple[LosslessProfile, ...]:
        """The same, each once."""
        used = {p.name for profiles in self.profiles_of.values() for p in profiles}
        return tuple(profile for profile in self.lossless.profiles if profile.name in used)

    def users(self, profile: LosslessProfile) -> tuple[str, ...]:
        """Switches with a cabled port of that profile."""
        return tuple(d for d, used in self.profiles_of.items() if profile in used)

    @cached_property
    def chains(self) -> Chains:
        """QoS chains; made switch by switch and one kept for all alike, so that big fabrics fit."""
        kept: dict[object, tuple[QosChain, list[End]]] = {}
        met: dict[int, tuple[QosChain, tuple[QosChain, list[End]]]] = {}  # by identity: no hashing
        by_end: dict[tuple[str, str], QosChain] = {}
        for device, chain in self._all_chains():
            if id(chain) not in met:
                met[id(chain)] = (chain, kept.setdefault(_BODY(chain), (chain, [])))
            first, ends = met[id(chain)][1]
            ends.append(End(device, chain.port))
            by_end[device, chain.port] = first
        return Chains(tuple(ChainGroup(c, tuple(ends)) for c, ends in kept.values()), by_end)

    def _all_chains(self) -> Iterator[tuple[str, QosChain]]:
        """Each with its switch."""
        from fabric.design.devices import DeviceModels  # noqa: PLC0415 — only where rules ask

        models, make = DeviceModels(self.design), self._device_of
        for name in self.lossless_switches:
            made = make and (port.chain for port in make(name).used_interfaces)
            for chain in made or models.chains_of(name):
                yield name, self._written.get((name, chain.port), chain)

    @cached_property
    def lossless_dscps(self) -> tuple[tuple[str, int], ...]:
        """Every DSCP that must not be dropped, with the word for it; RoCE's first."""
        found = {self.roce.dscp: "RoCE"}
        for traffic in self.class_map.lossless:
            for dscp in traffic.dscps:
                found.setdefault(dscp, f"class {traffic.name}")
        return tuple((word, dscp) for dscp, word in found.items())

    @cached_property
    def valley(self) -> tuple[str, str, str] | None:
        """A switch, and two above it between which a route may come down and go up again."""
        from fabric.design.valleys import valley  # noqa: PLC0415 — only where rules ask

        return valley(self.topology, dict(self.addressing.asns))

    @cached_property
    def refused_pair(self) -> tuple[str, str, str] | None:
        """A switch, and two below it between which routes are refused with nothing failed."""
        from fabric.design.valleys import refused_pair  # noqa: PLC0415 — only where rules ask

        return refused_pair(self.topology, dict(self.addressing.asns))

    @cached_property
    def deadlock(self) -> DeadlockVerdict:
        """Whether buffers can wait for each other in a ring, under the routing as planned."""
        from fabric.analysis.verdict import planned  # noqa: PLC0415 — only where rules ask

        return planned(self.design)

    @cached_property
    def bounces(self) -> tuple[Bounce, ...]:
        """Prefixes whose dead addresses bounce between two switches."""
        from fabric.analysis.prefixes import bouncing  # noqa: PLC0415 — only where rules ask

        return tuple(bouncing(self.underlay, self.addressing))

    @cached_property
    def target_qps(self) -> int:
        """QPs a pair that the target is meant with, else the fewest that hosts are set to."""
        written = self.intent.targets.qps
        return written or min((qps_of(group) for group in self.host_groups), default=1)

    @cached_property
    def effective(self) -> Effective | str:
        """What hashing leaves of a NIC's rate with that many QPs, or why that is not worked out."""
        return self.effective_under("planned")

    @property
    def targeted_rate(self) -> Effective | None:
        """The same where a target asks for it and it could be had."""
        if self.intent.targets.effective_percent is None or isinstance(self.effective, str):
            return None
        return self.effective

    def effective_under(self, hash_model: str) -> Effective | str:
        """The same under another hash."""
        ports = [port for host in self.topology.hosts for port in host.ports]
        if len({port.speed_gbps * len(port.cabled) for port in ports}) > 1:
            return "NICs differ in rate, so their mean is no share of a rate"
        endpoints, qps = len(ports), self.target_qps
        if endpoints * qps > _MOST_FLOWS:
            flows = f"{endpoints * qps:,} flows a trial"
            return f"{flows} take long: `fabric analyze bandwidth --qps {qps}` works it out"
        from fabric.analysis.bandwidth.answer import Asked, effective_of  # noqa: PLC0415 — rare

        return effective_of(self.design, Asked(qps=(qps,), hash=hash_model, trials=_TRIALS))

    def uplinks(self, device: str) -> dict[str, list[int]]:
        """Speeds in Gb/s of the cables to each switch of a higher tier."""
        here = self.topology.switch(device).position.tier
        found: dict[str, list[int]] = {}
        for link in self.topology.links_of(device):
            other = link.other(device).device
            if self.topology.is_switch(other) and self.topology.switch(other).position.tier > here:
                found.setdefault(other, []).append(link.speed_gbps)
        return found

    def subject(self, devices: Collection[str]) -> str:
        """Short stable name for switches: one name, their role, the fabric, or a list."""
        return self._named(devices, self.intent.name, "{}")

    def who(self, devices: Collection[str]) -> str:
        """The same for a sentence: ``every leaf``, ``leaf-0, leaf-2 and 5 more``."""
        return self._named(devices, "every switch", "every {}")

    def _named(self, devices: Collection[str], everything: str, role_pattern: str) -> str:
        names = set(devices)
        if len(names) > 1:
            if names == set(self.hardware):
                return everything
            roles = {self.topology.switch(name).role for name in names}
            if len(roles) == 1 and names == self._of_role(*roles):
                return role_pattern.format(*roles)
        return _list_text(names)

    def _of_role(self, role: str) -> set[str]:
        return {s.name for s in self.topology.switches if s.role == role}


def _list_text(names: Iterable[str]) -> str:
    ordered = natural_sorted(names)
    rest = len(ordered) - _NAMES_IN_FULL
    shown = ", ".join(ordered[:_NAMES_IN_FULL])
    return f"{shown} and {rest:,} more" if rest > 0 else shown
