"""A driver that netmiko does not have: told before any device is spoken to."""

from __future__ import annotations

import shutil
import socket
from typing import TYPE_CHECKING

import pytest

from fabric.cli import run
from fabric.live.connections import Connection
from fabric.live.transport.drivers import missing_drivers
from tests.live.transport.netmiko.systems import TEMPLATES
from tests.live.transport.reaching import spec

if TYPE_CHECKING:
    from pathlib import Path

INVENTORY = """\
fabric: trial
topology: {kind: leaf-spine, leaves: 1, spines: 1}
platforms: {default: {platform: arista_eos, model: generic}}
hosts: {count: 1, nic: connectx-7, speed: 100, qps_per_connection: 8}
management: {addresses: {leaf-0: 192.0.2.1/24, spine-0: 192.0.2.2/24}}
connection: {password_env: FABRIC_TEST_PASSWORD, ssh_config: none, cli: netmiko}
"""
TOLD = "has no driver 'arista_oes' for SSH (netmiko_type in arista_eos/platform.yaml)"


@pytest.fixture
def plan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A plan with a manifest of its own, whose driver is misspelt."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("FABRIC_TEST_PASSWORD", "x")
    shutil.copytree(TEMPLATES / "arista_eos", tmp_path / "templates/arista_eos")
    manifest = tmp_path / "templates/arista_eos/platform.yaml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text(text.replace("netmiko_type: arista_eos", "netmiko_type: arista_oes"))
    (tmp_path / "trial.yaml").write_text(INVENTORY, encoding="utf-8")
    assert run(["plan", "trial.yaml"]) == 0
    return "trial.yaml"


@pytest.mark.parametrize("flags", [["--dry-run"], ["--yes"]], ids=lambda flags: flags[0])
def test_a_push_opens_no_socket(
    plan: str,
    flags: list[str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    del plan

    class Guard(socket.socket):  # what is imported meanwhile may derive from it
        def __init__(self, *_: object, **__: object) -> None:
            pytest.fail("a socket was opened")

    capsys.readouterr()
    monkeypatch.setattr(socket, "socket", Guard)
    monkeypatch.setattr(socket, "create_connection", Guard)
    assert run(["push", *flags]) == 2
    told = " ".join(capsys.readouterr().out.split())
    assert TOLD in told
    assert "2 devices, leaf-0 first" in told
    assert "did you mean arista_eos?" in told


@pytest.mark.parametrize("more", [[], ["--fault", "drop@leaf-0:confirm"]], ids=["", "fault"])
def test_a_rehearsal_tells_the_same(
    plan: str, more: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rehearse", plan, *more]) == 2
    assert TOLD in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("kind", "session", "cli", "told"),
    [
        ("arista_eos", "cli", "netmiko", 0),
        ("arista_eos_ssh", "cli", "netmiko", 0),
        ("arista_eos_telnet", "cli", "netmiko", 1),  # a driver, but not over SSH
        ("autodetect", "cli", "netmiko", 1),  # no driver: it looks for one
        ("acme_os", "cli", "netmiko", 1),
        ("acme_os", "cli", "fabric", 0),
        ("acme_os", "shell", "netmiko", 0),
    ],
)
def test_which_drivers_do(kind: str, session: str, cli: str, told: int) -> None:
    specs = {"leaf-0": spec(netmiko_type=kind, session=session)}
    made = Connection("leaf-0", "192.0.2.1", 22, "admin", "", "", cli=cli)
    assert len(missing_drivers({"leaf-0": made, "host": made}, specs)) == told
