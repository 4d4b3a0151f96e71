"""One profile for all ports alike: which ports those are, what they are called, what they get."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fabric.design.lossless.ecn import Limit, marking
from fabric.design.lossless.fit import Load, buffer_fit
from fabric.design.lossless.headroom import headroom_of
from fabric.design.lossless.silicon import place_of, silicon_of
from fabric.design.lossless.wire import Wire
from fabric.model.qos import LosslessProfile
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabric.design.lossless.headroom import Headroom
    from fabric.design.lossless.silicon import Silicon
    from fabric.model.hardware import SwitchModel
    from fabric.model.intent import DeviceHardware, Intent, RocePolicy
    from fabric.model.qos import BufferFit, EcnProfile
    from fabric.model.topology import Port, Switch, Topology


class Kind(NamedTuple):
    """What decides a port's profile; ports of one kind share it."""

    role: str
    model: str
    sku: str | None
    place: str
    speed_gbps: int
    cable_m: float
    lanes: int | None
    in_percent: bool = False  # the system counts marking thresholds in percent


class Kinds:
    """The kinds of all ports of lossless systems, and the silicon behind each."""

    def __init__(self, topology: Topology, intent: Intent) -> None:
        self.of_port: dict[tuple[str, str], Kind] = {}
        self.up: dict[str, Counter[Kind]] = {}  # device → ports with a cable by kind
        self.silicon: dict[str, Silicon] = {}  # by device
        self._silicon_of: dict[tuple[int, str], Silicon] = {}
        self._default_m = intent.cables.default_m
        for switch in topology.switches:
            hardware = intent.hardware.of(switch.name, switch.role)
            if hardware.platform.capabilities.lossless:
                self._add(switch, hardware, topology)
        by_kind = {kind: self.silicon[device] for (device, _), kind in self.of_port.items()}
        self.silicon_by_kind: Mapping[Kind, Silicon] = by_kind

    def _add(self, switch: Switch, hardware: DeviceHardware, topology: Topology) -> None:
        place = place_of(switch.position.tier)
        key = (id(hardware), place)
        if key not in self._silicon_of:
            self._silicon_of[key] = silicon_of(hardware, place)
        silicon = self._silicon_of[key]
        self.silicon[switch.name] = silicon
        lengths = {
            link.end(switch.name).port: link.length_m for link in topology.links_of(switch.name)
        }
        up = self.up[switch.name] = Counter()
        for port in switch.ports:
            kind = Kind(
                switch.role,
                silicon.model,
                silicon.sku,
                silicon.place,
                port.speed_gbps,
                lengths.get(port.name, self._default_m),
                lanes_of(port, hardware.model),
                hardware.platform.capabilities.ecn_unit == "percent",
            )
            self.of_port[switch.name, port.name] = kind
            if port.name in lengths:
                up[kind] += 1

    @cached_property
    def in_use(self) -> frozenset[Kind]:
        """Kinds with a cabled port."""
        return frozenset(kind for counter in self.up.values() for kind in counter)

    def in_order(self) -> list[Kind]:
        """Kinds in order of first use, those of unused ports last."""
        cabled = (kind for counter in self.up.values() for kind in counter)
        return list(dict.fromkeys((*cabled, *self.of_port.values())))


def lanes_of(port: Port, model: SwitchModel) -> int | None:
    """Lanes of a port: its own, else by breakout mode, else an equal share of its cage."""
    if port.lane_numbers:
        return len(port.lane_numbers)
    cage = next((cage for cage in model.cages if cage.number == port.cage), None)
    if cage is None:
        return None
    mode = next((mode for mode in cage.modes if mode.text == port.breakout), None)
    return mode.lanes_each if mode else cage.lane_count // port.children


def names_of(kinds: Iterable[Kind]) -> dict[Kind, str]:
    """Names such as ``leaf-100G-5m``; what tells namesakes apart is appended."""
    bases = {kind: f"{kind.role}-{speed_text(kind.speed_gbps)}-{kind.cable_m:g}m" for kind in kinds}
    namesakes: dict[str, list[Kind]] = {}
    for kind, base in bases.items():
        namesakes.setdefault(base, []).append(kind)
    return {
        kind: "-".join((base, *_distinction(kind, namesakes[base]))) for kind, base in bases.items()
    }


