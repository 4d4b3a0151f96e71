"""Observed facts from a JSON file: typed values, or every problem at once."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from fabric.files.json_text import load_json
from fabric.files.reading import read_input
from fabric.files.yaml_build import one_line, path_text
from fabric.inventory.observed_routes import Routes
from fabric.inventory.schema.observed import DeviceSection, ObservedFile
from fabric.inventory.translate import nearest, problems_of
from fabric.model.finding import Finding, InputError, Problem, Severity
from fabric.model.observed import (
    Evidence,
    ObservedDevice,
    ObservedFabric,
    ObservedNeighbour,
    ObservedNeighbours,
    ObservedRoutes,
    PortNames,
)
from fabric.model.observed_cables import cabling
from fabric.model.observed_names import DeviceNames

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.files.json_text import LoadedJson
    from fabric.files.yaml_build import Path as KeyPath

SCHEMA = 1
MAX_BYTES = 1_000_000_000
_MOST_FINDINGS = 200  # a broken generator must not fill the terminal
_NO_FILE = "docs/observed.md says how to make one; `fabric schema --observed` prints its schema"


def read_observed(path: str | Path) -> ObservedFabric:
    """The facts of a file.

    Raises:
        InputError: every problem, with its place: what is not JSON, does not fit the schema, is no
            route, or contradicts itself.
    """
    content = read_input(Path(path), str(path), fix=_NO_FILE, most=MAX_BYTES)
    with _without_collector():
        loaded = load_json(content, str(path))
        reader = _Reader(loaded)
        fabric = reader.fabric()
    if reader.problems:
        raise InputError(_findings(reader.problems, loaded))
    return fabric


@contextmanager
def _without_collector() -> Iterator[None]:
    """Millions of new values and no cycle among them: looking for some takes half the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Reader:
    def __init__(self, loaded: LoadedJson) -> None:
        self._loaded = loaded
        self.problems: list[Problem] = []

    def fabric(self) -> ObservedFabric:
        """What can be read; of use only when there are no problems."""
        data = self._loaded.data
        written = data.get("devices")
        top = {**data, "devices": {}} if isinstance(written, dict) else data
        if not self._fits_version():
            return ObservedFabric(())
        priority = 0
        try:
            priority = ObservedFile.model_validate(top).priority
        except ValidationError as error:
            self._told(error, ObservedFile, ())
        if not isinstance(written, dict):
            return ObservedFabric(())
        if not written:
            self._problem("RCE006", ("devices",), "devices is empty", "list what switches report")
        if "" in written:
            self._problem("RCE006", ("devices", ""), "a device has no name", "name it as LLDP does")
        # One device at a time: the models of a large file would need gigabytes.
        found = [self._device(name, written[name]) for name in written]
        devices = [device for device in found if device is not None]
        fabric = ObservedFabric(tuple(devices), str(data.get("fabric") or ""), priority)
        self._names(written)
        if len(devices) == len(written):
            self._cables(fabric)
        return fabric

    def _fits_version(self) -> bool:
        schema = self._loaded.data.get("schema")
        if "schema" not in self._loaded.data or schema == SCHEMA:
            return True
        message = f"schema is {schema!r}; this version reads {SCHEMA}"
        self._problem("RCE006", ("schema",), message, "make the file anew for this version")
        return False

    def _device(self, name: str, data: object) -> ObservedDevice | None:
        path = ("devices", name)
        try:
            section = DeviceSection.model_validate(data)
        except ValidationError as error:
            self._told(error, DeviceSection, path)
            return None
        routes = Routes(name, path, section.next_hop_groups)
        table = routes.read(section.routes)
        self.problems += routes.problems
        self._aliases(section, path)
        neighbours = tuple(
            ObservedNeighbour(name, n.local_port, n.remote_host, n.remote_port)
            for n in section.neighbors
        )
        time, digests = section.taken_at, section.sha256
        return ObservedDevice(
            name=name,
            routes=ObservedRoutes(name, table, Evidence(time, digests.routes), tuple(section.vrfs)),
            neighbours=ObservedNeighbours(name, neighbours, Evidence(time, digests.neighbors)),
            ports=PortNames(
                tuple(section.aliases.items()),
                tuple((k, tuple(v)) for k, v in section.members.items()),
                tuple(section.ignored_ports),
            ),
            is_leaf=section.leaf,
            tier=section.tier,
            group=section.dragonfly_group,
        )

    def _aliases(self, section: DeviceSection, path: KeyPath) -> None:
        """An alias of a port that nothing else mentions is a slip."""
        if not section.aliases:
            return
        known = {n.local_port for n in section.neighbors}
        known |= {port for ports in section.members.values() for port in ports}
        for route in section.routes.values():
            known.update((route.connected,) if route.connected else ())
        hops = [r.next_hops or () for r in section.routes.values()]
        for written in (*hops, *section.next_hop_groups.values()):
            known.update(hop.interface for hop in written if hop.interface)
        for alias, port in section.aliases.items():
            if port not in known:
                message = f"{path[-1]} has no port {port}, which {alias} is an alias of"
                self._problem("RCE026", (*path, "aliases", alias), message, nearest(port, known))

    def _names(self, written: dict[str, Any]) -> None:
        for group in DeviceNames(written).confused():
            message = f"{' and '.join(group)} are one name but for case or domain"
            fix = "LLDP cannot tell them apart: rename one"
            self._problem("RCE012", ("devices", group[-1]), message, fix)

    def _cables(self, fabric: ObservedFabric) -> None:
        for clash in cabling(fabric).contradictions:
            path = ("devices", clash.device, "neighbors", clash.entry)
            self._problem("RCE026", path, clash.message, clash.fix)

    def _told(self, error: ValidationError, root: Any, path: KeyPath) -> None:
        errors = error.errors(include_url=False)
        for problem in problems_of(errors, root, self._loaded, path):
            message = problem.message.replace("the inventory", "the file", 1)
            self.problems.append(replace(problem, message=message))

    def _problem(self, rule: str, path: KeyPath, message: str, fix: str) -> None:
        self.problems.append(Problem(rule, path, message, fix))


def _findings(problems: Iterable[Problem], loaded: LoadedJson) -> tuple[Finding, ...]:
    """The first problems in order of place, and how many more there are."""
    listed = list(problems)
    found = [
        Finding(
            problem.rule,
            problem.severity,
            path_text(problem.path),
            one_line(problem.message),
            fix=one_line(problem.fix),
            location=loaded.locate(problem.path),
        )
        for problem in listed[:_MOST_FINDINGS]
    ]
    found.sort(key=lambda f: (f.location.line, f.location.column) if f.location else (0, 0))
    if len(listed) > _MOST_FINDINGS:
        more = f"{len(listed) - _MOST_FINDINGS:,} more problems like these"
        found.append(
            Finding("RCE006", Severity.ERROR, loaded.name, more, location=loaded.locate(()))
        )
    return tuple(found)
