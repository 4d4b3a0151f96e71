"""Small fabrics by hand, named as in the truth table of validation 1.5."""

from __future__ import annotations

from fabric.analysis.network import Network, Node, numbered

COMPLEMENTARY = ("l0:s1:1", "l1:s0:1")
SAME_POD = ("a0.0:e0.0:1", "a0.1:e0.1:1")
TWO_PODS = ("a0.0:e0.0:1", "a1.1:e1.0:1")


def ring(size: int, endpoints: int = 1) -> Network:
    return Network.of(
        [Node(f"r{n}", endpoints) for n in range(size)],
        numbered((f"r{n}", f"r{(n + 1) % size}", "cable") for n in range(size)),
    )


def leaf_spine(
    leaves: int, spines: int, endpoints: int = 2, beside: tuple[tuple[str, str], ...] = ()
) -> Network:
    nodes = [Node(f"l{n}", endpoints, 0) for n in range(leaves)]
    nodes += [Node(f"s{n}", 0, 1) for n in range(spines)]
    up = [(f"l{i}", f"s{j}", "leaf-spine") for i in range(leaves) for j in range(spines)]
    return Network.of(nodes, numbered([*up, *((a, b, "same-tier") for a, b in beside)]))


def leaf_ring() -> Network:
    around = tuple((f"l{n}", f"l{(n + 1) % 4}") for n in range(4))
    return leaf_spine(4, 2, beside=around)


def fat_tree(k: int) -> Network:
    half = k // 2
    pods, places = range(k), range(half)
    nodes = [Node(f"e{p}.{n}", half, 0, str(p)) for p in pods for n in places]
    nodes += [Node(f"a{p}.{n}", 0, 1, str(p)) for p in pods for n in places]
    nodes += [Node(f"c{n}", 0, 2) for n in range(half * half)]
    cables = [(f"e{p}.{i}", f"a{p}.{j}", "edge-agg") for p in pods for i in places for j in places]
    cables += [
        (f"a{p}.{i}", f"c{i * half + j}", "agg-core") for p in pods for i in places for j in places
    ]
    return Network.of(nodes, numbered(cables))


def grid(size: int, *, torus: bool) -> Network:
    places = [(x, y) for x in range(size) for y in range(size)]
    ends = [(at, ((at[0] + 1) % size, at[1])) for at in places if torus or at[0] + 1 < size]
    ends += [(at, (at[0], (at[1] + 1) % size)) for at in places if torus or at[1] + 1 < size]
    return Network.of(
        [Node(f"t{x}.{y}", 1) for x, y in places],
        numbered((f"t{a[0]}.{a[1]}", f"t{b[0]}.{b[1]}", "cable") for a, b in ends),
    )


def dragonfly(p: int, a: int, h: int, g: int) -> Network:
    """⌊a·h / (g − 1)⌋ cables a group pair; ports are dealt to routers in turn, consecutively."""
    links = a * h // (g - 1)
    routers = range(a)
    cables = [
        (f"g{n}.{x}", f"g{n}.{y}", "local")
        for n in range(g)
        for x in routers
        for y in routers[x + 1 :]
    ]
    used = [0] * g
    for one in range(g):
        for two in range(one + 1, g):
            for _ in range(links):
                ends = (f"g{one}.{used[one] // h}", f"g{two}.{used[two] // h}")
                cables.append((*ends, "global"))
                used[one] += 1
                used[two] += 1
    nodes = [Node(f"g{n}.{x}", p, 0, str(n)) for n in range(g) for x in routers]
    return Network.of(nodes, numbered(cables))
