"""Small random fabrics, most with leaves alike, and random failures and BGP speakers on them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from random import Random
from typing import TYPE_CHECKING

import numpy as np
from hypothesis import strategies as st

from fabric.analysis.network import Cable, Network, Node, numbered
from fabric.analysis.routing.bgp import BgpRules
from tests.analysis.reference import Fabric, failed
from tests.analysis.reference_routing import Speaker

if TYPE_CHECKING:
    from collections.abc import Callable

    Pairs = list[tuple[str, str, str]]
    Shape = Callable[[Random], tuple[list[Node], Pairs]]

KINDS = ("cable", "other")
COMMUNITIES = ("red", "blue")
SEEDS = st.integers(0, 2**32 - 1)


@dataclass(frozen=True)
class Case:
    """A fabric after its failures, for the reference and the engine; ``whole``: before them."""

    fabric: Fabric
    network: Network
    whole: Fabric

    def __str__(self) -> str:
        cables = " ".join(f"{c.a}–{c.b}/{c.kind}" for c in self.fabric.cables)
        return f"{self.fabric.nodes} without {sorted(self.fabric.dead)}: {cables}"


def seeded(seed: int) -> Random:
    return Random(seed)  # noqa: S311 — repeatable on purpose


def whole(random: Random, shape: Shape | None = None) -> Network:
    """A fabric without failures."""
    nodes, cables = _wired(random, shape)
    return Network.of(nodes, cables)


def case(random: Random, shape: Shape | None = None) -> Case:
    """A fabric of some shape, switches and cables in any order, whole or with failures."""
    nodes, cables = _wired(random, shape)
    before = fabric = Fabric(nodes, cables)
    network = Network.of(nodes, cables)
    if random.random() < 0.6:
        cut = random.sample([c.id for c in cables], min(len(cables), random.randint(0, 4)))
        dead = [node.name for node in nodes if random.random() < 0.08]
        fabric = failed(fabric, frozenset(cut), frozenset(dead))
        network = network.without(cut, dead)
    return Case(fabric, network, before)


def _wired(random: Random, shape: Shape | None) -> tuple[list[Node], list[Cable]]:
    shapes = (_tree, _clos, _alike, _alike, _ring, _anything, groups)
    nodes, pairs = (shape or random.choice(shapes))(random)
    random.shuffle(nodes)
    random.shuffle(pairs)
    cables = numbered(
        (b, a, kind) if random.random() < 0.5 else (a, b, kind) for a, b, kind in pairs
    )
    return nodes, cables


def _kind(random: Random) -> str:
    return random.choices(KINDS, (4, 1))[0]


def _group(random: Random) -> str:
    return f"group {random.randint(0, 2)}"


def _tree(random: Random) -> tuple[list[Node], Pairs]:
    size = random.randint(2, 12)
    depth, pairs = [0], []
    for n in range(1, size):
        parent = random.randrange(max(0, n - 4), n)
        depth.append(depth[parent] + 1)
        pairs += [(f"t{n}", f"t{parent}", _kind(random))] * random.choice((1, 1, 2))
    nodes = [
        Node(f"t{n}", random.randint(0, 2), max(depth) - depth[n], _group(random))
        for n in range(size)
    ]
    return nodes, pairs


def _clos(random: Random) -> tuple[list[Node], Pairs]:
    """Pods of leaves and spines, perhaps under cores; some cables lack, some stay in a tier."""
    pods, leaves, spines = random.choice((1, 1, 2, 3)), random.randint(2, 4), random.randint(1, 3)
    cores = random.randint(1, 3) if pods > 1 else 0
    nodes, pairs = [], []
    for pod in range(pods):
        down = [f"l{pod}.{n}" for n in range(leaves)]
        up = [f"s{pod}.{n}" for n in range(spines)]
        nodes += [Node(name, 1, 0, f"group {pod}") for name in down]
        nodes += [Node(name, 0, 1, f"group {pod}") for name in up]
        pairs += [(a, b, "cable") for a in down for b in up]
        pairs += [(b, f"c{n}", "other") for b in up for n in range(cores)]
    nodes += [Node(f"c{n}", 0, 2, "group core") for n in range(cores)]
    pairs = [pair for pair in pairs for _ in range(random.choice((1, 1, 1, 2)))]
    random.shuffle(pairs)
    pairs = pairs[random.choice((0, 0, 1, 2, 3)) :]
    for _ in range(random.choice((0, 0, 1, 3))):
        tier = random.choice((0, 1))
        beside = [node.name for node in nodes if node.tier == tier]
        if len(beside) > 1:
            pairs.append((*_two(random, beside), _kind(random)))
    return nodes, pairs


def _two(random: Random, names: list[str]) -> tuple[str, str]:
    one, two = random.sample(names, 2)
    return one, two


def _alike(random: Random) -> tuple[list[Node], Pairs]:
    """Classes of leaves with the same neighbours on a random core."""
    core = [f"c{n}" for n in range(random.randint(1, 5))]
    nodes = [
        Node(name, random.choice((0, 0, 1)), random.choice((1, 2)), _group(random)) for name in core
    ]
    pairs = [(a, b, _kind(random)) for a, b in combinations(core, 2) if random.random() < 0.4]
    for label in "uvwx"[: random.randint(1, 4)]:
        near = [(name, _kind(random)) for name in core if random.random() < 0.6]
        near += [(random.choice(core), _kind(random))]
        tier, group = random.choice((0, 0, 1)), _group(random)
        for n in range(random.randint(1, 4)):
            nodes.append(Node(f"{label}{n}", 1, tier, group))
            for name, kind in near:
                pairs += [(f"{label}{n}", name, kind)] * random.choice((1, 1, 2))
    return nodes, pairs


def _ring(random: Random) -> tuple[list[Node], Pairs]:
    size = random.randint(3, 9)
    nodes = [
        Node(f"r{n}", random.choice((0, 1, 1)), random.randint(0, 1), _group(random))
        for n in range(size)
    ]
    pairs = [(f"r{n}", f"r{(n + 1) % size}", _kind(random)) for n in range(size)]
    names = [node.name for node in nodes]
    pairs += [(*_two(random, names), _kind(random)) for _ in range(random.choice((0, 0, 1, 2)))]
    return nodes, pairs


def _anything(random: Random) -> tuple[list[Node], Pairs]:
    nodes = [
        Node(f"n{n}", random.choice((0, 1, 1)), random.randint(0, 2), _group(random))
        for n in range(random.randint(2, 9))
    ]
    names = [node.name for node in nodes]
    count = random.randint(0, 2 * len(nodes))
    return nodes, [(*_two(random, names), _kind(random)) for _ in range(count)]


def groups(random: Random) -> tuple[list[Node], Pairs]:
    """A dragonfly with holes in it."""
    groups, routers = random.randint(2, 5), random.randint(1, 4)
    names = [[f"g{i}.{r}" for r in range(routers)] for i in range(groups)]
    nodes = [
        Node(name, random.choice((0, 1, 1, 1)), 0, f"group {i}")
        for i, row in enumerate(names)
        for name in row
    ]
    pairs = [
        (a, b, "local") for row in names for a, b in combinations(row, 2) if random.random() < 0.9
    ]
    for one, two in combinations(names, 2):
        pairs += [
            (random.choice(one), random.choice(two), "global")
            for _ in range(random.choice((0, 1, 1, 1, 2)))
        ]
    return nodes, pairs


def speakers(random: Random, case: Case) -> dict[str, Speaker]:
    """What runs on each switch; the leaves of a class are often configured alike."""
    policies = random.random() < 0.4
    kinds = case.network.kinds
    style = random.choice(("unique", "few", "tiers", "classes"))

    def one(asn: int) -> Speaker:
        tags: tuple[tuple[str, str, bool], ...] = ()
        denied: tuple[tuple[str, str], ...] = ()
        if policies:
            tags = tuple(
                (kind, random.choice(COMMUNITIES), random.random() < 0.3)
                for kind in kinds
                if random.random() < 0.5
            )
            denied = tuple(
                (kind, random.choice(COMMUNITIES)) for kind in kinds if random.random() < 0.4
            )
        return Speaker(asn, random.choice((0, 0, 0, 1, 2)), random.random() < 0.7, tags, denied)

    shared = {name[0]: one(0) for name in case.fabric.names}
    found = {}
    for number, node in enumerate(case.fabric.nodes):
        asn = {
            "unique": 100 + number,
            "few": random.randint(1, 3),
            "tiers": 100 + number if node.tier == 0 else node.tier,
            "classes": ord(node.name[0]),
        }[style]
        if random.random() < 0.1:
            asn = 100 + number
        found[node.name] = (
            one(asn) if random.random() < 0.2 else shared[node.name[0]]._replace(asn=asn)
        )
    return found


def rules(network: Network, by_name: dict[str, Speaker]) -> BgpRules:
    """The same as the engine takes it."""
    listed = [by_name[name] for name in network.names]
    bit = {community: 1 << n for n, community in enumerate(COMMUNITIES)}
    tag = np.zeros((len(listed), len(network.kinds)), dtype=np.int64)
    keeps, denied = tag - 1, tag.copy()
    for n, speaker in enumerate(listed):
        for kind, community, alone in speaker.tags:
            tag[n, network.kinds.index(kind)] = bit[community]
            keeps[n, network.kinds.index(kind)] = 0 if alone else -1
        for kind, community in speaker.denied:
            denied[n, network.kinds.index(kind)] = bit[community]
    return BgpRules(
        asn=np.array([s.asn for s in listed], dtype=np.int64),
        own_asn_allowed=np.array([s.own_asn_allowed for s in listed], dtype=np.int64),
        relax=np.array([s.relax for s in listed], dtype=np.bool_),
        max_paths=np.full(len(listed), 64, dtype=np.int64),
        tag=tag,
        keeps=keeps,
        denied=denied,
    )
