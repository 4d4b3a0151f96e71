"""Fabrics for failure sweeps, built by hand so that no topology kind takes part."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np

from fabric.analysis.network import Cable, Network, Node, numbered
from fabric.analysis.routing.bgp import BgpRules

__all__ = ["Cable", "Network", "Node", "numbered"]


def seeded(seed: int) -> random.Random:
    return random.Random(seed)  # noqa: S311 — to be repeated


def fat_tree(k: int) -> Network:
    half = k // 2
    nodes = [Node(f"c{n}", 0, 2) for n in range(half * half)]
    pairs = []
    for pod in range(k):
        for i in range(half):
            nodes += [Node(f"e{pod}.{i}", half, 0), Node(f"a{pod}.{i}", 0, 1)]
            for j in range(half):
                pairs.append((f"e{pod}.{i}", f"a{pod}.{j}", "edge-agg"))
                pairs.append((f"a{pod}.{i}", f"c{i * half + j}", "agg-core"))
    return Network.of(nodes, numbered(pairs))


def leaf_spine(leaves: int, spines: int, parallel: int = 1) -> Network:
    nodes = [Node(f"l{n}", 2, 0) for n in range(leaves)] + [
        Node(f"s{n}", 0, 1) for n in range(spines)
    ]
    pairs = [
        (f"l{a}", f"s{b}", "leaf-spine")
        for a in range(leaves)
        for b in range(spines)
        for _ in range(parallel)
    ]
    return Network.of(nodes, numbered(pairs))


def ring(size: int) -> Network:
    nodes = [Node(f"r{n}", 1) for n in range(size)]
    pairs = [(f"r{n}", f"r{(n + 1) % size}", "ring") for n in range(size)]
    return Network.of(nodes, numbered(pairs))


def dragonfly(p: int, a: int, h: int, g: int) -> Network:
    """Routers in full meshes; global ports dealt to them in turn, consecutive arrangement."""
    nodes = [Node(f"r{n}.{i}", p, group=f"g{n}") for n in range(g) for i in range(a)]
    pairs = [
        (f"r{n}.{i}", f"r{n}.{j}", "local") for n in range(g) for i, j in combinations(range(a), 2)
    ]
    used = [0] * g
    per_pair = a * h // (g - 1)
    for one, two in combinations(range(g), 2):
        for _ in range(per_pair):
            ends = []
            for n in (one, two):
                ends.append(f"r{n}.{used[n] // h}")
                used[n] += 1
            pairs.append((ends[0], ends[1], "global"))
    return Network.of(nodes, numbered(pairs))


def with_leaf_ring(network: Network) -> Network:
    """Cables between the leaves of one tier, in a ring."""
    names = [network.names[n] for n in network.leaves]
    extra = [(a, b, "leaf-leaf") for a, b in zip(names, [*names[1:], names[0]], strict=True)]
    return rebuilt(network, [*cables(network), *numbered(extra)])


def cables(network: Network) -> list[Cable]:
    return [cable for bundle in network.cables for cable in bundle]


def nodes(network: Network) -> list[Node]:
    return [
        Node(
            name,
            int(network.endpoints[n]),
            int(network.tier[n]),
            network.group_names[network.group[n]] if network.group[n] >= 0 else None,
        )
        for n, name in enumerate(network.names)
    ]


def rebuilt(network: Network, some: list[Cable]) -> Network:
    return Network.of(nodes(network), some)


def uneven(rng: random.Random) -> Network:
    """A small fabric of two or three tiers with gaps, parallel and same-tier cables, or of none."""
    tiers = rng.choice([(5, 3), (4, 2), (4, 3, 2), (6, 4, 2), (6,)])
    names = [(tier, f"t{tier}.{n}") for tier, many in enumerate(tiers) for n in range(many)]
    pairs = []
    for (one, a), (two, b) in combinations(names, 2):
        chance = {0: 0.5 if len(tiers) == 1 else 0.1, 1: 0.8}.get(abs(one - two), 0.05)
        if rng.random() < chance:
            kind = "same" if one == two else f"{min(one, two)}-{max(one, two)}"
            pairs += [(a, b, kind)] * rng.choice([1, 1, 1, 2, 3])
    listed = [
        Node(
            name,
            int(tier == 0 or rng.random() < 0.1),
            tier if len(tiers) > 1 else -1,
            f"g{int(name.split('.')[1]) % 3}",
        )
        for tier, name in names
    ]
    return Network.of(listed, numbered(pairs))


def rules(network: Network, asn: list[int], **changes: object) -> BgpRules:
    """Rules without policies, with these ASNs."""
    size, kinds = len(network.names), len(network.kinds)
    none = np.zeros((size, kinds), dtype=np.int64)
    base = {
        "asn": np.array(asn, dtype=np.int64),
        "own_asn_allowed": np.zeros(size, dtype=np.int64),
        "relax": np.ones(size, dtype=np.bool_),
        "max_paths": np.full(size, 64),
        "tag": none,
        "keeps": ~none,
        "denied": none,
    }
    return BgpRules(**{**base, **changes})  # type: ignore[arg-type]


def rfc7938(network: Network, *, allowed: int = 0) -> BgpRules:
    """One ASN at the top, one for each pod's middle tier (``a3.0``: pod 3), one for each leaf."""
    top = int(network.tier.max())
    asn = []
    for n, name in enumerate(network.names):
        tier = int(network.tier[n])
        if tier == top:
            asn.append(64512)
        elif tier == 0:
            asn.append(65000 + n)
        else:
            asn.append(64600 + int(name[1:].split(".")[0]))
    return rules(network, asn).plain(own_asn_allowed=allowed)


def unique_asn(network: Network) -> BgpRules:
    return rules(network, list(range(65000, 65000 + len(network.names))))


def random_rules(network: Network, rng: random.Random) -> BgpRules:
    """Shared ASNs, policies by kind of cable, switches that only use equal AS paths."""
    size, kinds = len(network.names), len(network.kinds)
    pool = rng.choice([2, 4, 8, 30])
    draw = np.random.default_rng(rng.randrange(2**32))
    return rules(
        network,
        [65000 + rng.randrange(pool) for _ in range(size)],
        own_asn_allowed=draw.integers(0, 3, size),
        relax=draw.random(size) < rng.choice([1.0, 0.7, 0.0]),
        tag=draw.choice([0, 0, 0, 1, 2], (size, kinds)),
        keeps=draw.choice([0, -1, -1], (size, kinds)),
        denied=draw.choice([0, 0, 0, 1, 2], (size, kinds)),
    )


def shuffled(network: Network, rng: random.Random) -> Network:
    """The same fabric with its switches in another order."""
    listed = nodes(network)
    rng.shuffle(listed)
    some = cables(network)
    rng.shuffle(some)
    return Network.of(listed, some)
