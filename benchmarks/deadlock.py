"""The deadlock proof on k-ary fat-trees: `python benchmarks/deadlock.py [--peer] [--rounds N]`.

- *exact*: from a `Topology` in memory to the verdict under `spf`, every ECMP path of every pair of
  leaves; the network as arrays, routes, the dependency graph and its components.
- *certificate*: from the same `Topology` under `bgp` with RFC 7938 ASNs, whatever fails.
- *sweep*: all single-link failures of k = 16, each set worked out and by symmetry, from the
  network as arrays.

CPU seconds of that work, each in a process of its own, without imports and without making the
topology; best of `--rounds` (3). MiB: peak of the whole process, with the topology. Growth: against
the line before. `--peer`: ibdmchk on the fabric of k = 24 in the same run, and the ratio.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.deadlock import DeadlockVerdict

    Said = dict[str, float]

RADICES = (16, 24, 32, 48, 74)
PEER_RADIX, SWEEP_RADIX, CERTIFICATE_RADIX = 24, 16, 74


def exact(k: int) -> Said:
    """Topology to verdict; the edges are held against their closed form (validation 1.5)."""
    from fat_tree import fat_tree  # noqa: PLC0415

    from fabric.analysis import deadlock  # noqa: PLC0415
    from fabric.analysis.network import of_topology  # noqa: PLC0415
    from fabric.analysis.routing.shortest import spf  # noqa: PLC0415

    topology = fat_tree(k)
    started = time.process_time()
    proof = deadlock.prove(spf(of_topology(topology)))
    cbd, edges = proof.cbd, proof.edges
    used = time.process_time() - started
    half = k // 2
    known = half * k * (2 * half**2 + half * (half - 1)) + half * half * k * (k - 1)
    if cbd or edges != known:
        msg = f"k={k}: CBD {cbd}, {edges} edges instead of {known}"
        raise RuntimeError(msg)
    return {"cpu_s": used, "edges": edges, "endpoints": k * half * half}


def certificate(k: int) -> Said:
    """Topology and ASNs to the argument why no failure can make a cycle."""
    from fat_tree import fat_tree, rfc7938  # noqa: PLC0415

    from fabric.analysis.certificate import turn_certificate  # noqa: PLC0415

    topology = fat_tree(k)
    underlay = rfc7938(topology)
    started = time.process_time()
    found = turn_certificate(topology, underlay)
    used = time.process_time() - started
    if found is None or not found.survives_failures:
        raise RuntimeError(found)
    return {"cpu_s": used}


def valleys(k: int) -> Said:
    """Topology to the argument for shortest paths as they are."""
    from fat_tree import fat_tree  # noqa: PLC0415

    from fabric.analysis.valleys import valley_certificate  # noqa: PLC0415

    topology = fat_tree(k)
    started = time.process_time()
    found = valley_certificate(topology)
    used = time.process_time() - started
    if found is None:
        raise RuntimeError(found)
    return {"cpu_s": used}


def sweep(k: int, routing: str, *, by_symmetry: bool) -> Said:
    """All single links."""
    from fat_tree import fat_tree, rfc7938  # noqa: PLC0415

    from fabric.analysis import priorities  # noqa: PLC0415
    from fabric.analysis.network import of_topology  # noqa: PLC0415
    from fabric.analysis.routing import bgp, models  # noqa: PLC0415
    from fabric.analysis.sweep import Sweep  # noqa: PLC0415

    topology = fat_tree(k)
    network = of_topology(topology)
    rules = bgp.BgpRules.of(rfc7938(topology), network)
    started = time.process_time()
    model = models.Spf(network) if routing == "spf" else models.Bgp(network, rules)
    run = Sweep(model, priorities.none(network), _unasked, by_symmetry=by_symmetry)
    found = run.cables(1)
    used = time.process_time() - started
    if (found.sets, found.with_cbd, found.with_unreachable) != (k**3 // 2, 0, 0):
        raise RuntimeError(found)
    return {"cpu_s": used, "sets": found.sets, "worked_out": found.worked_out}


def _unasked(cables: tuple[str, ...], switches: tuple[str, ...]) -> DeadlockVerdict:
    raise RuntimeError(cables, switches)


JOBS: dict[str, Callable[[], Said]] = {
    **{f"exact {k}": partial(exact, k) for k in RADICES},
    "certificate": lambda: certificate(CERTIFICATE_RADIX),
    "valleys": lambda: valleys(CERTIFICATE_RADIX),
    "spf, each": lambda: sweep(SWEEP_RADIX, "spf", by_symmetry=False),
    "spf, orbits": lambda: sweep(SWEEP_RADIX, "spf", by_symmetry=True),
    "bgp, each": lambda: sweep(SWEEP_RADIX, "bgp", by_symmetry=False),
    "bgp, orbits": lambda: sweep(SWEEP_RADIX, "bgp", by_symmetry=True),
}


def best(job: str, rounds: int) -> Said:
    """The round of the fewest CPU seconds, each in a process of its own."""
    command = (sys.executable, str(Path(__file__).resolve()), "--job", job)
    said = [json.loads(subprocess.check_output(command, text=True)) for _ in range(rounds)]
    return min(said, key=lambda one: one["cpu_s"])


def main() -> None:
    """Print one line a case."""
    if "--job" in sys.argv:
        said = JOBS[sys.argv[sys.argv.index("--job") + 1]]()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(json.dumps({**said, "peak_mib": peak}))
        return
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 3
    whole = _exact_lines(rounds)
    for name, words in (("certificate", "whatever fails"), ("valleys", "this state, spf")):
        said = best(name, rounds)
        label = f"certificate, k = {CERTIFICATE_RADIX} ({words})"
        print(f"{label:<42} {said['cpu_s']:7.2f} CPU s {said['peak_mib']:6.0f} MiB", flush=True)
    for name in ("spf, each", "spf, orbits", "bgp, each", "bgp, orbits"):
        said = best(name, rounds)
        label = f"{said['sets']:,} links, k = {SWEEP_RADIX}, {name} ({said['worked_out']:,})"
        print(f"{label:<42} {said['cpu_s']:7.2f} CPU s {said['peak_mib']:6.0f} MiB", flush=True)
    if "--peer" in sys.argv:
        _peer_line(whole)
    print(
        f"load average {os.getloadavg()[0]:.1f}, best of {rounds}, Python {sys.version.split()[0]}"
    )


def _exact_lines(rounds: int) -> dict[int, float]:
    print(f"{'exact, k':<10} {'endpoints':>9} {'edges':>12} {'CPU s':>7} {'MiB':>6}  growth")
    seconds: dict[int, float] = {}
    before: Said = {}
    for k in RADICES:
        said = best(f"exact {k}", rounds)
        seconds[k] = said["cpu_s"]
        growth = (
            f"endpoints ×{said['endpoints'] / before['endpoints']:.1f}, edges "
            f"×{said['edges'] / before['edges']:.1f}, CPU ×{said['cpu_s'] / before['cpu_s']:.1f}"
            if before
            else ""
        )
        print(
            f"{k:<10} {said['endpoints']:>9,} {said['edges']:>12,} {said['cpu_s']:7.2f} "
            f"{said['peak_mib']:6.0f}  {growth}",
            flush=True,
        )
        before = said
    return seconds


def _peer_line(ours: dict[int, float]) -> None:
    try:
        from peer_ibdmchk import ibdmchk  # noqa: PLC0415 — with its programs only here
    except ImportError as error:
        print(f"no peer: {error}")
        return
    try:
        peer = ibdmchk(PEER_RADIX)
    except RuntimeError as error:
        print(f"no peer: {error}")
        return
    print(
        f"ibdmchk, k = {PEER_RADIX}: {peer.cpu_seconds:.2f} CPU s, one path of each pair of "
        f"endpoints; {peer.cpu_seconds / ours[PEER_RADIX]:.0f} times as long"
    )


if __name__ == "__main__":
    main()
