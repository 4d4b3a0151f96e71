"""What a push to a lab costs here: `python benchmarks/lab_push.py`, as root.

A leaf-spine (4 leaves, 2 spines) and a k=4 fat-tree (20 switches): seconds of a dry run that finds
new BGP timers and ECMP width on every switch, of the push (canary, waves of five, gates on live
BGP), of a second push that finds nothing, and of the rollback. FRR is known here already, so no
first contact. All switches share this machine's processors: on real ones only the client works.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from fabric.live.lab import build, state  # noqa: E402 — the checkout's own

LEAF_SPINE = """\
fabric: bench-push-ls
topology: {kind: leaf-spine, leaves: 4, spines: 2}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-4]", nics: 1, speed: 100, netdevs: [eth1]}
"""
FAT_TREE = """\
fabric: bench-push-ft4
topology: {kind: fat-tree, k: 4}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-16]", nics: 1, speed: 100, netdevs: [eth1]}
"""
TIMERS = "addressing: {bgp: {max_paths: 32, keepalive_s: 2, hold_s: 6}}\n"


def fabric(folder: Path, *words: str) -> tuple[float, str]:
    """Seconds that a command took, and what it printed."""
    start = time.monotonic()
    done = subprocess.run(
        [sys.executable, str(ROOT / "roce_fabric.py"), *words],
        cwd=folder,
        env={**os.environ, "FABRIC_STATE": str(folder), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        sys.exit(f"fabric {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}")
    return time.monotonic() - start, done.stdout


def met(folder: Path) -> None:
    """This FRR was pushed to before."""
    said = subprocess.run(
        ["/usr/lib/frr/bgpd", "--version"], capture_output=True, text=True, check=True
    )
    version = said.stdout.split()[2]
    line = json.dumps({"platform": "frr", "os_version": version})
    (folder / "lab-contacts.jsonl").write_text(f"{line}\n")


def measured(text: str) -> None:
    """One lab: up, pushed to and back, down."""
    name = f"bench{os.getpid()}"
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        inventory = folder / "bench.yaml"
        inventory.write_text(text)
        met(folder)
        try:
            fabric(folder, "lab", "up", str(inventory), "--name", name)
            layout = state.read(name).layout
            inventory.write_text(text + TIMERS)
            fabric(folder, "plan", str(inventory))
            lab = ("--lab", name)
            dry, _ = fabric(folder, "push", *lab, "--dry-run")
            push, said = fabric(folder, "push", *lab, "--yes", "--json")
            again, _ = fabric(folder, "push", *lab, "--yes")
            back, _ = fabric(folder, "rollback", *lab, "--yes")
        finally:
            build.down(name)
    tally = json.loads(said.splitlines()[-1])["by_status"]
    print(
        f"{layout.fabric}: {len(layout.switches)} switches {tally}; dry run {dry:.1f} s, "
        f"push {push:.1f} s, second push {again:.1f} s, rollback {back:.1f} s; "
        f"load {os.getloadavg()[0]:.1f}, {os.cpu_count()} processors"
    )


def main() -> None:
    """Both, one after the other."""
    for text in (LEAF_SPINE, FAT_TREE):
        measured(text)


if __name__ == "__main__":
    main()
