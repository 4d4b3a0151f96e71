"""Every inventory whose rendered texts were read line by line is pushed to fakes, twice."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric import flow
from fabric.live.push.planned import planned_fabric
from fabric.model.finding import InputError
from tests.live.e2e.bench import Bench
from tests.live.e2e.systems import SYSTEMS

if TYPE_CHECKING:
    from fabric.live.rehearsal.control import ServerProcess

PLATFORMS = Path(__file__).parents[2] / "platforms"
CASES = [
    pytest.param(file, id=f"{system}-{file.stem}")
    for system in SYSTEMS
    for file in sorted((PLATFORMS / system / "inventories").glob("*.yaml"))
]


@pytest.mark.parametrize("inventory", CASES)
def test_pushed_and_found_so(inventory: Path, server: ServerProcess, tmp_path: Path) -> None:
    """The first device and the last: a leaf and a spine, where there are both."""
    try:
        done = flow.plan(inventory, out=tmp_path / "build", today=date(2026, 1, 1))
    except InputError as error:
        if {finding.rule for finding in error.findings} == {"RCE023"}:
            return  # a class has to rise, and there are no words for maps by port
        raise
    fabric = planned_fabric(done.folder, done.plan, done.derived.design, done.derived.roots)
    ends = (fabric.wanted[0], fabric.wanted[-1])
    one = Bench(replace(fabric, wanted=ends), tmp_path, server, alone=False)
    try:
        told = one.push()
        if told.code == 2:
            assert "RCE910" in told.messages  # planned with an error: never pushed
            return
        assert told.outcomes == dict.fromkeys(one.devices, "changed"), told.messages
        told = one.push()
        assert (told.code, told.lines[-1]["by_status"]) == (0, {"unchanged": 2})
    finally:
        one.close()
