"""Bandwidth of k-ary fat-trees: `python benchmarks/bandwidth.py [--peer] [--rounds N]`.

- *samples*: random bisections, one flow a pair, each flow at 1 / (flows on its fullest link).
- *max-min*: exact fair rates of random bisections with 8 QPs a pair; 512 endpoints are 8 of the 16
  pods of k = 16, 101,306 all of k = 74.
- *θ*: max concurrent flow by linear program, uniform and shift, every endpoint of k = 16.
- *failures*: all single cables and switches of k = 16, one of each orbit: bisection, worst leaf,
  even-split θ of uniform traffic.

CPU seconds from a topology in memory to the figure, each in a process of its own, without imports
and without making the topology; best of `--rounds` (3). MiB: peak of the whole process. `--peer`:
networkx in the same run, for a few samples, scaled to as many as ours: `all_shortest_paths` of each
flow, one of them drawn, and the loads.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "benchmarks")]

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.bandwidth.paths import Ways
    from fabric.model.topology import Topology

    Said = dict[str, float]

SAMPLES = {16: 1000, 24: 1000}
PEER_SAMPLES = {16: 3, 24: 1}
FAILURE_RADIX = 16


def ways_of(topology: Topology) -> Ways:
    """Plant and shortest paths."""
    from fabric.analysis.bandwidth.paths import Ways  # noqa: PLC0415
    from fabric.analysis.bandwidth.plant import Plant  # noqa: PLC0415
    from fabric.analysis.routing.shortest import spf  # noqa: PLC0415

    plant = Plant.of(topology)
    return Ways(plant, spf(plant.bundled))


def sampled(k: int, samples: int) -> Said:
    """Random bisections by loads."""
    from fat_tree import fat_tree  # noqa: PLC0415

    from fabric.analysis.bandwidth.hashing import own_seeds  # noqa: PLC0415
    from fabric.analysis.bandwidth.sampling import loaded  # noqa: PLC0415

    topology = fat_tree(k)
    started = time.process_time()
    ways = ways_of(topology)
    seeds = own_seeds(len(ways.plant.network.names))
    means = loaded(ways, seeds, samples=samples)
    used = time.process_time() - started
    return {"cpu_s": used, "endpoints": len(ways.plant), "mean": float(means.mean())}


def networkx_paths(k: int, samples: int) -> Said:
    """The same by networkx: one of all shortest paths of each flow, and the flows on each link."""
    import networkx as nx  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415
    from fat_tree import fat_tree  # noqa: PLC0415

    topology = fat_tree(k)
    started = time.process_time()
    graph = nx.Graph((x.a.device, x.b.device) for x in topology.fabric_links)
    leaves = [link.b.device for link in topology.host_links]
    random = np.random.default_rng(1)
    means = []
    for _ in range(samples):
        order = random.permutation(len(leaves)).reshape(2, -1)
        ends = [(leaves[a], leaves[b]) for a, b in zip(*order.tolist(), strict=True)]
        ends += [(b, a) for a, b in ends]
        every = [list(nx.all_shortest_paths(graph, a, b)) for a, b in ends]
        links = [list(pairwise(paths[random.integers(len(paths))])) for paths in every]
        load = Counter(link for path in links for link in path)
        rates = [1 / max((load[link] for link in path), default=1) for path in links]
        means.append(sum(rates) / len(rates))
    used = time.process_time() - started
    return {"cpu_s": used, "mean": sum(means) / samples}


def fair(k: int, pods: int, trials: int) -> Said:
    """Max-min rates, 8 QPs a pair."""
    from fat_tree import fat_tree  # noqa: PLC0415

    from fabric.analysis.bandwidth.effective import Load, effective  # noqa: PLC0415
    from fabric.analysis.bandwidth.hashing import own_seeds  # noqa: PLC0415
    from fabric.analysis.bandwidth.placing import Hashed  # noqa: PLC0415

    topology = fat_tree(k, pods=pods)
    started = time.process_time()
    ways = ways_of(topology)
    placer = Hashed(ways, own_seeds(len(ways.plant.network.names)))
    found = effective(ways.plant, placer, Load(8, trials=trials), "ecmp")
    used = time.process_time() - started
    return {"cpu_s": used, "endpoints": len(ways.plant), "mean": found.mean}


def theta(k: int, kind: str) -> Said:
    """One linear program; of the full tree both values have a closed form."""
    from fat_tree import fat_tree  # noqa: PLC0415

    from fabric.analysis.bandwidth import demand  # noqa: PLC0415
    from fabric.analysis.bandwidth.plant import Plant  # noqa: PLC0415
    from fabric.analysis.bandwidth.throughput import best_theta  # noqa: PLC0415

    topology = fat_tree(k)
    started = time.process_time()
    plant = Plant.of(topology)
    matrix = demand.uniform(plant) if kind == "uniform" else demand.shift(plant)
    found = best_theta(plant, matrix, time_limit_s=600)
    used = time.process_time() - started
    count, pod = k**3 // 4, k * k // 4
    # An edge's uplinks carry (N − k/2) / (N − 1) of a NIC each, those of a pod (N − pod) / (N − 1).
    known = (count - 1) / max(count - k // 2, count - pod) if kind == "uniform" else 1.0
    if abs(found - known) > 1e-6:  # noqa: PLR2004 — the solver's own
        raise RuntimeError(found, known)
    return {"cpu_s": used, "mean": found}


def failures(k: int) -> Said:
    """Every single cable and switch, one of each orbit."""
    from fat_tree import fat_tree  # noqa: PLC0415

    from fabric.analysis import failure_sets, priorities  # noqa: PLC0415
    from fabric.analysis.network import of_topology  # noqa: PLC0415
    from fabric.analysis.orbits import Symmetry  # noqa: PLC0415
    from fabric.analysis.routing.models import Spf  # noqa: PLC0415

    topology = fat_tree(k)
    started = time.process_time()
    network = of_topology(topology)
    symmetry = Symmetry(network, Spf(network).seen(), priorities.none(network).way)
    sets = failure_sets.single_cables(network, symmetry)
    sets += failure_sets.single_switches(network, symmetry)
    worst = min(_failed(topology, *failed.names(network)) for failed in sets)
    used = time.process_time() - started
    stands_for = sum(failed.twice for failed in sets) // 2
    return {"cpu_s": used, "sets": stands_for, "worked_out": len(sets), "mean": worst}


def _failed(topology: Topology, cables: tuple[str, ...], switches: tuple[str, ...]) -> float:
    """Ratio of the bisection, after the others."""
    from fabric.analysis.bandwidth import demand  # noqa: PLC0415
    from fabric.analysis.bandwidth.bisection import bisection  # noqa: PLC0415
    from fabric.analysis.bandwidth.paths import Ways  # noqa: PLC0415
    from fabric.analysis.bandwidth.plant import Plant  # noqa: PLC0415
    from fabric.analysis.bandwidth.throughput import even_theta  # noqa: PLC0415
    from fabric.analysis.bandwidth.worst import worst_leaf  # noqa: PLC0415
    from fabric.analysis.routing.shortest import spf  # noqa: PLC0415

    plant = Plant.of(topology, cables, switches)
    ports = len(topology.links_of(switches[0])) if switches else 1
    whole = len(topology.host_links) / 2
    worst_leaf(plant)
    even_theta(Ways(plant, spf(plant.bundled)), demand.uniform(plant))
    return bisection(plant, known=(whole - ports, float("inf"))).ratio


JOBS: dict[str, Callable[[], Said]] = {
    **{f"samples {k}": partial(sampled, k, count) for k, count in SAMPLES.items()},
    **{f"networkx {k}": partial(networkx_paths, k, count) for k, count in PEER_SAMPLES.items()},
    "max-min 512": partial(fair, 16, 8, 100),
    "max-min 101,306": partial(fair, 74, 74, 1),
    "θ uniform": partial(theta, 16, "uniform"),
    "θ shift": partial(theta, 16, "shift"),
    "failures": partial(failures, FAILURE_RADIX),
}
TITLES = {
    "max-min 512": "max-min, 512 endpoints × 8 QPs, 100 trials",
    "max-min 101,306": "max-min, 101,306 endpoints × 8 QPs, 1 trial",
    "θ uniform": "θ by LP, k = 16, uniform",
    "θ shift": "θ by LP, k = 16, shift",
}


def best(job: str, rounds: int) -> Said:
    """The round of the fewest CPU seconds, each in a process of its own."""
    command = (sys.executable, str(Path(__file__).resolve()), "--job", job)
    said = [json.loads(subprocess.check_output(command, text=True)) for _ in range(rounds)]
    return min(said, key=lambda one: one["cpu_s"])


def line(title: str, said: Said, more: str = "") -> None:
    """One case; the figure itself last."""
    print(
        f"{title:<48} {said['cpu_s']:7.2f} CPU s {said['peak_mib']:6.0f} MiB  "
        f"{said['mean']:.4f}{more}",
        flush=True,
    )


def main() -> None:
    """Print one line a case."""
    if "--job" in sys.argv:
        said = JOBS[sys.argv[sys.argv.index("--job") + 1]]()
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        sys.stdout.write(json.dumps({**said, "peak_mib": peak}))
        return
    rounds = int(sys.argv[sys.argv.index("--rounds") + 1]) if "--rounds" in sys.argv else 3
    for k, count in SAMPLES.items():
        ours = best(f"samples {k}", rounds)
        line(f"{count:,} samples, {ours['endpoints']:,} endpoints", ours)
        if "--peer" in sys.argv:
            few = PEER_SAMPLES[k]
            peer = best(f"networkx {k}", 1)
            times = peer["cpu_s"] / few * count / ours["cpu_s"]
            line(f"  networkx, {few} of them", peer, f"; {times:,.0f} times as long a sample")
    for job, title in TITLES.items():
        line(title, best(job, rounds))
    said = best("failures", rounds)
    title = f"{said['sets']:,} single failures, k = {FAILURE_RADIX}, by {said['worked_out']}"
    line(title, said, " the least bisection ratio")
    print(
        f"load average {os.getloadavg()[0]:.1f}, best of {rounds}, Python {sys.version.split()[0]}"
    )


if __name__ == "__main__":
    main()
