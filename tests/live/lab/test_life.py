"""A lab's life by its commands: up, asked, down; killed half-way; two side by side."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from fabric.live.lab import build, names, nodes, state
from fabric.live.programs import run
from tests.live.lab import inventories

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

pytestmark = pytest.mark.usefixtures("allowed")

ROOT = Path(__file__).resolve().parent.parent.parent.parent
TINY = (
    inventories.LEAF_SPINE.replace("leaves: 4", "leaves: 2")
    .replace("spines: 2", "spines: 1")
    .replace("h[1-4]", "h[1-2]")
)


@pytest.fixture
def lab() -> Iterator[str]:
    """A fabric's name that no other test's lab has; nothing of it may be left."""
    name = f"life-{os.getpid()}"
    yield name
    for one in (name, f"{name}-b"):
        build.down(one)
        assert left(one) == []


def left(lab: str) -> list[str]:
    found = list(nodes.namespaces(lab))
    if Path(f"/sys/class/net/{names.root_netdev(lab)}").exists():
        found.append(names.root_netdev(lab))
    if state.folder(lab).exists():
        found.append(str(state.folder(lab)))
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if str(state.folder(lab)) + "/" in path.read_text():
                found.append(str(path))
        except OSError:
            continue
    found += [
        line for line in Path("/proc/mounts").read_text().splitlines() if names.prefix(lab) in line
    ]
    return found


def fabric(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "roce_fabric.py"), "lab", *words]
    return subprocess.run(command, text=True, capture_output=True, check=False, timeout=150)


def machine() -> tuple[str, str]:
    """The machine's own addresses and routes, without other labs'."""
    said = []
    for what in ("address", "route"):
        lines = run(["ip", "-o", what, "show"]).splitlines()
        said.append(
            "\n".join(line for line in lines if "198.18." not in line and "lab-" not in line)
        )
    return said[0], said[1]


def written(tmp_path: Path, lab: str) -> str:
    path = tmp_path / "tiny.yaml"
    path.write_text(TINY.replace("ls4x2", lab))
    return str(path)


def test_up_asked_and_down(tmp_path: Path, lab: str) -> None:
    inventory, before = written(tmp_path, lab), machine()
    assert json.loads(fabric("status", inventory, "--json").stdout)["state"] == "down"
    done = fabric("up", inventory)
    assert done.returncode == 0, done.stderr
    assert "3 switches, 2 hosts, 4 cables" in done.stdout
    assert "All 2 BGP sessions and 4 cables (LLDP) as planned." in done.stdout
    assert "Not real: PFC, ECN, buffers" in done.stdout
    status = json.loads(fabric("status", inventory, "--json").stdout)
    assert (status["schema"], status["state"]) == (1, "up")
    assert [n["name"] for n in status["nodes"]] == ["leaf-0", "leaf-1", "spine-0", "h1", "h2"]
    assert [n["kind"] for n in status["nodes"]] == ["switch"] * 3 + ["host"] * 2
    for node in status["nodes"]:
        assert set(node) == {"name", "kind", "namespace", "pid", "addresses"}
        assert Path(f"/proc/{node['pid']}").exists()
        assert Path(f"/run/netns/{node['namespace']}").exists()
    assert "10.0.0.1/31" in status["nodes"][3]["addresses"]
    again = fabric("up", inventory)
    assert again.returncode == 2
    assert f"lab {lab} is up already" in again.stderr
    until(lambda: fabric("ping", inventory).returncode == 0)
    said = fabric("exec", inventory, "leaf-1", "--", "sh", "-c", "hostname; exit 7")
    assert (said.stdout, said.returncode) == ("leaf-1\n", 7)
    file = tmp_path / "packets.pcap"
    words = ("capture", inventory, "h1:leaf-0", "-w", str(file), "-c", "1", "--seconds", "20")
    assert fabric(*words).returncode == 0
    assert file.read_bytes()[:4] == bytes.fromhex("d4c3b2a1")
    fault = fabric("fault", inventory, "link-down", "leaf-0:spine-0")
    assert fault.returncode == 0
    assert "--repair" in fault.stdout
    lost = fabric("ping", inventory, "--json")
    assert lost.returncode == 1
    assert len(json.loads(lost.stdout)["unanswered"]) == 2
    faults = json.loads(fabric("status", inventory, "--json").stdout)["faults"]
    assert faults == [{"fault": "link-down", "targets": ["leaf-0:spine-0"]}]
    down = fabric("down", inventory)
    assert down.stdout == f"{lab}: 6 namespaces removed\n"
    assert left(lab) == []
    assert machine() == before


def test_killed_half_way_it_can_still_be_taken_down(tmp_path: Path, lab: str) -> None:
    inventory = written(tmp_path, lab)
    command = [sys.executable, str(ROOT / "roce_fabric.py"), "lab", "up", inventory]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as up:
        until(lambda: bool(nodes.namespaces(lab)))
        up.send_signal(signal.SIGKILL)
    status = fabric("status", inventory, "--json")
    assert (json.loads(status.stdout)["state"], status.returncode) == ("partial", 1)
    again = fabric("up", inventory)
    assert again.returncode == 2
    assert "left behind half-built" in again.stderr
    assert fabric("down", inventory).returncode == 0
    assert left(lab) == []


def test_asked_to_end_it_takes_itself_down(tmp_path: Path, lab: str) -> None:
    inventory = written(tmp_path, lab)
    command = [sys.executable, str(ROOT / "roce_fabric.py"), "lab", "up", inventory]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as up:
        until(lambda: bool(nodes.processes(nodes.namespaces(lab))))
        up.send_signal(signal.SIGTERM)
        assert up.wait(60) == 130
    assert left(lab) == []


def until(seen: Callable[[], bool], timeout_s: float = 60) -> None:
    deadline = time.monotonic() + timeout_s
    while not seen():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def test_down_works_without_its_state_and_leaves_the_other_lab_alone(
    tmp_path: Path, lab: str
) -> None:
    inventory = written(tmp_path, lab)
    assert fabric("up", inventory, "--wait", "0").returncode in (0, 1)
    assert fabric("up", inventory, "--name", f"{lab}-b").returncode == 0
    two = fabric("status", inventory)
    assert two.returncode == 2
    assert "choose one with --name" in two.stderr
    os.rename(state.folder(lab), tmp_path / "lost")  # noqa: PTH104 — its state is gone
    assert fabric("down", inventory, "--name", lab).returncode == 0
    assert left(lab) == []
    until(lambda: fabric("ping", f"{lab}-b").returncode == 0)
    run(["ip", "netns", "delete", names.namespace(f"{lab}-b", "spine-0")])  # as others may
    assert fabric("down", f"{lab}-b").returncode == 0


def test_down_ends_what_was_on_its_way_into_a_node(lab: str) -> None:
    script = str(state.node_file(lab, "leaf-0", "start.sh"))
    other = str(state.node_file(f"{lab}-b", "leaf-0", "start.sh"))
    sleeper = ["/bin/sh", "-c", "sleep 60; :"]
    with (
        subprocess.Popen(["/usr/bin/setsid", *sleeper, script]) as ours,
        subprocess.Popen([*sleeper, other]) as theirs,
        subprocess.Popen(["/usr/bin/env", *sleeper, script, "read"]) as reader,
    ):
        build.down(lab)
        assert ours.wait(10) == -signal.SIGKILL
        assert theirs.poll() is None
        assert reader.poll() is None
        reader.kill()
        build.down(f"{lab}-b")
        assert theirs.wait(10) == -signal.SIGKILL
