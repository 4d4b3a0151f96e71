"""What many devices cost: `benchmarks/push_many.py [--devices 100 300 1000] [--push]`.

A fat-tree of 1,125 switches is planned once. Then a process for each number of devices looks at so
many of them over real SSH, or with `--push` pushes to them, as `fabric rehearse` does: all switches
are fakes, in two processes of their own. That process may open 1,024 files and no more.

Told of it: devices a second by the clock, its CPU milliseconds a device, the most files it had
open, the most memory it ever took (VmHWM), and by how much that is more than before the first
device; of the growth, how much the Change itself is. Then what each device more costs, and its
memory at every quarter of the way.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.live.push.planned import PlannedFabric
    from fabric.live.push.looking import Reach

INVENTORY = """\
fabric: many
topology: {kind: fat-tree, k: 30}
platforms: {default: {platform: arista_eos, model: arista-7060x6-64pe}}
hosts: {nic: connectx-7, speed: 400, qps_per_connection: 8}
"""
FILES = 1024  # what a process may open, where nobody has raised it
GLANCE_S = 0.05
QUARTERS = 4


def status_kb(word: str) -> int:
    """A figure of /proc/self/status."""
    text = Path("/proc/self/status").read_text(encoding="ascii")
    return int(next(line for line in text.splitlines() if line.startswith(f"{word}:")).split()[1])


class Watch(threading.Thread):
    """Looks at the files that this process has open, now and then."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most_files = 0
        self._over = threading.Event()

    def run(self) -> None:
        """Until it is over."""
        while not self._over.wait(GLANCE_S):
            self.most_files = max(self.most_files, len(os.listdir("/proc/self/fd")))

    def end(self) -> None:
        """No more."""
        self._over.set()
        self.join()


def size_of(thing: object, seen: set[int]) -> int:
    """Bytes of a value and of what it holds, each object once."""
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    held: list[object] = []
    if is_dataclass(thing):
        held = [getattr(thing, field.name) for field in fields(thing)]
    elif isinstance(thing, (list, tuple)):
        held = list(thing)
    return sys.getsizeof(thing) + sum(size_of(each, seen) for each in held)


@dataclass
class Counter:
    """Counts devices that are done, and takes the memory at each quarter."""

    of: int
    done: int = 0
    peak_kb: int = 0

    def __post_init__(self) -> None:
        self.quarters: list[int] = []

    def __call__(self, *_: object) -> None:
        self.done += 1
        if self.done * QUARTERS // self.of > len(self.quarters):
            self.quarters.append(status_kb("VmRSS"))


def look(planned: PlannedFabric, reach: Reach, folder: Path, workers: int) -> tuple[int, Counter]:
    """Look at all; bytes of the Change, and the memory on the way."""
    from fabric.live.push import prepare, saved  # noqa: PLC0415
    from fabric.live.push.looking import Looking, Request  # noqa: PLC0415

    request = Request(window=True, workers=workers)
    keep = saved.new_folder(folder, "now", planned.sha256)
    count = Counter(len(planned.wanted))
    found, refused = Looking(planned, request, reach, keep).at(planned.wanted, count)
    assert len(found) == len(planned.wanted), refused
    change = prepare.change_of(planned, found, (), request, offline=False)
    count.peak_kb = status_kb("VmHWM")
    return size_of(change, set()), count


def client(folder: Path, devices: int, workers: int) -> None:
    """The process that is measured; prints a line of JSON."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    from fabric import flow  # noqa: PLC0415
    from fabric.cli._rehearsing import FakeSwitches  # noqa: PLC0415
    from fabric.live.push.planned import planned_fabric  # noqa: PLC0415
    from fabric.plan.store import read_plan  # noqa: PLC0415

    plan = read_plan(folder)
    derived = flow.derive(folder / "inputs" / plan.inventory)
    names = [device.name for device in plan.devices][:devices]
    planned = planned_fabric(folder, plan, derived.design, derived.roots, names)
    private = Path(tempfile.mkdtemp())
    with FakeSwitches(private, (), lambda _: None).open(planned) as reach:
        reach.dial(names[0]).close()  # imports
        gc.collect()
        before = status_kb("VmRSS")
        watch = Watch()
        watch.start()
        cpu, begun = time.process_time(), time.perf_counter()
        change, count = look(planned, reach, private / "pushes", workers)
        took, cpu = time.perf_counter() - begun, time.process_time() - cpu
        watch.end()
        told = {
            "devices": devices,
            "before_kb": before,
            "peak_kb": count.peak_kb,
            "change_kb": change // 1024,
            "files": watch.most_files,
            "rate": devices / took,
            "cpu_ms": 1000 * cpu / devices,
            "quarters_kb": count.quarters,
        }
    print(json.dumps(told))


if __name__ == "__main__":
    if sys.argv[1] == "--client":
        client(Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
