"""``platforms:`` → models and systems as values, by default, role and device."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from fabric import catalog
from fabric.inventory.ranges import HINT, RangeError, expand
from fabric.inventory.syntax import runs_on, syntax_family
from fabric.inventory.translate import nearest
from fabric.model.finding import Problem, Severity
from fabric.model.intent import DeviceHardware, Hardware

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path as FilePath

    from fabric.files.yaml import Path
    from fabric.inventory.schema import HardwareSection
    from fabric.model.hardware import SwitchModel
    from fabric.model.intent import DeviceFacts
    from fabric.model.platform import PlatformSpec

_PLATFORM, _MODEL = "sonic", "generic"  # where nothing is written
_KINDS = {"switch": "switch model", "nic": "NIC", "server": "server model"}
_ROLES = frozenset({"leaf", "spine", "edge", "agg", "core", "router", "switch"})


@dataclass(frozen=True)
class Shelves:
    """Where models and manifests are looked for, the user's own first."""

    models: tuple[FilePath, ...]
    templates: tuple[FilePath, ...]


@dataclass(frozen=True, slots=True)
class Selector:
    """A switch, role or device that the user named, for checking once all are known."""

    text: str
    path: Path
    what: str  # switch (a role or a device), one switch, or device (a switch or a host)


@dataclass(frozen=True)
class _Level:
    """What one selector gives, before inheritance."""

    section: HardwareSection
    path: Path


@dataclass
class _Resolver:
    """Names → values; what is wrong at one place is said once, however many inherit it."""

    shelves: Shelves
    problems: list[Problem]
    said: set[Problem] = field(default_factory=set)
    known: dict[tuple[Path, ...], DeviceHardware] = field(default_factory=dict)

    def hardware(self, levels: tuple[_Level, ...]) -> DeviceHardware:
        """What the levels give together, the last one deciding."""
        key = tuple(level.path for level in levels)
        if key not in self.known:
            self.known[key] = self._merged(levels)
        return self.known[key]

    def _merged(self, levels: tuple[_Level, ...]) -> DeviceHardware:
        values: dict[str, tuple[str, Path]] = {
            "platform": (_PLATFORM, ("platforms",)),
            "model": (_MODEL, ("platforms",)),
        }
        for level in levels:
            given: dict[str, str] = level.section.model_dump(exclude_none=True)
            if "model" in given:
                values.pop("sku", None)  # a SKU belongs to the model it is named with
                values.pop("syntax", None)
            if "platform" in given:
                values.pop("os_version", None)
                values.pop("extra", None)
                values.pop("syntax", None)
            values.update({key: (value, (*level.path, key)) for key, value in given.items()})
        spec = self._platform(*values["platform"])
        model = self._model(*values["model"])
        if spec is not None and model is not None:
            order = [level.path for level in levels]
            paths = (values["platform"][1], values["model"][1])
            last = max(paths, key=lambda path: order.index(path[:-1]) if path[:-1] in order else -1)
            self._vendor(spec, model, last)
        if "sku" in values and model is not None:
            self._sku(model, *values["sku"])
        if "os_version" in values and spec is not None:
            self._os_version(spec, *values["os_version"])
        syntax = None
        if spec is not None and model is not None and runs_on(spec, model):
            written, path = values.get("syntax", ("", values["model"][1]))
            syntax = self._syntax(spec, model, written, path)
        found = (("platform", spec), ("model", model))
        unknown = tuple(what for what, value in found if value is None)
        sku, version, extra = (
            values[key][0] if key in values else None for key in ("sku", "os_version", "extra")
        )
        return DeviceHardware(
            (spec or catalog.platform_spec(_PLATFORM, self.shelves.templates[-1:])).of_family(
                syntax
            ),
            model or catalog.switch_model(_MODEL),
            None if model is None else sku,
            None if spec is None else version,
            extra=extra,
            unknown=unknown,
            syntax=syntax,
        )

    def _platform(self, name: str, path: Path) -> PlatformSpec | None:
        try:
            spec = catalog.platform_spec(name, self.shelves.templates)
        except (catalog.UnknownNameError, catalog.CatalogFileError) as error:
            self._say(catalog_problem(error, path))
            return None
        if spec.kind != "switch":
            message = f"{name} is the system of a {spec.kind}, not of a switch"
            self._say(Problem("RCE009", path, message, "name a switch system, such as sonic"))
            return None
        return spec

    def _model(self, name: str, path: Path) -> SwitchModel | None:
        try:
            return catalog.switch_model(name, self.shelves.models)
        except (catalog.UnknownNameError, catalog.CatalogFileError) as error:
            self._say(catalog_problem(error, path))
            return None

    def _say(self, problem: Problem) -> None:
        if problem not in self.said:
            self.problems.append(problem)
        self.said.add(problem)

    def _vendor(self, spec: PlatformSpec, model: SwitchModel, path: Path) -> None:
        if not runs_on(spec, model):
            boxes = " and ".join(spec.vendors)
            message = f"{spec.title} runs on switches of {boxes} alone, not on {model.name}"
            fix = f"another platform, or a model of {boxes}"
            self._say(Problem("RCE009", path, message, fix))

    def _sku(self, model: SwitchModel, name: str, path: Path) -> None:
        if model.sku(name) is None:
            message = f"{model.name} has no SKU {name}"
            fix = nearest(name, [sku.name for sku in model.skus])
            self._say(Problem("RCE009", path, message, fix))

    def _os_version(self, spec: PlatformSpec, version: str, path: Path) -> None:
        if version not in spec.os_versions:
            known = ", ".join(spec.os_versions)
            message = f"the templates of {spec.name} were made for {known}, not for {version}"
            if spec.syntax_by_version:
                fix = f"use {known}: other releases refuse or misread these lines"
                self._say(Problem("RCE009", path, message, fix))
                return
            fix = "look through what is rendered before it is used"
            self._say(Problem("RCE009", path, message, fix, severity=Severity.WARNING))

    def _syntax(
        self, spec: PlatformSpec, model: SwitchModel, written: str, path: Path
    ) -> str | None:
        family = syntax_family(spec, model, written, path)
        if isinstance(family, Problem):
            self._say(family)
            return None
        return family


