"""What is wrong with the input is told at once, and nothing is dialled."""

from __future__ import annotations

import errno
import json
import os
import socket
from typing import TYPE_CHECKING, NoReturn

import pytest

from fabric.cli import UsageError
from fabric.cli._push_show import Asked
from fabric.cli._pushing import planned_of, with_devices
from fabric.plan.store import read_plan
from tests.live.push.conftest import ADDRESSES, INVENTORY

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.live.push.conftest import Bench

KEY = "connection: {ssh_config: none, agent: false, key_file: none.pem}\n"


@pytest.fixture(autouse=True)
def _no_connection(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    dialled: list[object] = []

    def refuse(*where: object, **_: object) -> NoReturn:
        dialled.append(where)
        raise OSError

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "create_connection", refuse)
    yield
    assert dialled == []


def line_of(text: str, start: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(start))


@pytest.mark.parametrize(
    "command", [("push", "--yes"), ("push", "--dry-run"), ("push", "--approve", "0" * 64)]
)
def test_devices_without_an_address_are_bad_input(bench: Bench, command: tuple[str, ...]) -> None:
    some = "".join(line for line in ADDRESSES.splitlines(keepends=True) if "spine" not in line)
    bench.plan(addresses=False, more=some + KEY)
    done = bench.fabric(*command)
    assert done.code == 2
    assert "RCE901" in done.out
    assert "spine-0 and 1 more: no management address" in done.out
    at = line_of(INVENTORY + some, "  addresses")
    assert f"(toy.yaml:{at}:" in " ".join(done.out.split())
    assert "RCE903" in done.out  # the others, at the same time
    assert "toy: nothing was changed." in done.out
    assert not (bench.folder / ".fabric").exists()


@pytest.mark.parametrize("command", ["--yes", "--dry-run"])
def test_a_missing_credential_is_bad_input(bench: Bench, command: str) -> None:
    bench.plan(more=KEY)
    done = bench.fabric("push", command, "--json")
    assert done.code == 2
    at = line_of(INVENTORY + ADDRESSES + KEY, "connection")
    assert "no credential for 5 devices (leaf-0 …)" in done.out
    assert f"(toy.yaml:{at}:" in done.out
    if command == "--yes":
        assert json.loads(done.out.splitlines()[-1])["exit"] == 2


def test_the_devices_that_are_named_need_no_more(bench: Bench) -> None:
    bench.plan(addresses=False, more=ADDRESSES.replace("    spine-1: 192.0.2.21/24\n", "") + KEY)
    done = bench.fabric("push", "--yes", "--device", "leaf-0")
    assert ("RCE901" in done.out, "RCE903" in done.out) == (False, True)


def test_one_address_for_two_devices_is_no_inventory(bench: Bench) -> None:
    twice = ADDRESSES.replace("192.0.2.21/24", "192.0.2.20/26")
    (bench.folder / "toy.yaml").write_text(INVENTORY + twice, encoding="utf-8")
    done = bench.fabric("plan", "toy.yaml")
    assert done.code == 2
    assert "spine-1 has the management address of spine-0" in done.err
    assert f"toy.yaml:{line_of(INVENTORY + twice, '    spine-1')}:" in done.err


def full(*_: object, **__: object) -> NoReturn:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("word", ["dry_run", "yes"])
def test_a_file_where_pushes_are_kept(planned: Bench, word: str) -> None:
    (planned.folder / ".fabric").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"\.fabric/toy cannot be written: Not a directory"):
        planned.push(**{"dry_run": False, word: True})
    assert all(not switch.log for switch in planned.toys.switches.values())


@pytest.mark.parametrize(
    ("call", "at"),
    [("mkdir", r"^\.fabric/toy/pushes"), ("fsync", "checkpoints/.*/before/toy.conf")],
)
def test_a_full_disk_before_the_start(
    planned: Bench, monkeypatch: pytest.MonkeyPatch, call: str, at: str
) -> None:
    monkeypatch.setattr(os, call, full)
    words = f"{at} cannot be written: No space left on device; nothing was changed"
    with pytest.raises(UsageError, match=words):
        planned.push(dry_run=False, yes=True)
    assert not any("commit" in line for s in planned.toys.switches.values() for line in s.log)


def test_a_full_disk_when_the_lock_is_taken(
    planned: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "ftruncate", full)
    done = planned.push(dry_run=False, yes=True)
    assert (done.code, "RCE944  " in done.out) == (2, True)
    assert not any("commit" in line for s in planned.toys.switches.values() for line in s.log)


def test_a_folder_of_somebody_else(planned: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path) -> NoReturn:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    folder = planned.plan_folder
    toy = planned_of(folder, read_plan(folder), Asked())
    monkeypatch.setattr(type(folder), "is_dir", denied)
    with pytest.raises(UsageError, match=r"\.fabric/toy/pushes cannot be read: Permission denied"):
        with_devices(Asked(yes=True), toy, planned)
