"""Blueprints and topologies for tests, made the way the inventory makes them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabric import topologies
from fabric.design.wiring import wire
from fabric.model.intent import CableLengths, DeviceHardware, Hardware, HostGroup, Intent
from tests.samples import sample_intent, sample_spec

if TYPE_CHECKING:
    from fabric.model.addressing import Lock, LockRow
    from fabric.model.finding import Problem
    from fabric.model.hardware import SwitchModel
    from fabric.model.topology import Blueprint, Topology


def group(
    count: int, name: str = "gpu", *, speed: int = 1, nics: int = 1, **changes: Any
) -> HostGroup:
    """``count`` hosts ``<name>-0`` … of ``nics`` NICs."""
    sample = sample_intent().host_groups[0]
    return replace(
        sample,
        name=name,
        names=tuple(f"{name}-{n}" for n in range(count)),
        nics=nics,
        speed_gbps=speed,
        netdevs=tuple(f"rdma{n}" for n in range(nics)),
        rdma_devices=tuple(f"mlx5_{n}" for n in range(nics)),
        rails=tuple(range(nics)),
        gpu_of_nic=(None,) * nics,
        numa_of_nic=(None,) * nics,
        **changes,
    )


def default_groups(kind: str, params: object, speed: int = 1) -> tuple[HostGroup, ...]:
    """The groups of an inventory without ``hosts``."""
    return tuple(
        replace(
            group(0, speed=speed),
            name=default.name_pattern,
            names=tuple(default.name_pattern.replace("{n}", str(n)) for n in range(default.count)),
            on=default.on,
        )
        for default in topologies.default_hosts(kind, params)
    )


def blueprint(
    kind: str,
    params: object,
    groups: tuple[HostGroup, ...] | None = None,
    speed: int = 1,
    cables: CableLengths | None = None,
) -> Blueprint:
    """Build a kind; without ``groups`` with its default hosts, everything at ``speed``."""
    if groups is None:
        groups = default_groups(kind, params, speed)
    request = topologies.BuildRequest(groups, speed, cables or CableLengths(5.0))
    return topologies.build(kind, params, request)


def hardware(model: SwitchModel, system: str = "sonic") -> DeviceHardware:
    """A model under a system."""
    return DeviceHardware(sample_spec(system), model)


def generic_model() -> SwitchModel:
    """As many ports as are used."""
    sample = sample_intent().hardware.default.model
    return replace(
        sample,
        name="generic",
        cages=(),
        usable_cages=(),
        skus=(),
        default_sku=None,
        naming=(),
        generic=True,
    )


def wired(  # noqa: PLR0913 — a test names what it varies
    kind: str,
    params: object,
    groups: tuple[HostGroup, ...] | None = None,
    *,
    speed: int = 100,
    on: DeviceHardware | Hardware | None = None,
    lock: Lock | None = None,
) -> tuple[Topology, tuple[LockRow, ...]]:
    """Build and wire; ``on``: the hardware, by default SN3700 under SONiC."""
    if groups is None:
        groups = default_groups(kind, params, speed)
    sample = sample_intent()
    chosen = on or sample.hardware
    intent: Intent = replace(
        sample,
        topology_kind=kind,
        topology_params=params,
        host_groups=groups,
        fabric_speed_gbps=speed,
        hardware=chosen if isinstance(chosen, Hardware) else Hardware(chosen),
    )
    plan = blueprint(kind, params, groups, speed, intent.cables)
    return wire(plan, intent, lock)


def problems(error: Any) -> list[tuple[str, tuple[str | int, ...], str, str]]:
    """(rule, path, message, fix) of a ``ProblemError`` caught by pytest."""
    found: tuple[Problem, ...] = error.value.problems
    return [(p.rule, p.path, p.message, p.fix) for p in found]


def ports(topology: Topology) -> dict[str, tuple[tuple[str, str], ...]]:
    """By link id: both ends, sorted."""
    return {
        link.id: tuple(sorted((end.device, end.port) for end in (link.a, link.b)))
        for link in topology.links
    }


def ports_of(topology: Topology, device: str) -> list[tuple[str, str]]:
    """(far end, port) of a device, in order of its links."""
    return [
        (link.other(device).device, link.end(device).port) for link in topology.links_of(device)
    ]
