"""What a lab costs here: `python benchmarks/lab.py [INVENTORY…]`, as root.

Without an inventory: the leaf-spine of inventories/leafspine-lab.yaml and a k=4 fat-tree (20
switches, 16 hosts). Prints seconds to build, to wait for BGP and LLDP, from a cable down to the
last right table, and to take down; and the memory of a switch and a host (proportional share).
Other work stretches all times: the load average stands beside them.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from fabric import flow  # noqa: E402 — the checkout's own
from fabric.analysis import bits  # noqa: E402
from fabric.analysis.network import of_topology  # noqa: E402
from fabric.analysis.routing.bgp import BgpRules, bgp  # noqa: E402
from fabric.live.lab import build, faults, nodes, observe, ready  # noqa: E402

FAT_TREE = """\
fabric: bench-ft4
topology: {kind: fat-tree, k: 4}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-16]", nics: 1, speed: 100, netdevs: [eth1]}
addressing: {links: unnumbered}
"""
WAIT_S = 120


def memory_mib(of: object) -> float:
    """Proportional share of all processes of one node."""
    total = 0
    for pid in nodes.processes([of.namespace]):
        for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                total += int(line.split()[1])
    return total / 1024


def wanted(design: object, down: tuple[str, ...] = ()) -> dict[tuple[str, str], frozenset[str]]:
    """(switch, leaf) → neighbours, by the model."""
    network = of_topology(design.topology).without(down)
    found = bgp(network, BgpRules.of(design.underlay, network))
    leaves = [network.names[n] for n in found.destinations]
    ways = {(a, b): set() for a in network.names for b in leaves if a != b}
    for arc, row in enumerate(bits.unpacked(found.rows, len(leaves))):
        for leaf, used in zip(leaves, row, strict=True):
            tail = network.names[network.tail[arc]]
            if used and tail != leaf:
                ways[tail, leaf].add(network.names[network.head[arc]])
    return {pair: frozenset(to) for pair, to in ways.items()}


def settle_s(layout: object, model: dict[tuple[str, str], frozenset[str]]) -> float:
    """Seconds until every table is the model's; it takes one look at all tables at least."""
    start = time.monotonic()
    while time.monotonic() - start < WAIT_S:
        tables = observe.tables(layout)
        if all(
            tables[switch].get(layout.node(leaf).prefixes[-1], frozenset()) == to
            for (switch, leaf), to in model.items()
        ):
            return time.monotonic() - start
    return float("inf")


def measured(inventory: Path) -> None:
    """One lab, up and down."""
    derived = flow.derive(inventory)
    design = derived.design
    name = f"bench{os.getpid()}"
    start = time.monotonic()
    try:
        built = build.up(design, derived.roots, name=name, inventory=str(inventory))
        layout = built.layout
        up = time.monotonic() - start
        lacking = ready.wait(layout, WAIT_S)
        waited = time.monotonic() - start - up
        routes = settle_s(layout, wanted(design))
        cable = design.topology.fabric_links[0].id
        faults.inject(name, "link-down", (cable,))
        away = settle_s(layout, wanted(design, (cable,)))
        faults.repair(name, "link-down", (cable,))
        back = settle_s(layout, wanted(design))
        switch = sum(map(memory_mib, layout.switches)) / max(1, len(layout.switches))
        host = sum(map(memory_mib, layout.hosts)) / max(1, len(layout.hosts))
    finally:
        start = time.monotonic()
        build.down(name)
        down = time.monotonic() - start
    parts = ", ".join(f"{part} {seconds:.1f}" for part, seconds in built.seconds.items())
    load = os.getloadavg()[0]
    print(
        f"{design.intent.name}: {len(layout.switches)} switches, {len(layout.hosts)} hosts, "
        f"{len(layout.cables)} cables; load {load:.1f}, {os.cpu_count()} processors"
    )
    print(
        f"  up {up:.1f} s ({parts}); BGP and LLDP as planned {waited:.1f} s later, "
        f"{len(lacking)} missing; one look at all tables {routes:.1f} s"
    )
    print(
        f"  cable down → every table right {away:.1f} s, up again → {back:.1f} s; down {down:.1f} s"
    )
    print(f"  memory: {switch:.1f} MiB a switch, {host:.1f} MiB a host")


def main() -> None:
    """All inventories, one after the other."""
    named = [Path(word) for word in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as folder:
        fat_tree = Path(folder) / "ft4.yaml"
        fat_tree.write_text(FAT_TREE)
        for inventory in named or [ROOT / "inventories/leafspine-lab.yaml", fat_tree]:
            measured(inventory)


main()
