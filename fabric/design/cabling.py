"""Every cable of a blueprint by its id, and what each end asks of its switch."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.design.port_lock import member_of
from fabric.design.port_wants import ACROSS, DOWN, UP, Want
from fabric.model.names import link_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.design.port_lock import Plug
    from fabric.design.port_wants import Kept
    from fabric.model.intent import Intent
    from fabric.model.topology import Blueprint, CableNode

InventoryPath = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Cable:
    """One cable; ``a_want``/``b_want``: number of the want at that end, ``None`` at a host.

    ``netdev``: the NIC, where ``a`` is a host. ``path``: what the user wrote about it.
    """

    id: str
    a: str
    b: str
    kind: str
    speed_gbps: int
    length_m: float
    label: str
    path: InventoryPath
    a_want: int | None
    b_want: int
    netdev: str = ""
    cable_type: str = ""


@dataclass(frozen=True, slots=True)
class Cabling:
    """All cables, and by switch its wants and the cable of each want."""

    cables: tuple[Cable, ...]
    wants: Mapping[str, tuple[Want, ...]]
    cable_of: Mapping[str, tuple[Cable, ...]]

    def plugs(self) -> Iterator[Plug]:
        """Every end at a switch whose port the user did not name."""
        for device, wants in self.wants.items():
            for cable, want in zip(self.cable_of[device], wants, strict=True):
                if want.port is None:
                    yield device, member_of(device, cable.id)


def cabling(blueprint: Blueprint, intent: Intent, kept: Mapping[Plug, Kept]) -> Cabling:
    """Number the cables between two devices from 1 and collect what they need."""
    collector = _Collector({switch.name: [] for switch in blueprint.switches}, kept)
    cables = [*collector.hosts(blueprint, intent), *collector.switches(blueprint)]
    cable_of: defaultdict[str, dict[int, Cable]] = defaultdict(dict)
    for cable in cables:
        cable_of[cable.b][cable.b_want] = cable
        if cable.a_want is not None:
            cable_of[cable.a][cable.a_want] = cable
    wants = {name: tuple(found) for name, found in collector.wants.items()}
    ordered = {
        name: tuple(cable_of[name][number] for number in range(len(found)))
        for name, found in wants.items()
    }
    return Cabling(tuple(cables), wants, ordered)


class _Collector:
    """Counts cables between devices and notes wants."""

    def __init__(self, wants: dict[str, list[Want]], kept: Mapping[Plug, Kept]) -> None:
        self.wants, self._kept = wants, kept
        self._pairs: Counter[tuple[str, str]] = Counter()

    def hosts(self, blueprint: Blueprint, intent: Intent) -> Iterator[Cable]:
        """Cables of hosts, NIC by NIC, of a bond member by member."""
        groups = {group.name: (n, group) for n, group in enumerate(intent.host_groups)}
        length = intent.cables.of("host")
        for host in blueprint.hosts:
            number, group = groups[host.group]
            netdevs = [name for nic in range(group.nics) for name in group.cabled(nic)]
            for cable, (leaf, netdev) in enumerate(zip(host.leaves, netdevs, strict=True)):
                name = self._id(host.name, leaf)
                want = Want(
                    way=DOWN,
                    host=True,
                    speed_gbps=group.speed_gbps,
                    slot=host.slots[cable],
                    kept=self._kept.get((leaf, member_of(leaf, name))),
                )
                yield Cable(
                    id=name,
                    a=host.name,
                    b=leaf,
                    kind="host",
                    speed_gbps=group.speed_gbps,
                    length_m=length,
                    label="",
                    path=("hosts", number),
                    a_want=None,
                    b_want=self._add(leaf, want),
                    netdev=netdev,
                )

    def switches(self, blueprint: Blueprint) -> Iterator[Cable]:
        """Cables between switches, bundle by bundle."""
        tiers = {switch.name: switch.position.tier for switch in blueprint.switches}
        written = blueprint.kind == "explicit"
        for number, bundle in enumerate(blueprint.cables):
            path = ("topology", "cables", number) if written else ("links", "speed")
            level = tiers[bundle.a] == tiers[bundle.b]
            for n in range(bundle.count):
                name = self._id(bundle.a, bundle.b)
                yield Cable(
                    id=name,
                    a=bundle.a,
                    b=bundle.b,
                    kind=bundle.kind,
                    speed_gbps=bundle.speed_gbps,
                    length_m=bundle.length_m,
                    label=bundle.label,
                    cable_type=bundle.cable_type,
                    path=path,
                    a_want=self._end(bundle, bundle.a, ACROSS if level else UP, n, name),
                    b_want=self._end(bundle, bundle.b, ACROSS if level else DOWN, n, name),
                )

    def _id(self, a: str, b: str) -> str:
        pair = (a, b) if a < b else (b, a)
        self._pairs[pair] += 1
        return link_id(a, b, self._pairs[pair])

    def _end(self, bundle: CableNode, device: str, way: str, n: int, link: str) -> int:
        if device == bundle.a:
            slot, stride, port = bundle.a_slot, bundle.a_stride, bundle.a_port
        else:
            slot, stride, port = bundle.b_slot, bundle.b_stride, bundle.b_port
        want = Want(
            way=way,
            host=False,
            speed_gbps=bundle.speed_gbps,
            slot=None if slot is None else slot + n * stride,
            port=port,
            kept=self._kept.get((device, member_of(device, link))) if port is None else None,
        )
        return self._add(device, want)

    def _add(self, device: str, want: Want) -> int:
        self.wants[device].append(want)
        return len(self.wants[device]) - 1
