"""An 8,192-endpoint fat-tree, planned whole: `python benchmarks/large.py [--peer]`.

For EOS and for SONiC, 80 and 1,280 switches: CPU and wall seconds from an empty `build/`, of
planning unchanged input again, peak memory, MB written, CPU per switch. `--peer` lets pyavd
(installed with `.[dev]`) render the same 1,280 EOS configs from the same design in the same run,
and prints the ratio: configs alone, without hosts, addresses, findings or a plan.

CPU seconds of whole processes; best of `--rounds` (3). Nothing is deleted before the last figure is
there: ext4 is slow at making files for minutes after a deletion. `TMPDIR` on a tmpfs (2 GB) leaves
the disk out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
MODELS = {"arista_eos": "arista-7060dx5-64s", "sonic": "nvidia-sn5600"}
INVENTORY = """\
fabric: k{k}
topology: {{kind: fat-tree, k: {k}}}
platforms: {{default: {{platform: {platform}, model: {model}}}}}
hosts: {{nic: connectx-7, speed: 400}}
"""
SWITCHES = {8: 80, 32: 1280}


@dataclass(frozen=True)
class Cost:
    """Of one process and its children."""

    cpu_s: float
    wall_s: float
    peak_mib: float


def cost(*command: str, folder: Path) -> tuple[Cost, str]:
    """What a command line takes, and what it printed."""
    started = time.perf_counter()
    process = subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )
    text = process.stdout.read() if process.stdout else ""
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise subprocess.CalledProcessError(status, command)
    wall = time.perf_counter() - started
    return Cost(used.ru_utime + used.ru_stime, wall, used.ru_maxrss / 1024), text


def planned(folder: Path, platform: str, k: int, rounds: int) -> tuple[Cost, Cost, float]:
    """Best of planning from nothing, best of planning again, MB written."""
    first, again = [], []
    command = (sys.executable, str(ROOT / "roce_fabric.py"), "plan", "inventory.yaml")
    for number in range(rounds):
        place = folder / f"{platform}-{k}-{number}"
        place.mkdir()
        text = INVENTORY.format(k=k, platform=platform, model=MODELS[platform])
        (place / "inventory.yaml").write_text(text, encoding="utf-8")
        first.append(cost(*command, folder=place)[0])
        again.append(cost(*command, folder=place)[0])
    files = [path for path in (place / "build").rglob("*") if path.is_file()]
    written = sum(path.stat().st_size for path in files) / 1e6
    return min(first, key=_cpu), min(again, key=_cpu), written


def _cpu(item: Cost) -> float:
    return item.cpu_s


def main() -> None:
    """Print one line a case."""
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 3
    head = f"{'case':<24} {'CPU s':>7} {'wall s':>7} {'MiB':>5} {'ms/switch':>9}"
    print(f"{head} {'again, CPU s':>13} {'MB written':>10}")
    whole: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        for platform in MODELS:
            for k, switches in SWITCHES.items():
                first, again, written = planned(Path(folder), platform, k, rounds)
                whole[platform] = first.cpu_s
                name = f"{platform}, {switches:,} switches"
                print(
                    f"{name:<24} {first.cpu_s:7.2f} {first.wall_s:7.2f} {first.peak_mib:5.0f} "
                    f"{1000 * first.cpu_s / switches:9.1f} {again.cpu_s:13.2f} {written:10.1f}",
                    flush=True,
                )
        if "--peer" in sys.argv:
            script = str(Path(__file__).with_name("peer_pyavd.py").resolve())
            design = INVENTORY.format(k=32, platform="arista_eos", model=MODELS["arista_eos"])
            (Path(folder) / "inventory.yaml").write_text(design, encoding="utf-8")
            used, text = cost(sys.executable, script, "inventory.yaml", folder=Path(folder))
            said = json.loads(text)
            print(
                f"pyavd, 1,280 configs     {said['rendered']:7.2f} CPU s for {said['lines']:,} "
                f"lines, {said['judged']:.2f} more for its schema, {used.peak_mib:.0f} MiB; "
                f"this whole plan takes {whole['arista_eos'] / said['rendered']:.2f} of it"
            )
    print(
        f"load average {os.getloadavg()[0]:.1f}, best of {rounds}, Python {sys.version.split()[0]}"
    )


if __name__ == "__main__":
    main()
