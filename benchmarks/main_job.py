"""How long the main job takes: `python benchmarks/main_job.py`.

Prints CPU and wall seconds of whole processes, best of three, with the load average, since other
work on the machine stretches wall time. Figures are for comparison on one machine.

Nothing is deleted before the last figure is there: for minutes after a deletion ext4 goes round
the freed inodes one by one, and making the 616 files of a plan takes 0.3 to 0.8 s longer. `TMPDIR`
on a tmpfs leaves the disk out.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3

LARGE = """\
fabric: k32
topology: {kind: fat-tree, k: 32}
platforms: {default: {platform: sonic, model: nvidia-sn5600}}
hosts: {nic: connectx-7, speed: 400}
"""


def calibrate() -> float:
    """Wall seconds of importing networkx: how fast this interpreter is, to compare machines by."""
    code = "import time; t = time.perf_counter(); import networkx; print(time.perf_counter() - t)"
    return min(
        float(subprocess.check_output([sys.executable, "-c", code], text=True))
        for _ in range(ROUNDS)
    )


def measure(folder: Path, *arguments: str) -> tuple[float, float]:
    """Best CPU and wall seconds of one command line of `fabric`, each run in a new ``folder``/n."""
    best_cpu = best_wall = float("inf")
    for number in range(ROUNDS):
        place = folder / str(number)
        place.mkdir(parents=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        started = time.perf_counter()
        subprocess.run(
            [sys.executable, str(ROOT / "roce_fabric.py"), *arguments],
            cwd=place,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        best_wall = min(best_wall, time.perf_counter() - started)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        best_cpu = min(best_cpu, cpu)
    return best_cpu, best_wall


def main() -> None:
    """Print one line a case, with its ratio to the first."""
    with tempfile.TemporaryDirectory() as folder:
        small = Path(folder) / "64node.yaml"
        small.write_bytes((ROOT / "inventories/64node.yaml").read_bytes())
        large = Path(folder) / "k32.yaml"
        large.write_text(LARGE, encoding="utf-8")
        cases = [
            ("fabric --help", ("--help",)),
            ("fabric plan 64node.yaml", ("plan", str(small))),
            ("fabric check 64node.yaml", ("check", str(small))),
        ]
        if "--large" in sys.argv:
            cases.append(("fabric plan, fat-tree k=32", ("plan", str(large))))
        first = None
        print(f"{'case':<30} {'CPU s':>7} {'wall s':>7} {'ratio':>6}")
        for number, (name, arguments) in enumerate(cases):
            cpu, wall = measure(Path(folder) / str(number), *arguments)
            first = first or cpu
            print(f"{name:<30} {cpu:7.2f} {wall:7.2f} {cpu / first:6.1f}")
    print(f"importing networkx: {calibrate():.2f} s (compare machines by this)")
    print(
        f"load average {os.getloadavg()[0]:.1f}, best of {ROUNDS}, Python {sys.version.split()[0]}"
    )


if __name__ == "__main__":
    main()
