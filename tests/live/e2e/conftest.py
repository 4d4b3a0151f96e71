"""One process of fake switches for all tests; each case has its own two or one in it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import pytest

from fabric.catalog.manifest import platform_spec
from fabric.files.locate import templates_root
from fabric.live.rehearsal.control import ServerProcess
from tests.live.e2e.bench import Bench, plan

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from typing import Any

    from fabric.live.push.planned import PlannedFabric


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    with ServerProcess() as process:
        yield process


@pytest.fixture(scope="session")
def plans(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], PlannedFabric]:
    made: dict[str, PlannedFabric] = {}

    def of(system: str) -> PlannedFabric:
        if system not in made:
            spec = platform_spec(system, (templates_root(),))
            families = tuple(family.name for family in spec.syntax_families)
            made[system] = plan(system, families, tmp_path_factory.mktemp(system))
        return made[system]

    return of


@pytest.fixture
def cli() -> str:
    """Who speaks at a prompt; tests that concern both are parametrized with it."""
    return "fabric"


@pytest.fixture
def bench(
    server: ServerProcess, plans: Callable[[str], PlannedFabric], tmp_path: Path, cli: str
) -> Iterator[Callable[..., Bench]]:
    """Fakes of a system; those of the case before are taken away."""
    running: list[Bench] = []
    numbers = itertools.count()

    def start(system: str, **more: Any) -> Bench:
        while running:
            running.pop().close()
        folder = tmp_path / str(next(numbers))
        running.append(Bench(plans(system), folder, server, **{"cli": cli, **more}))
        return running[-1]

    yield start
    for one in running:
        one.close()
