"""One server process for all tests; each test starts its own devices in it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.box import Neighbour, Setup
from fabric.live.rehearsal.control import Rehearsal, ServerProcess
from tests.live.rehearsal.client import Client

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

STILL = 0.0  # fake time stands still, but for `advance` and what commands take


@pytest.fixture(scope="session")
def server() -> Iterator[ServerProcess]:
    with ServerProcess() as process:
        yield process


@pytest.fixture
def start(server: ServerProcess, tmp_path: Path) -> Iterator[Callable[..., Rehearsal]]:
    running: list[Rehearsal] = []

    def begin(*setups: Setup, second_s: float = STILL) -> Rehearsal:
        folder = tmp_path / str(len(running))
        folder.mkdir()
        running.append(Rehearsal(setups, folder, (server,), second_s=second_s))
        return running[-1]

    yield begin
    for each in running:
        each.stop()


@pytest.fixture
def connect() -> Iterator[Callable[[Rehearsal, str], Client]]:
    clients: list[Client] = []

    def log_in(rehearsal: Rehearsal, device: str) -> Client:
        clients.append(Client(rehearsal.connections[device]))
        return clients[-1]

    yield log_in
    for each in clients:
        each.close()


@pytest.fixture
def frr() -> Setup:
    return Setup(
        "leaf1",
        "frr",
        "linux",
        "8.4.4",
        ports=("swp1",),
        neighbours=(Neighbour("swp1", "spine1", "swp1"),),
    )


@pytest.fixture
def sonic() -> Setup:
    return Setup("leaf1", "sonic", "ACS-SN5600", "202505.1", ports=("Ethernet0", "Ethernet8"))


@pytest.fixture
def cumulus() -> Setup:
    return Setup("leaf1", "cumulus_nvue", "SN5600", "5.14", user="cumulus", ports=("swp1", "swp2"))
