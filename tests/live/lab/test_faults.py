"""Each fault is seen as it says, and when it is repaired nothing of it is left."""

from __future__ import annotations

import json
import socket
import subprocess
import time
from typing import TYPE_CHECKING

import paramiko
import pytest

from fabric.live.lab import faults, find, nodes, observe, ready, state
from fabric.live.lab.errors import LabError
from fabric.live.programs import ProgramError
from tests.live.lab import inventories
from tests.live.lab.agreement import as_planned, settled
from tests.live.lab.conftest import WAIT_S, lab_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager
    from pathlib import Path

    from fabric.live.connections import Connection
    from fabric.live.lab.layout import Layout, Node

pytestmark = pytest.mark.usefixtures("allowed")

UPLINK = "leaf-0:spine-0"


@pytest.fixture
def inventory(tmp_path: Path) -> Path:
    text = inventories.LEAF_SPINE.replace("leaves: 4", "leaves: 2").replace("h[1-4]", "h[1-2]")
    path = tmp_path / "faults.yaml"
    path.write_text(text.replace("ls4x2", "faults"))
    return path


def node(layout: Layout, name: str) -> Node:
    found = layout.node(name)
    assert found is not None
    return found


def within(seen: Callable[[], bool], timeout_s: float = 20) -> bool:
    deadline = time.monotonic() + timeout_s
    while not (good := seen()) and time.monotonic() < deadline:
        time.sleep(0.1)
    return good


def test_faults_of_the_fabric(inventory: Path) -> None:
    with lab_of(inventory) as (design, layout):
        leaf = node(layout, "leaf-0")

        def sessions_down(*on: str) -> bool:
            return all(ready.missing_sessions(layout.name, node(layout, name)) for name in on)

        def wrong_neighbours() -> set[str]:
            lines = ready.missing(layout)
            return {x.split(":")[0].removeprefix("LLDP ") for x in lines if x.startswith("LLDP")}

        def frozen() -> bool:
            return not ready.missing_sessions(layout.name, leaf) and not zebra_answers(layout, leaf)

        cases: tuple[tuple[str, tuple[str, ...], Callable[[], bool]], ...] = (
            ("link-down", (UPLINK,), lambda: sessions_down("leaf-0", "spine-0")),
            (
                "swap",
                (UPLINK, "leaf-0:spine-1"),
                lambda: (
                    wrong_neighbours()
                    == {"leaf-0 swp33", "leaf-0 swp34", "spine-0 swp1", "spine-1 swp1"}
                ),
            ),
            ("wrong-asn", ("leaf-0", "65000"), lambda: sessions_down("leaf-0", "spine-0")),
            ("daemon-killed", ("leaf-0",), lambda: observe.routes(leaf) == {}),
            ("daemon-killed", ("leaf-0", "zebra"), frozen),
            ("mtu", ("leaf-0/swp33",), lambda: not crosses(layout, leaf, 8000)),
            ("slow", ("h1:leaf-0", "20mbit"), lambda: 0 < rate_mbps(layout) < 25),
        )
        assert crosses(layout, leaf, 8000)
        assert rate_mbps(layout) > 100
        for word, targets, seen in cases:
            faults.inject(layout.name, word, targets)
            with pytest.raises(LabError, match="in force already"):
                faults.inject(layout.name, word, targets)
            assert within(seen), word
            faults.repair(layout.name, word, targets)
            assert ready.wait(layout, WAIT_S) == [], word
            assert settled(layout, as_planned(design)) == [], word
        faults.inject(layout.name, "link-flap", (UPLINK,))
        assert ready.wait(layout, WAIT_S) == []
        assert settled(layout, as_planned(design)) == []
        assert crosses(layout, leaf, 8000)
        assert rate_mbps(layout) > 100
        known = state.read(layout.name)
        assert known is not None
        assert known.faults == ()


def zebra_answers(layout: Layout, at: Node) -> bool:
    try:
        nodes.shell(layout.name, at, "vtysh -d zebra -c 'show version'")
    except ProgramError:
        return False
    return True


