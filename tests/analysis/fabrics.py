"""The fabrics of validation.md 1.5, by the names that it gives them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fabric.analysis.network import Cable, Network, Node, numbered
from fabric.analysis.routing.bgp import BgpRules

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

LEAF, SPINE, CORE = 0, 1, 2


def leaf_spine(leaves: int, spines: int, more: Iterable[tuple[str, str]] = ()) -> Network:
    """``ls L×S``: leaves l0 …, spines s0 …, one cable a pair; ``more``: cables besides."""
    nodes = [Node(f"l{i}", 1, LEAF) for i in range(leaves)]
    nodes += [Node(f"s{j}", 0, SPINE) for j in range(spines)]
    pairs = [(f"l{i}", f"s{j}", "cable") for i in range(leaves) for j in range(spines)]
    return Network.of(nodes, numbered([*pairs, *((a, b, "cable") for a, b in more)]))


def fat_tree(k: int) -> Network:
    """``ft k``: edges e{pod}.{n}, aggregations a{pod}.{plane}, cores c{plane}.{n}."""
    half = range(k // 2)
    nodes = [Node(f"e{pod}.{n}", k // 2, LEAF, f"pod {pod}") for pod in range(k) for n in half]
    nodes += [Node(f"a{pod}.{j}", 0, SPINE, f"pod {pod}") for pod in range(k) for j in half]
    nodes += [Node(f"c{j}.{n}", 0, CORE, "core") for j in half for n in half]
    pairs = [
        pair
        for pod in range(k)
        for j in half
        for n in half
        for pair in (
            (f"e{pod}.{n}", f"a{pod}.{j}", "cable"),
            (f"a{pod}.{j}", f"c{j}.{n}", "cable"),
        )
    ]
    return Network.of(nodes, numbered(pairs))


def ring(size: int) -> Network:
    nodes = [Node(f"r{i}", 1) for i in range(size)]
    return Network.of(
        nodes, numbered((f"r{i}", f"r{(i + 1) % size}", "cable") for i in range(size))
    )


def grid(rows: int, columns: int, *, torus: bool) -> Network:
    """Mesh or torus, the cables of the first dimension first, in order along each ring."""
    nodes = [Node(f"x{x}y{y}", 1) for y in range(columns) for x in range(rows)]
    along_x = [
        (f"x{x}y{y}", f"x{(x + 1) % rows}y{y}", "cable")
        for y in range(columns)
        for x in range(rows if torus else rows - 1)
    ]
    along_y = [
        (f"x{x}y{y}", f"x{x}y{(y + 1) % columns}", "cable")
        for x in range(rows)
        for y in range(columns if torus else columns - 1)
    ]
    return Network.of(nodes, numbered([*along_x, *along_y]))


def dragonfly(p: int, a: int, h: int, g: int, *, in_turn: bool = False) -> Network:
    """``df(p,a,h,g)`` with ⌊a·h/(g−1)⌋ cables a group pair; routers g{group}.{n}.

    Consecutive arrangement: global port n of a group belongs to router ⌊n/h⌋ and leads, one group
    after the other without its own, round by round; ``in_turn``: it belongs to router n mod a.
    """
    nodes = [Node(f"g{i}.{r}", p, 0, f"group {i}") for i in range(g) for r in range(a)]
    pairs = [
        (f"g{i}.{r}", f"g{i}.{s}", "local") for i in range(g) for r in range(a) for s in range(r)
    ]

    def router(group: int, other: int, turn: int) -> str:
        port = turn * (g - 1) + (other if other < group else other - 1)
        return f"g{group}.{port % a if in_turn else port // h}"

    pairs += [
        (router(i, j, turn), router(j, i, turn), "global")
        for turn in range(a * h // (g - 1))
        for j in range(g)
        for i in range(j)
    ]
    return Network.of(nodes, numbered(pairs))


def cut(network: Network, *pairs: str) -> Network:
    """Without the first cable between each two, written ``l0–s1``."""
    wanted = [frozenset(pair.split("–")) for pair in pairs]
    ids = {frozenset((c.a, c.b)): c.id for cables in reversed(network.cables) for c in cables[::-1]}
    return network.without([ids[pair] for pair in wanted])


def cable_ids(network: Network) -> list[str]:
    return [cable.id for cables in network.cables for cable in cables]


def bgp_rules(
    network: Network, asn: Mapping[str, int], *, own_asn_allowed: int = 0, relax: bool = True
) -> BgpRules:
    """eBGP with these ASNs and no policy."""
    size = len(network.names)
    none = np.zeros((size, len(network.kinds)), dtype=np.int64)
    return BgpRules(
        asn=np.array([asn[name] for name in network.names], dtype=np.int64),
        own_asn_allowed=np.full(size, own_asn_allowed, dtype=np.int64),
        relax=np.full(size, relax, dtype=np.bool_),
        max_paths=np.full(size, 64, dtype=np.int64),
        tag=none,
        keeps=~none,
        denied=none,
    )


def rfc7938(network: Network) -> dict[str, int]:
    """One ASN for the top tier, one for each pod's middle tier, one for each leaf."""
    top = int(network.tier.max())
    asn = {}
    for number, name in enumerate(network.names):
        tier = int(network.tier[number])
        pod = int(network.group[number])
        asn[name] = 1 if tier == top else 1000 + number if tier == LEAF else 100 + pod
    return asn


def relabelled(network: Network, nodes: list[int], cables: list[int]) -> Network:
    """The same fabric with its switches and its cables in another order, under other names."""
    old = [
        Node(
            name,
            int(network.endpoints[n]),
            int(network.tier[n]),
            None if network.group[n] < 0 else network.group_names[network.group[n]],
        )
        for n, name in enumerate(network.names)
    ]
    name_of = {old[n].name: f"n{place}" for place, n in enumerate(nodes)}
    wires = [cable for bundle in network.cables for cable in bundle]
    return Network.of(
        [old[n]._replace(name=name_of[old[n].name]) for n in nodes],
        [
            Cable(f"w{place}", name_of[wires[n].b], name_of[wires[n].a], wires[n].kind)
            for place, n in enumerate(cables)
        ],
    )
