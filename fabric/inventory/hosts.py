"""``hosts:`` → host groups with every NIC's settings filled in."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from fabric import catalog
from fabric.inventory.attachment import bond_problems
from fabric.inventory.hardware import catalog_problem
from fabric.inventory.host_names import Naming
from fabric.inventory.schema import HostsSection
from fabric.inventory.schema.base import MAX_INTERFACE, MAX_NAME, NAME
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
_UNIQUE = frozenset({"netdevs", "rdma_devices", "member_netdevs"})
_ENV_NAME = re.compile(r"[A-Z][A-Z0-9_]*\Z")


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
        before = len(self.problems)
        nic, speed = self._nic()
        known = len(self.problems) == before
        self._env()
        netdevs = self._each("netdevs", section.netdevs, nics)
        rdma = self._each("rdma_devices", section.rdma_devices, nics)
        rails = self._each("rails", section.rails, nics)
        numa = self._each("numa", section.numa, nics)
        gpu_of_nic = self._each("gpu_of_nic", section.gpu_of_nic, nics)
        gpus = self._gpus(server)
        names = netdevs or tuple(f"rdma{n}" for n in range(nics))
        self._refuse_oob(names)
        members = self._members()
        if members > 1 and known:
            self.problems.extend(bond_problems(section, self.path, nic, speed, members))
        cabled = self._cabled(names, members) if members > 1 else ()
        filled = server or _unknown_server(nics, gpus, nic)
        if members > 1:
            filled = _bonded(filled, nics)
        none = (None,) * nics
        return {
            "nics": nics,
            "nic": nic,
            "speed_gbps": speed,
            "attach": section.attach,
            "port_mode": section.port,
            "netdevs": names,
            "members": members,
            "member_netdevs": cabled,
            "rdma_devices": rdma or filled.rdma_devices[:nics] or none,
            "rails": rails or tuple(range(nics)),
            "gpus": gpus,
            "gpu_of_nic": gpu_of_nic or filled.gpu_of_nic[:nics] or none,
            "numa_of_nic": numa or filled.numa_of_nic[:nics] or none,
            "qps_per_connection": self._qps(members),
            "cross_nic": section.cross_nic,
            "oob_interface": section.oob_interface,
            "network_config": section.network_config,
            "dcbx": section.dcbx,
            "per_leaf": section.per_leaf,
            "server": server,
            "env": tuple(sorted(section.env.items())),
            "location": places.locate(self.path),
        }

    def _refuse_oob(self, netdevs: Sequence[str]) -> None:
        """The fabric's settings would take management off the network."""
        oob = [name.strip() for name in self.section.oob_interface.split(",")]
        for name in dict.fromkeys(netdevs):
            if name in oob:
                message = f"netdevs and oob_interface both have {name}: one is the fabric's NIC"
                fix = "name the management interface in oob_interface"
                self.say("RCE012", "netdevs", message, fix)

    def _gpus(self, server: ServerModel | None) -> int:
        stated = self.section.gpus
        gpus = stated if stated is not None else server.gpus if server else _DEFAULT_GPUS
        for gpu in self.section.gpu_of_nic or ():
            if gpu >= gpus:
                message = f"gpu_of_nic has {gpu}, beyond the last of {gpus} GPUs, {gpus - 1}"
                self.say("RCE006", "gpu_of_nic", message, "GPUs are counted from 0")
        return gpus

    def _members(self) -> int:
        """Cables of each NIC."""
        section = self.section
        if section.attach != "single":
            return section.members or 2
        for key in ("members", "member_netdevs"):
            if getattr(section, key) is not None:
                message = f"{key} belongs to a bond, and attach is single"
                self.say("RCE006", key, message, f"attach: bond, or no {key}")
        return 1

    def _qps(self, members: int) -> int:
        """A queue pair uses one port of a card, so a bond wants at least two for each."""
        section = self.section
        if "qps_per_connection" in section.model_fields_set:
            return section.qps_per_connection
        return max(section.qps_per_connection, 2 * members)

    def _cabled(self, names: tuple[str, ...], members: int) -> tuple[str, ...]:
        """Netdevs with a cable; those not written are called after their bond."""
        written = self.section.member_netdevs
        wanted = len(names) * members
        if written is not None:
            if len(written) != wanted:
                message = (
                    f"member_netdevs has {len(written)} entries for {len(names)} bonds of "
                    f"{members} members: {wanted} are needed"
                )
                self.say("RCE006", "member_netdevs", message, "list them NIC after NIC")
            elif {*written} & {*names} or len(set(written)) < wanted:
                message = "member_netdevs names a device twice, or a bond"
                self.say("RCE012", "member_netdevs", message, "name each once")
            else:
                return tuple(written)
        made = tuple(f"{name}p{n}" for name in names for n in range(members))
        long = [name for name in made if len(name) > MAX_INTERFACE]
        if long and written is None:
            message = f"{long[0]} is longer than the {MAX_INTERFACE} characters of an interface"
            self.say("RCE006", "netdevs", message, "write member_netdevs, or shorter netdevs")
        return made

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


def _bonded(filled: ServerModel | _Filled, nics: int) -> _Filled:
    """The driver has one device for all ports of a card, and calls it so."""
    names = tuple(f"mlx5_bond_{n}" for n in range(nics))
    return _Filled(names, filled.gpu_of_nic, filled.numa_of_nic)


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
