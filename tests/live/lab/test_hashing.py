"""How the kernel's ECMP spreads flows, against the statistics of hashing.

F flows on m equal links, hashed independently: each link has mean F/m and variance F(m−1)/m². A
tier with another seed hashes independently of the one below; with the same seed it is fully
correlated: what one switch gets has one hash range in common, and leaves by one of its links. The
same flows are drawn from the models of `fabric analyze bandwidth`: with the plan's seeds the kernel
agrees with `ecmp`, with one seed with `ecmp-polarised`, and each time not with the other.
"""

from __future__ import annotations

import math
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import pytest

from fabric.live.lab import nodes
from fabric.live.programs import run
from tests.live.lab import inventories
from tests.live.lab.agreement import answered
from tests.live.lab.conftest import lab_of
from tests.live.lab.hash_models import agrees, drawn, spread_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from fabric.live.lab.layout import Layout, Node

pytestmark = pytest.mark.usefixtures("allowed")

FLOWS = 1024
FILE_HEADER, PACKET_HEADER = 24, 16  # bytes, pcap-savefile(5)
SD = 4
SEED = "/proc/sys/net/ipv4/fib_multipath_hash_seed"
# One packet a flow, each from another source port, as RoCE's queue pairs have; slow enough for
# captures to keep up.
SENDER = """
import socket, sys, time
own, target, flows = sys.argv[1], sys.argv[2], int(sys.argv[3])
for port in range(20000, 20000 + flows):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        s.bind((own, port))
        s.sendto(b"x" * 64, (target, 4791))
    time.sleep(0.001)
"""


def node(layout: Layout, name: str) -> Node:
    found = layout.node(name)
    assert found is not None
    return found


@contextmanager
def counted(at: Node, netdev: str, source: str, file: Path) -> Iterator[None]:
    """Packets of the flows that leave by a port, in a file, each as soon as it has left."""
    words = ["tcpdump", "-i", netdev, "-Q", "out", "-w", str(file), "--immediate-mode", "-U"]
    words += ["-Z", "root", "-s", "64", "udp", "dst", "port", "4791", "and", "src", "host", source]
    command = ["nsenter", f"--net=/run/netns/{at.namespace}", *words]
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as capture:
        try:
            assert within(lambda: file.exists() and file.stat().st_size >= FILE_HEADER)
            yield
        finally:
            capture.terminate()


def packets(file: Path) -> int:
    """Packets of a pcap file that are written whole."""
    data, at, count = file.read_bytes(), FILE_HEADER, 0
    while at + PACKET_HEADER <= len(data):
        at += PACKET_HEADER + int.from_bytes(data[at + 8 : at + 12], "little")
        count += at <= len(data)
    return count


def within(seen: Callable[[], bool], timeout_s: float = 30) -> bool:
    deadline = time.monotonic() + timeout_s
    while not (good := seen()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return good


def spread(layout: Layout, folder: Path) -> dict[str, dict[str, int]]:
    """Flows from h1 to a host of the other pod by switch and next switch."""
    one, two = node(layout, layout.hosts[0].name), node(layout, layout.hosts[-1].name)
    own, target = (n.ports[0].addresses[0].partition("/")[0] for n in (one, two))
    files: dict[tuple[str, str], Path] = {}

    def counts() -> dict[str, dict[str, int]]:
        found: dict[str, dict[str, int]] = {}
        for (name, peer), file in files.items():
            found.setdefault(name, {})[peer] = packets(file)
        return found

    def all_passed() -> bool:
        """Every flow has left its leaf, and the tier above as well."""
        total = {name: sum(ways.values()) for name, ways in counts().items()}
        return total["edge-0-0"] == FLOWS == total["agg-0-0"] + total["agg-0-1"]

    with ExitStack() as captures:
        for name in ("edge-0-0", "agg-0-0", "agg-0-1"):
            for peer in node(layout, name).peers:
                if name == "edge-0-0" or peer.device.startswith("core"):
                    files[name, peer.device] = folder / f"{name}-{peer.device}"
                    captures.enter_context(
                        counted(node(layout, name), peer.netdev, own, files[name, peer.device])
                    )
        inside = ["nsenter", f"--net=/run/netns/{one.namespace}", sys.executable, "-c", SENDER]
        run([*inside, own, target, str(FLOWS)])
        assert within(all_passed), counts()
    found = counts()
    for file in files.values():
        file.unlink()
    return found


def is_independent(counts: dict[str, int]) -> bool:
    flows, links = sum(counts.values()), len(counts)
    sd = math.sqrt(flows * (links - 1)) / links
    return all(abs(count - flows / links) <= SD * sd for count in counts.values())


def set_seeds(layout: Layout, seed: int) -> None:
    for switch in layout.switches:
        nodes.shell(layout.name, switch, f"echo {seed} >{SEED}")


def test_flows_spread_as_independent_hashing_says_and_polarise_with_one_seed(
    tmp_path: Path,
) -> None:
    path = tmp_path / "hashing.yaml"
    path.write_text(inventories.TWO_PODS)
    with lab_of(path) as (design, layout):
        assert answered(layout)  # neighbours are resolved
        has_seed = nodes.shell(layout.name, layout.switches[0], f"cat {SEED} || true").strip()
        found = spread(layout, tmp_path)
        assert sum(found["edge-0-0"].values()) == FLOWS
        assert is_independent(found["edge-0-0"]), found
        for agg in ("agg-0-0", "agg-0-1"):
            assert sum(found[agg].values()) == found["edge-0-0"][agg]
        one_secret = drawn(design, "ecmp-polarised", FLOWS)
        if has_seed:  # Linux 6.11 and later: the plan's seeds are in force, one a tier
            assert all(is_independent(found[agg]) for agg in ("agg-0-0", "agg-0-1")), found
            measured = spread_of(found, "edge-0-0")
            assert agrees(measured, drawn(design, "planned", FLOWS)), found
            assert agrees(measured, drawn(design, "ecmp", FLOWS)), found
            assert not agrees(measured, one_secret), found
            set_seeds(layout, 7)
            found = spread(layout, tmp_path)
            assert is_independent(found["edge-0-0"]), found
        # One secret for all: every aggregation switch uses one of its two cores.
        for agg in ("agg-0-0", "agg-0-1"):
            assert sorted(found[agg].values()) == [0, found["edge-0-0"][agg]], found
        measured = spread_of(found, "edge-0-0")
        assert agrees(measured, one_secret), found
        assert not agrees(measured, drawn(design, "ecmp", FLOWS)), found
