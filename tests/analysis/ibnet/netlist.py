"""Fabrics as InfiniBand netlists: what ibsim simulates."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations, pairwise, product
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

Ports = dict[tuple[str, int], tuple[str, int]]


@dataclass(frozen=True)
class Fabric:
    """``hosts``: by switch, every one, how many hosts; ``cables``: (switch, switch, how many)."""

    hosts: Mapping[str, int]
    cables: tuple[tuple[str, str, int], ...]

    def ports(self) -> tuple[Ports, Ports]:
        """(switch, port) → far end: between switches, and to the hosts (whose port is 1).

        Ports are numbered from 1 in the order of ``cables``, then of the hosts.
        """
        used: defaultdict[str, int] = defaultdict(int)
        between: Ports = {}
        for a, b, count in self.cables:
            for _ in range(count):
                used[a] += 1
                used[b] += 1
                between[a, used[a]] = (b, used[b])
                between[b, used[b]] = (a, used[a])
        below: Ports = {}
        for switch, count in self.hosts.items():
            for host in range(count):
                used[switch] += 1
                below[switch, used[switch]] = (f"{switch}-h{host}", 1)
        return between, below

    def netlist(self) -> str:
        """The text that ibsim reads: a record for each switch and for each host."""
        between, below = self.ports()
        lines: defaultdict[str, list[str]] = defaultdict(list)
        for (switch, port), (far, far_port) in (between | below).items():
            lines[switch].append(f'[{port}]\t"{far}"[{far_port}]')
        records = [
            "\n".join((f'Switch\t{len(lines[switch])} "{switch}"', *lines[switch]))
            for switch in self.hosts
        ]
        records += [
            f'Hca\t1 "{host}"\n[1]\t"{switch}"[{port}]'
            for (switch, port), (host, _) in below.items()
        ]
        return "\n\n".join(records) + "\n"

    def without(self, *cables: tuple[str, str]) -> Fabric:
        """The same with the cables between these pairs cut, all of them."""
        gone = {frozenset(pair) for pair in cables}
        assert gone <= {frozenset((a, b)) for a, b, _ in self.cables}
        return Fabric(self.hosts, tuple(c for c in self.cables if frozenset(c[:2]) not in gone))


def ring(size: int) -> Fabric:
    names = [f"r{n}" for n in range(size)]
    cables = tuple((a, b, 1) for a, b in pairwise([*names, names[0]]))
    return Fabric(dict.fromkeys(names, 1), cables)


def leaf_spine(leaves: int, spines: int) -> Fabric:
    up, down = [f"s{n}" for n in range(spines)], [f"l{n}" for n in range(leaves)]
    return Fabric(
        {**dict.fromkeys(down, 2), **dict.fromkeys(up, 0)},
        tuple((leaf, spine, 1) for leaf, spine in product(down, up)),
    )


def fat_tree(k: int) -> Fabric:
    """Edge ``e<pod>.<n>``, aggregation ``a<pod>.<plane>``, core ``c<plane>.<n>``; k³/4 hosts."""
    half = range(k // 2)
    cables = [(f"e{p}.{e}", f"a{p}.{a}", 1) for p in range(k) for e, a in product(half, half)]
    cables += [(f"a{p}.{a}", f"c{a}.{c}", 1) for p in range(k) for a, c in product(half, half)]
    hosts = {f"e{p}.{e}": k // 2 for p in range(k) for e in half}
    hosts |= {f"a{p}.{a}": 0 for p in range(k) for a in half}
    hosts |= {f"c{a}.{c}": 0 for a, c in product(half, half)}
    return Fabric(hosts, tuple(cables))


def dragonfly(p: int, a: int, h: int, g: int) -> Fabric:
    """One global cable for each pair of groups, dealt to the routers in turn ("absolute")."""
    routers = [[f"g{group}.{n}" for n in range(a)] for group in range(g)]
    cables = [(x, y, 1) for group in routers for x, y in combinations(group, 2)]
    for one, two in combinations(range(g), 2):  # port j of group i: to group j, past i itself
        cables.append((routers[one][(two - 1) // h], routers[two][one // h], 1))
    return Fabric({name: p for group in routers for name in group}, tuple(cables))


def grid(rows: int, columns: int, *, wrapped: bool = False) -> Fabric:
    """A mesh, or a torus; cables along a row come first: for OpenSM the first dimension."""
    cables = []
    for over_row in (True, False):
        for r, c in product(range(rows), range(columns)):
            far = (r, c + 1) if over_row else (r + 1, c)
            if wrapped or (far[0] < rows and far[1] < columns):
                cables.append((f"m{r}.{c}", f"m{far[0] % rows}.{far[1] % columns}", 1))
    return Fabric({f"m{r}.{c}": 1 for r, c in product(range(rows), range(columns))}, tuple(cables))


def drawn(seed: int) -> Fabric:
    """A tree or a ring of 4 to 12 switches with more cables; some switches are without hosts, some
    pairs have two cables.
    """
    draw = random.Random(seed)  # noqa: S311 — the same fabric every time
    names = [f"n{n}" for n in range(draw.randint(4, 12))]
    if draw.random() < 0.5:
        pairs = {frozenset((name, draw.choice(names[:n]))) for n, name in enumerate(names) if n}
    else:
        pairs = {frozenset(pair) for pair in pairwise([*names, names[0]])}
    for _ in range(draw.randint(0, len(names) // 2)):
        pairs.add(frozenset(draw.sample(names, 2)))
    ordered = sorted(tuple(sorted(pair)) for pair in pairs)
    draw.shuffle(ordered)
    hosts = {name: draw.choice((0, 1, 1, 2)) for name in names} | {names[0]: 1, names[-1]: 1}
    return Fabric(hosts, tuple((a, b, draw.choice((1, 1, 1, 2))) for a, b in ordered))
