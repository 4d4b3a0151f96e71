"""What many devices cost: `benchmarks/push_many.py [--devices 100 300 1000] [--push]`.

A fat-tree of 1,125 switches is planned once. Then a process for each number of devices looks at so
many of them over real SSH, or with `--push` does all of a push, as `fabric rehearse` does: all of
the 1,125 are fakes, in two processes of their own. The process that is measured may open 1,024
files and no more.

Told: devices a second by the clock; CPU milliseconds a device of the measured process alone; the
most files that it had open; the most memory that it ever took (VmHWM) and its memory before the
first device and at each quarter of the devices (VmRSS); at last what each device more adds, and how
much of that is the Change. The rest is memory that Python has freed and its allocator has kept.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.cli._rehearsing import FakeSwitches
    from fabric.live.push.looking import Reach, Request
    from fabric.live.push.planned import PlannedFabric
    from fabric.model.push_change import Event

INVENTORY = """\
fabric: many
topology: {{kind: fat-tree, k: 30}}
platforms: {{default: {{platform: arista_eos, model: arista-7060x6-64pe}}}}
hosts: {{nic: connectx-7, speed: 400, qps_per_connection: 8}}
connection: {{cli: {cli}}}
"""
FILES = 1024  # what a process may open, where nobody has raised it
GLANCE_S = 0.05
QUARTERS = 4


def memory_kb(word: str) -> int:
    """``VmRSS`` or ``VmHWM`` of this process."""
    lines = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    return int(next(line for line in lines if line.startswith(f"{word}:")).split()[1])


def size_of(thing: object, seen: set[int]) -> int:
    """Bytes of a value and of all that it holds, each object once."""
    if id(thing) in seen:
        return 0
    seen.add(id(thing))
    held: list[object] = []
    if is_dataclass(thing):
        held = [getattr(thing, each.name) for each in fields(thing)]
    elif isinstance(thing, tuple):
        held = list(thing)
    return sys.getsizeof(thing) + sum(size_of(each, seen) for each in held)


@dataclass
class Watch:
    """Files that are open, looked at now and then; memory, each time a quarter is done."""

    devices: int
    done: int = 0
    files: int = 0
    quarters_kb: list[int] = field(default_factory=list)

    def one_more(self) -> None:
        """A device is done."""
        self.done += 1
        if self.done * QUARTERS // self.devices > len(self.quarters_kb):
            self.quarters_kb.append(memory_kb("VmRSS"))

    @contextlib.contextmanager
    def counting(self) -> Iterator[None]:
        """For the time of a block."""
        over = threading.Event()

        def glance() -> None:
            while not over.wait(GLANCE_S):
                self.files = max(self.files, len(list(Path("/proc/self/fd").iterdir())))

        thread = threading.Thread(target=glance, daemon=True)
        thread.start()
        yield
        over.set()
        thread.join()


@dataclass(frozen=True)
class Client:
    """The process that is measured."""

    planned: PlannedFabric
    fakes: FakeSwitches
    private: Path
    request: Request
    watch: Watch

    def look(self, reach: Reach) -> None:
        """Look at all."""
        from fabric.live.push import prepare, saved  # noqa: PLC0415
        from fabric.live.push.looking import Looking  # noqa: PLC0415

        folder = saved.new_folder(self.private / "pushes", "now", self.planned.sha256)
        looking = Looking(self.planned, self.request, reach, folder)
        found, refused = looking.at(self.planned.wanted, lambda *_: self.watch.one_more())
        change = prepare.change_of(self.planned, found, refused, self.request, offline=False)
        saved.save(folder, change)

    def push(self, reach: Reach) -> None:
        """All of a push: looks, waves, gates, confirming and saving."""
        from fabric.cli._push_show import Asked  # noqa: PLC0415
        from fabric.cli._pushing import with_devices  # noqa: PLC0415
        from fabric.cli._rehearsing import SECOND_S  # noqa: PLC0415

        first = self.planned.wanted[0]
        version = self.planned.expected(first).os_versions[-1]
        known = json.dumps({"platform": first.platform, "os_version": version})
        (self.private / "contacts.jsonl").write_text(f"{known}\n", encoding="utf-8")
        asked = Asked(
            yes=True,
            as_json=True,
            request=self.request,
            state=self.private / ".fabric",
            time_factor=SECOND_S,
        )

        def listen(event: Event) -> None:
            if event.event == "device":
                self.watch.one_more()

        way = Given(replace(reach, listener=listen))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = with_devices(asked, self.planned, way)
        if code:
            sys.exit(out.getvalue())


@dataclass(frozen=True)
class Given:
    """A ``Reaching`` that is open already."""

    reach: Reach

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        """It does not."""
        del planned
        return False

    @contextlib.contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        """The same for all."""
        del planned
        yield self.reach


def client(folder: Path, devices: int, workers: int, *, whole: bool) -> None:
    """Print a line of JSON."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, FILES))
    from fabric import flow  # noqa: PLC0415
    from fabric.cli._rehearsing import FakeSwitches  # noqa: PLC0415
    from fabric.live.push.change import read_change  # noqa: PLC0415
    from fabric.live.push.looking import Request  # noqa: PLC0415
    from fabric.live.push.planned import planned_fabric  # noqa: PLC0415
    from fabric.plan.store import read_plan  # noqa: PLC0415

    plan = read_plan(folder)
    derived = flow.derive(folder / "inputs" / plan.inventory)
    names = [device.name for device in plan.devices][:devices]
    planned = planned_fabric(folder, plan, derived.design, derived.roots, names)
    request = Request(window=True, workers=workers, wave_size=workers)
    with tempfile.TemporaryDirectory() as private:
        watch = Watch(devices)
        fakes = FakeSwitches(Path(private), (), lambda _: None)
        made = Client(planned, fakes, Path(private), request, watch)
        with fakes.open(planned) as reach, watch.counting():
            reach.dial(names[0]).close()  # what is imported and read once
            before_kb, cpu, begun = memory_kb("VmRSS"), time.process_time(), time.perf_counter()
            (made.push if whole else made.look)(reach)
            took_s, cpu = time.perf_counter() - begun, time.process_time() - cpu
        peak_kb = memory_kb("VmHWM")
        (text,) = Path(private).rglob("change.json")
        change = read_change(text.read_text(encoding="utf-8"))
    told = {
        "devices": devices,
        "rate": devices / took_s,
        "cpu_ms": 1000 * cpu / devices,
        "files": watch.files,
        "before_kb": before_kb,
        "quarters_kb": watch.quarters_kb,
        "peak_kb": peak_kb,
        "change_kb": size_of(change, set()) / 1024,
    }
    print(json.dumps(told))