def catalog_problem(
    error: catalog.UnknownNameError | catalog.CatalogFileError, path: Path
) -> Problem:
    """A name that the catalogue lacks, or a file of the user's that breaks its schema."""
    if isinstance(error, catalog.UnknownNameError):
        what = _KINDS.get(error.kind, error.kind)
        hint = " or ".join(error.nearest)
        if error.kind not in _KINDS:
            fix = f"did you mean {hint}?" if hint else f"known: {', '.join(error.known)}"
        elif hint:
            fix = f"did you mean {hint}? `fabric show models` lists all"
        else:
            fix = f"`fabric show models` lists the {len(error.known)} that are known"
        return Problem("RCE009", path, f"there is no {what} {error.name}", fix)
    lines = "; ".join(str(problem) for problem in error.problems)
    return Problem(
        "RCE006", path, f"{error.file} breaks the schema of the catalogue: {lines}", "mend the file"
    )


def resolve_hardware(
    sections: Mapping[str, HardwareSection],
    roles: Mapping[str, str],
    facts: Mapping[str, DeviceFacts],
    shelves: Shelves,
    problems: list[Problem],
) -> tuple[Hardware, tuple[Selector, ...]]:
    """Hardware by selector; ``roles`` names the role of switches whose entry says so.

    A device inherits from its role, a role from ``default``. Devices with recorded facts are
    listed too. A stand-in takes the place of what is unknown.
    """
    resolver = _Resolver(shelves, problems)
    by_name, selectors = _levels(sections, problems)
    default = (by_name["default"],) if "default" in by_name else ()
    top = resolver.hardware(default)
    role_names = _ROLES | set(roles.values())
    role_levels = {name: level for name, level in by_name.items() if name in role_names}
    by_role = {name: resolver.hardware((*default, lv)) for name, lv in role_levels.items()}
    by_device: dict[str, DeviceHardware] = {}
    for name in dict.fromkeys((*by_name, *facts)):
        if name == "default" or (name in role_names and name not in facts):
            continue
        role = roles.get(name, name.split("-")[0])
        above = (role_levels[role],) if role in role_levels else ()
        own = (by_name[name],) if name in by_name else ()
        found = resolver.hardware((*default, *above, *own))
        by_device[name] = _with_facts(found, name, facts.get(name), problems)
    return Hardware(top, tuple(by_role.items()), tuple(by_device.items())), selectors


def _with_facts(
    hardware: DeviceHardware, name: str, facts: DeviceFacts | None, problems: list[Problem]
) -> DeviceHardware:
    """The box's own SKU decides: headroom and pools belong to it."""
    if facts is None or facts.hwsku is None:
        return replace(hardware, facts=facts)
    if hardware.sku is not None and hardware.sku != facts.hwsku:
        message = f"{name} is written with SKU {hardware.sku}; its recorded facts say {facts.hwsku}"
        fix = "correct the sku, or record the facts again"
        problems.append(Problem("RCE009", ("platforms",), message, fix))
    return replace(hardware, facts=facts, sku=facts.hwsku)


def _levels(
    sections: Mapping[str, HardwareSection], problems: list[Problem]
) -> tuple[dict[str, _Level], tuple[Selector, ...]]:
    levels: dict[str, _Level] = {}
    selectors: list[Selector] = []
    for text, section in sections.items():
        path: Path = ("platforms", text)
        try:
            names = expand(text)
        except RangeError as error:
            problems.append(Problem("RCE019", path, str(error), HINT))
            continue
        for name in names:
            if name in levels:
                message = f"{name} is named by {levels[name].path[-1]} and again by {text}"
                problems.append(Problem("RCE012", path, message, "name each device once"))
                break
            levels[name] = _Level(section, path)
            if name != "default":
                selectors.append(Selector(name, path, "switch"))
    return levels, tuple(selectors)
