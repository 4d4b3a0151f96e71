"""Every inventory whose rendered texts were read line by line is pushed to fakes."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.live.push.planned import planned_fabric
from fabric.model.finding import InputError
from tests.live.e2e.bench import LEAF, Bench
from tests.live.e2e.systems import SYSTEMS

if TYPE_CHECKING:
    from fabric.live.push.planned import PlannedFabric
    from fabric.live.rehearsal.control import ServerProcess

PLATFORMS = Path(__file__).parents[2] / "platforms"


def cases(system: str) -> list[Path]:
    return sorted((PLATFORMS / system / "inventories").glob("*.yaml"))


READ = [system for system in SYSTEMS if cases(system)]
EACH = [pytest.param(file, id=f"{system}-{file.stem}") for system in READ for file in cases(system)]


def planned(inventory: Path, folder: Path) -> PlannedFabric | None:
    """A plan under a name that all cases share; none where a class has to rise without words."""
    folder.mkdir()
    text = inventory.read_text(encoding="utf-8")
    copy = folder / inventory.name
    alike = re.sub(r"^fabric: .*", "fabric: cases", text, flags=re.MULTILINE)
    copy.write_text(alike, encoding="utf-8")
    (folder / "models").symlink_to(inventory.parent / "models")
    try:
        done = flow.plan(copy, out=folder / "build", today=date(2026, 1, 1))
    except InputError as error:
        if {finding.rule for finding in error.findings} == {"RCE023"}:
            return None
        raise
    return planned_fabric(done.folder, done.plan, done.derived.design, done.derived.roots)


@pytest.mark.parametrize("inventory", EACH)
def test_pushed_and_found_so(inventory: Path, server: ServerProcess, tmp_path: Path) -> None:
    """The first device and the last: a leaf and a spine, where there are both."""
    fabric = planned(inventory, tmp_path / "plan")
    if fabric is None:
        return
    ends = (fabric.wanted[0], fabric.wanted[-1])
    one = Bench(replace(fabric, wanted=ends), tmp_path, server, alone=False)
    try:
        told = one.push()
        assert told.outcomes == dict.fromkeys(one.devices, "changed"), told.messages
        told = one.push()
        assert (told.code, told.lines[-1]["by_status"]) == (0, {"unchanged": 2})
    finally:
        one.close()


@pytest.mark.parametrize("system", READ)
def test_from_each_case_to_the_next(system: str, server: ServerProcess, tmp_path: Path) -> None:
    """Addresses, VLANs, bonds, classes come and go on one switch, as its ports allow."""
    found = [(file.stem, planned(file, tmp_path / file.stem)) for file in cases(system)]
    alike: dict[object, list[tuple[str, PlannedFabric]]] = {}
    for name, fabric in found:
        named = fabric is not None and any(device.name == LEAF for device in fabric.wanted)
        model = fabric.model(LEAF) if fabric and named else None
        if fabric and model:
            ports = tuple(sorted(port.name for port in model.interfaces))
            kind = (model.model_name, model.management_address, ports)
            alike.setdefault(kind, []).append((name, fabric))
    chains = [chain for chain in alike.values() if len(chain) > 1]
    assert chains
    for number, chain in enumerate(chains):
        one = Bench(chain[0][1], tmp_path / str(number), server)
        try:
            for name, fabric in (*chain, chain[0]):
                leaf = tuple(device for device in fabric.wanted if device.name == LEAF)
                told = one.push(replace(fabric, wanted=leaf))
                assert told.outcomes == {LEAF: "changed"}, f"{name}: {told.messages}"
        finally:
            one.close()