def measured(folder: Path, asked: argparse.Namespace, devices: int) -> dict[str, float]:
    """Of a process of its own."""
    command = [sys.executable, __file__, "--client", str(folder), "--devices", str(devices)]
    command += ["--workers", str(asked.workers), *(["--push"] if asked.push else [])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    told: dict[str, float] = json.loads(done.stdout)
    on_the_way = " ".join(f"{kb / 1024:.0f}" for kb in (told["before_kb"], *told["quarters_kb"]))
    print(
        f"{devices:7,} {told['rate']:10.1f} {told['cpu_ms']:10.1f} {told['files']:6} "
        f"{told['peak_kb'] / 1024:9.0f}   {on_the_way}",
        flush=True,
    )
    return told


def main() -> None:
    """One process after another, and what a device more adds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--devices", type=int, nargs="+", default=[100, 300, 1000])
    parser.add_argument("--workers", type=int, default=10)
    parser.add_argument("--cli", choices=["fabric", "netmiko"], default="fabric")
    parser.add_argument("--push", action="store_true")
    parser.add_argument("--client", type=Path, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.client:
        client(asked.client, asked.devices[0], asked.workers, whole=asked.push)
        return
    from fabric import flow  # noqa: PLC0415

    with tempfile.TemporaryDirectory() as made:
        inventory = Path(made) / "many.yaml"
        inventory.write_text(INVENTORY.format(cli=asked.cli), encoding="utf-8")
        plan = flow.plan(inventory, out=Path(made) / "build", today=date(2026, 1, 1)).folder
        print("devices  devices/s     CPU ms  files   peak MB   MB before, and at each quarter")
        runs = [measured(plan, asked, devices) for devices in asked.devices]
    first, last = runs[0], runs[-1]
    more = last["devices"] - first["devices"]
    if more:
        peak, change = ((last[key] - first[key]) / more for key in ("peak_kb", "change_kb"))
        print(f"each device more: {peak:.0f} kB, of which the Change is {change:.0f} kB")
    print(f"load average {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