def _distinction(kind: Kind, group: list[Kind]) -> list[str]:
    def differs(*values: object) -> bool:
        return len(set(values)) > 1

    parts: list[str] = []
    if differs(*(other.model for other in group)):
        parts.append(kind.model)
    if differs(*(other.sku for other in group)) and kind.sku:
        parts.append(kind.sku)
    if differs(*(other.place for other in group)):
        parts.append(kind.place)
    if differs(*(other.lanes for other in group)):
        parts.append(f"{kind.lanes or 'unknown'}-lanes")
    if differs(*(other.in_percent for other in group)) and kind.in_percent:
        parts.append("percent")
    return parts


def headrooms_of(kinds: Kinds, roce: RocePolicy) -> dict[Kind, Headroom]:
    """Headroom of each kind."""
    return {
        kind: headroom_of(
            kinds.silicon_by_kind[kind],
            Wire(kind.speed_gbps, kind.cable_m, roce.switch_mtu_bytes, kind.lanes),
            xoff_bytes=roce.xoff_bytes,
            dynamic_th=roce.dynamic_th,
        )
        for kind in kinds.in_order()
    }


def fits_of(
    kinds: Kinds, names: Mapping[Kind, str], headrooms: Mapping[Kind, Headroom], priorities: int
) -> dict[str, BufferFit]:
    """Fit of each lossless switch."""
    return {
        device: buffer_fit(
            device,
            kinds.silicon[device],
            [Load(names[kind], count, headrooms[kind]) for kind, count in up.items()],
            priorities,
        )
        for device, up in kinds.up.items()
    }


def limits_of(
    kinds: Kinds, headrooms: Mapping[Kind, Headroom], fits: Mapping[str, BufferFit]
) -> dict[Kind, Limit]:
    """Where PFC begins for each kind: on the device of it that pauses first.

    All cabled ports of a device may be congested at once. A kind without an entry has no known
    pool.
    """
    limits: dict[Kind, Limit] = {}
    seen: dict[Kind, set[tuple[int, int]]] = {}
    for device, kind in dict.fromkeys((device, k) for (device, _), k in kinds.of_port.items()):
        pool = fits[device].pool_bytes
        congested = max(1, kinds.up[device].total())
        if pool is None or (pool, congested) in seen.setdefault(kind, set()):
            continue
        seen[kind].add((pool, congested))
        text = kinds.silicon[device].shared_text
        limit = Limit(pool, text, headrooms[kind].dynamic_th, congested)
        if kind not in limits or limit.together_bytes < limits[kind].together_bytes:
            limits[kind] = limit
    return limits


def profiles_of(
    kinds: Kinds,
    names: Mapping[Kind, str],
    headrooms: Mapping[Kind, Headroom],
    limits: Mapping[Kind, Limit],
    roce: RocePolicy,
) -> tuple[LosslessProfile, ...]:
    """The profile of each kind, in the order of ``names``."""
    profiles = (
        _profile(
            kind,
            name,
            kinds.silicon_by_kind[kind],
            headrooms[kind],
            _marking(kind, roce, limits.get(kind)),
        )
        for kind, name in names.items()
    )
    return tuple(
        replace(profile, in_use=kind in kinds.in_use)
        for kind, profile in zip(names, profiles, strict=True)
    )


def _marking(kind: Kind, roce: RocePolicy, limit: Limit | None) -> EcnProfile:
    marks = marking(roce.ecn, kind.speed_gbps, roce.switch_mtu_bytes, limit)
    return replace(marks, fill=roce.ecn.fill) if kind.in_percent else marks


def _profile(
    kind: Kind, name: str, silicon: Silicon, headroom: Headroom, ecn: EcnProfile
) -> LosslessProfile:
    return LosslessProfile(
        name=name,
        role=kind.role,
        asic=silicon.asic.name,
        speed_gbps=kind.speed_gbps,
        cable_m=kind.cable_m,
        configured_cable_m=headroom.configured_cable_m,
        mtu_bytes=headroom.wire.mtu_bytes,
        size_bytes=headroom.size,
        xoff_bytes=headroom.xoff,
        xon_bytes=headroom.xon,
        xon_offset_bytes=headroom.xon_offset_bytes,
        dynamic_th=headroom.dynamic_th,
        floor_bytes=headroom.wire.floor_bytes,
        ecn=ecn,
        published=headroom.published,
        in_shared_headroom=silicon.shares_headroom,
    )