def crosses(layout: Layout, leaf: Node, size: int) -> bool:
    """Whether a packet of that size, not to be cut, comes back over the first uplink."""
    peer = next(peer.key for peer in leaf.peers if peer.device == "spine-0")
    try:
        nodes.shell(layout.name, leaf, f"ping -n -c 2 -i 0.2 -W 1 -M do -s {size} {peer}")
    except ProgramError:
        return False
    return True


def rate_mbps(layout: Layout) -> float:
    """What iperf3 carries from h1 to h2 in a second; it gives up now and then on a busy machine."""
    one, two = (node(layout, name) for name in ("h1", "h2"))
    own, target = (n.ports[0].addresses[0].partition("/")[0] for n in (one, two))
    client = nodes.inside(layout.name, one, ["iperf3", "-c", target, "-B", own, "-t", "1", "-J"])
    server = nodes.inside(layout.name, two, ["iperf3", "-s", "-1", "-B", target])
    for _ in range(5):
        with subprocess.Popen(server, stdout=subprocess.DEVNULL) as listening:
            assert within(lambda: ":5201 " in nodes.shell(layout.name, two, "ss -Hltn"))
            said = json.loads(subprocess.run(client, capture_output=True, check=False).stdout)
            if "sum_received" in said["end"]:
                return float(said["end"]["sum_received"]["bits_per_second"]) / 1e6
            listening.kill()
    pytest.fail(f"iperf3 measured nothing: {said.get('error')}")


def client(to: Connection) -> AbstractContextManager[paramiko.SSHClient]:
    made = paramiko.SSHClient()
    made.load_host_keys(to.known_hosts)
    made.set_missing_host_key_policy(paramiko.RejectPolicy())
    made.connect(
        to.address,
        port=to.port,
        username=to.user,
        key_filename=to.key_file,
        allow_agent=False,
        look_for_keys=False,
        timeout=5,
        banner_timeout=2,
    )
    return made


def said(to: Connection, command: str) -> str:
    with client(to) as session:
        _, out, _ = session.exec_command(command)
        return out.read().decode().strip()


@pytest.fixture
def reached(inventory: Path) -> Iterator[tuple[Layout, dict[str, Connection]]]:
    with lab_of(inventory) as (_, layout):
        yield layout, find.connections(layout)


def test_the_way_to_a_node_and_its_faults(
    reached: tuple[Layout, dict[str, Connection]],
) -> None:
    layout, connections = reached
    assert set(connections) == {node.name for node in layout.nodes}
    for name, to in connections.items():
        assert said(to, "hostname") == name
    leaf, lab = connections["leaf-0"], layout.name
    assert "leaf-0" in said(leaf, "vtysh -c 'show running-config'")

    faults.inject(lab, "sshd-hang", ("leaf-0",))
    with socket.create_connection((leaf.address, leaf.port), 2):
        pass  # it accepts
    with pytest.raises(paramiko.SSHException):
        client(leaf)
    faults.repair(lab, "sshd-hang", ("leaf-0",))
    assert said(leaf, "hostname") == "leaf-0"

    faults.inject(lab, "host-key", ("leaf-0",))
    assert within(lambda: refuses_key(leaf))
    faults.repair(lab, "host-key", ("leaf-0",))
    assert within(lambda: not refuses_key(leaf))

    with client(leaf) as session:
        _, out, _ = session.exec_command("sleep 20")
        faults.inject(lab, "session-dropped", ("leaf-0",))
        assert out.channel.recv_exit_status() == -1  # nobody knows
    assert said(leaf, "hostname") == "leaf-0"

    write = "head -c 8192 /dev/zero >/home/admin/file && echo written"
    assert said(leaf, write) == "written"
    faults.inject(lab, "disk-full", ("leaf-0",))
    assert said(leaf, write.replace("file", "other")) != "written"
    assert faults.clear(lab) == (("disk-full", ("leaf-0",)),)
    assert said(leaf, write.replace("file", "third")) == "written"


def refuses_key(to: Connection) -> bool:
    try:
        said(to, "true")
    except paramiko.BadHostKeyException:
        return True
    return False
