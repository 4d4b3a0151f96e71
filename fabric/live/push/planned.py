"""The plan as a push needs it: devices, systems, and what is expected of each device."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fabric import catalog
from fabric.catalog.errors import UnknownNameError
from fabric.catalog.push import push_spec
from fabric.design.devices import DeviceModels
from fabric.live.push.identity import Expected
from fabric.live.push.terms import System
from fabric.plan.store import PLAN_FILE, sha256
from fabric.platforms import procedures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from fabric.files.yaml import Path as KeyPath
    from fabric.model.design import Design
    from fabric.model.device import DeviceModel
    from fabric.model.finding import Location
    from fabric.model.plan import DevicePlan, Plan
    from fabric.model.push import Files


@dataclass(frozen=True)
class PlannedFabric:
    """A plan whose files are whole, and the Design that was derived from its inputs again.

    ``systems``: by platform, those that can be pushed to. ``wanted``: the devices that this push
    is about, in the order of the plan. ``roots``: folders of templates, those of the plan's inputs
    first. ``locate``: where a path of the inventory stands in it.
    """

    folder: Path
    plan: Plan
    design: Design
    systems: dict[str, System]
    wanted: tuple[DevicePlan, ...]
    sha256: str  # of plan.json
    roots: tuple[Path, ...] = field(default=(), kw_only=True)
    locate: Callable[[KeyPath], Location] | None = field(default=None, kw_only=True)

    @property
    def push_id(self) -> str:
        """Names what this push leaves on devices; the same for every push of this plan.

        A look adds a mark of its own (``looking.Looking``).
        """
        return f"fabric-{self.sha256[:10]}"

    @property
    def rollback_of(self) -> str:
        """Of a rollback, the name of the push that it goes back behind; else empty."""
        return ""

    def rendered(self, device: str) -> Files:
        """The planned text of a device, by file name; read from the plan's folder."""
        folder = self.folder / "configs" / device
        return {p.name: p.read_text(encoding="utf-8") for p in sorted(folder.iterdir())}

    def way_out(self, device: str) -> str:
        """What to do where the text of a device would change what lets us in."""
        del device
        return "take it out of `extra` or of the own templates; management is changed by hand"

    def tier(self, device: str) -> int:
        """How far from the hosts a device stands, 0 nearest."""
        return self.design.topology.switch(device).position.tier

    def model(self, device: str) -> DeviceModel | None:
        """What the plan makes of a device; ``None``: what is read back is not compared with it."""
        return self._models.of(device)

    @cached_property
    def _models(self) -> DeviceModels:
        return DeviceModels(self.design)

    @cached_property
    def _known_models(self) -> tuple[str, ...]:
        return catalog.switch_names(())

    @cached_property
    def _names(self) -> frozenset[str]:
        return frozenset(device.name for device in self.plan.devices)

    def expected(self, device: DevicePlan) -> Expected:
        """What the device must say that it is."""
        hardware = self.design.intent.hardware.of(device.name, device.role)
        model, system = hardware.model, hardware.platform
        known = (model.sonic_platform, *(sku.name for sku in model.skus))
        return Expected(
            name=device.name,
            model=model.name,
            spellings=tuple(name for name in known if name),
            generic=model.generic,
            system=system.title,
            os_versions=(hardware.os_version,) if hardware.os_version else system.os_versions,
            names=self._names,
            models=self._known_models,
        )


def planned_fabric(  # noqa: PLR0913 - what a planned fabric holds
    folder: Path,
    plan: Plan,
    design: Design,
    roots: tuple[Path, ...],
    only: Iterable[str] = (),
    *,
    locate: Callable[[KeyPath], Location] | None = None,
) -> PlannedFabric:
    """The plan in ``folder``; ``only``: names of devices, all of them when empty.

    Raises:
        CatalogFileError: a push.yaml breaks its schema.
    """
    names = set(only) or {device.name for device in plan.devices}
    wanted = tuple(device for device in plan.devices if device.name in names)
    found = _systems(design, wanted, roots)
    return PlannedFabric(
        folder=folder,
        plan=plan,
        design=design,
        systems=found,
        wanted=wanted,
        sha256=sha256((folder / PLAN_FILE).read_bytes()),
        roots=roots,
        locate=locate,
    )


def _systems(
    design: Design, wanted: tuple[DevicePlan, ...], roots: tuple[Path, ...]
) -> dict[str, System]:
    """How each system is pushed to; without those that nobody has written that for."""
    found: dict[str, System] = {}
    for device in wanted:
        platform = design.intent.hardware.of(device.name, device.role).platform
        if platform.name in found:
            continue
        try:
            spec = push_spec(platform.name, roots)
        except UnknownNameError:
            continue
        pair = procedures(platform, spec)
        if pair:
            found[platform.name] = System(spec, *pair)
    return found
