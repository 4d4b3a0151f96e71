"""``hosts:`` → host groups with every NIC's settings filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from fabric import catalog
from fabric.inventory.hardware import catalog_problem
from fabric.inventory.host_names import Naming
from fabric.inventory.schema import HostsSection
from fabric.inventory.schema.base import MAX_NAME, NAME
from fabric.model.finding import Problem
from fabric.model.intent import HostGroup

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path as FilePath

    from fabric.files.yaml import Path
    from fabric.inventory.host_names import Room
    from fabric.inventory.places import Places
    from fabric.model.hardware import Nic, ServerModel

T = TypeVar("T")

_DEFAULT_SPEED_GBPS = 400
_DEFAULT_GPUS = 8
_UNIQUE = frozenset({"netdevs", "rdma_devices"})
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")
_NOT_BUILT = {"bond": "bonds to one leaf", "dual-tor": "bonds to two leaves", "vlan": "VLAN ports"}


def resolve_hosts(
    sections: Sequence[HostsSection] | None,
    room: Room | None,
    models: tuple[FilePath, ...],
    places: Places,
    problems: list[Problem],
) -> tuple[HostGroup, ...]:
    """Host groups; ``room`` is what the topology takes, ``None`` where that is not known."""
    if not sections and (room is None or not room.defaults):
        return ()
    entries = sections or (HostsSection(),)
    if room is not None and len(entries) > 1:
        room = replace(room, defaults=())  # several groups: each must say how many
    groups: list[tuple[int, HostGroup]] = []
    for number, section in enumerate(entries):
        entry = _Entry(section, ("hosts", number), models, problems)
        server = entry.server()
        nics = entry.nics(server, 1 if room is None else room.spread)
        batches = Naming(section, entry.path, nics, problems).batches(room)
        name = "hosts" if number == 0 else f"hosts-{number + 1}"
        settings = entry.settings(server, nics, places)
        for batch in batches:
            group = HostGroup(name=name + batch.suffix, names=batch.names, on=batch.on, **settings)
            groups.append((number, group))
    problems.extend(_name_problems(groups))
    return tuple(group for _, group in groups)


@dataclass(frozen=True)
class _Entry:
    section: HostsSection
    path: Path
    models: tuple[FilePath, ...]
    problems: list[Problem]

    def say(self, rule: str, key: str, message: str, fix: str = "") -> None:
        self.problems.append(Problem(rule, (*self.path, key), message, fix))

    def settings(self, server: ServerModel | None, nics: int, places: Places) -> dict[str, Any]:
        """Fields of the host groups of this entry; what is wrong is left out."""
        section = self.section
        self._refuse_unbuilt()
        nic, speed = self._nic()
        self._env()
        netdevs = self._each("netdevs", section.netdevs, nics)
        rdma = self._each("rdma_devices", section.rdma_devices, nics)
        rails = self._each("rails", section.rails, nics)
        numa = self._each("numa", section.numa, nics)
        gpu_of_nic = self._each("gpu_of_nic", section.gpu_of_nic, nics)
        gpus = self._gpus(server)
        filled = server or _unknown_server(nics, gpus, nic)
        none = (None,) * nics
        return {
            "nics": nics,
            "nic": nic,
            "speed_gbps": speed,
            "attach": section.attach,
            "port_mode": section.port,
            "netdevs": netdevs or tuple(f"rdma{n}" for n in range(nics)),
            "rdma_devices": rdma or filled.rdma_devices[:nics] or none,
            "rails": rails or tuple(range(nics)),
            "gpus": gpus,
            "gpu_of_nic": gpu_of_nic or filled.gpu_of_nic[:nics] or none,
            "numa_of_nic": numa or filled.numa_of_nic[:nics] or none,
            "qps_per_connection": section.qps_per_connection,
            "cross_nic": section.cross_nic,
            "oob_interface": section.oob_interface,
            "network_config": section.network_config,
            "dcbx": section.dcbx,
            "per_leaf": section.per_leaf,
            "server": server,
            "env": tuple(sorted(section.env.items())),
            "location": places.locate(self.path),
        }

    def _gpus(self, server: ServerModel | None) -> int:
        stated = self.section.gpus
        gpus = stated if stated is not None else server.gpus if server else _DEFAULT_GPUS
        for gpu in self.section.gpu_of_nic or ():
            if gpu >= gpus:
                message = f"gpu_of_nic has {gpu}, beyond the last of {gpus} GPUs, {gpus - 1}"
                self.say("RCE006", "gpu_of_nic", message, "GPUs are counted from 0")
        return gpus

    def _refuse_unbuilt(self) -> None:
        for key, value in (("attach", self.section.attach), ("port", self.section.port)):
            if value in _NOT_BUILT:
                message = f"{key}: {value} is not built yet ({_NOT_BUILT[value]})"
                self.say("RCE010", key, message, f"leave {key} out: routed single NICs are built")

    def server(self) -> ServerModel | None:
        """The server model, if one is named and known."""
        if self.section.server is None:
            return None
        try:
            return catalog.server(self.section.server, self.models)
        except (catalog.UnknownNameError, catalog.CatalogFileError) as error:
            self.problems.append(catalog_problem(error, (*self.path, "server")))
            return None

    def nics(self, server: ServerModel | None, spread: int) -> int:
        """NICs of each host; ``spread``: switches that the topology cables each host to."""
        nics = self.section.nics
        if nics is None:
            return server.nics if server else spread
        if server and nics > server.nics:
            message = f"nics is {nics}, but {server.name} has {server.nics}"
            self.say("RCE006", "nics", message, "lower nics, or leave server out")
        return nics

    def _nic(self) -> tuple[Nic, int]:
        """The adapter and its speed; each may follow from the other. Unknown: a generic one."""
        section = self.section
        path: Path = (*self.path, "nic" if section.nic else "speed")
        speed = section.speed or _DEFAULT_SPEED_GBPS
        try:
            nic = (
                catalog.nic(section.nic, self.models) if section.nic else catalog.generic_nic(speed)
            )
        except (catalog.UnknownNameError, catalog.CatalogFileError) as error:
            self.problems.append(catalog_problem(error, path))
            return catalog.generic_nic(_DEFAULT_SPEED_GBPS), speed
        fastest = max(nic.speeds_gbps, default=speed)
        if section.speed is not None and section.speed > fastest:
            message = f"speed is {section.speed}G, but {nic.name} runs at {fastest}G at most"
            self.say("RCE006", "speed", message, f"speed: {fastest}, or a faster nic")
        return nic, section.speed or fastest

    def _each(self, key: str, values: Sequence[T] | None, nics: int) -> tuple[T, ...]:
        """Values by NIC; empty when none are given."""
        if values is None:
            return ()
        if len(values) != nics:
            entries = "entry" if len(values) == 1 else "entries"
            message = f"{key} has {len(values)} {entries} for {nics} NICs: one is needed for each"
            self.say("RCE006", key, message, "list them in the order of the NICs")
            return ()
        if key in _UNIQUE and len(set(values)) < len(values):
            self.say("RCE012", key, f"{key} names a device twice", "name each once")
            return ()
        return tuple(values)

    def _env(self) -> None:
        for name in self.section.env:
            if not _ENV_NAME.match(name):
                message = f"{name} is no environment variable: capitals, digits and _"
                self.problems.append(
                    Problem("RCE006", (*self.path, "env", name), message, "such as NCCL_DEBUG")
                )


@dataclass(frozen=True, slots=True)
class _Filled:
    rdma_devices: tuple[str | None, ...]
    gpu_of_nic: tuple[int | None, ...]
    numa_of_nic: tuple[int | None, ...]


def _unknown_server(nics: int, gpus: int, nic: Nic) -> _Filled:
    """Without a server model only what must be so is filled in."""
    rdma = tuple(f"mlx5_{n}" for n in range(nics)) if nic.driver == "mlx5" else ()
    return _Filled(rdma, tuple(range(nics)) if gpus == nics else (), ())


def _name_problems(groups: list[tuple[int, HostGroup]]) -> Iterable[Problem]:
    """Impossible and repeated host names, the first of each group."""
    owner: dict[str, str] = {}
    for number, group in groups:
        path: Path = ("hosts", number, "names")
        for name in group.names:
            if not re.match(NAME, name) or len(name) > MAX_NAME:
                rule = f"letters, digits, '-', '_' and '.', at most {MAX_NAME}"
                message = f"{name!r} cannot be a host name: {rule}"
                yield Problem("RCE012", path, message, "such as gpu-1")
                break
            if name in owner:
                again = "twice" if owner[name] == group.name else "in two groups"
                fix = "give every host a name of its own"
                yield Problem("RCE012", path, f"the host {name} is named {again}", fix)
                break
            owner[name] = group.name
