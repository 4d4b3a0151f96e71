"""Every failure set of the sweep table of validation.md 1.5, and the ASN plans below it."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import pytest

from fabric.analysis.deadlock import prove
from fabric.analysis.routing.bgp import bgp
from fabric.analysis.routing.shortest import spf
from tests.analysis.fabrics import CORE, bgp_rules, cable_ids, fat_tree, leaf_spine, rfc7938

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.analysis.forwarding import Forwarding
    from fabric.analysis.network import Network


class Sweep(NamedTuple):
    """Failure sets of so many cables; under each model those with (a CBD, an unreachable pair)."""

    fabric: str
    cuts: int
    sets: int
    by_spf: tuple[int, int]
    by_bgp: tuple[int, int]
    by_allowas_in: tuple[int, int]


SWEEPS = [
    Sweep("ls 4×2", 1, 8, (0, 0), (0, 0), (0, 0)),
    Sweep("ls 4×2", 2, 28, (12, 4), (0, 16), (12, 4)),
    Sweep("ls 4×2", 3, 56, (0, 24), (0, 48), (0, 24)),
    Sweep("ls 4×4", 2, 120, (0, 0), (0, 0), (0, 0)),
    Sweep("ft 4", 1, 32, (0, 0), (0, 0), (0, 0)),
    Sweep("ft 4", 2, 496, (56, 8), (0, 64), (56, 8)),
]
FABRICS = {"ls 4×2": leaf_spine(4, 2), "ls 4×4": leaf_spine(4, 4), "ft 4": fat_tree(4)}


def swept(network: Network, cuts: int, route: Callable[[Network], Forwarding]) -> tuple[int, ...]:
    """Failure sets, those with a CBD, those with an unreachable pair."""
    sets = cyclic = parted = 0
    for failed in combinations(cable_ids(network), cuts):
        forwarding = route(network.without(failed))
        sets += 1
        cyclic += prove(forwarding).cbd
        parted += bool(forwarding.unreachable)
    return sets, cyclic, parted


@pytest.mark.parametrize("model", ["spf", "bgp-rfc7938", "allowas-in 1"])
@pytest.mark.parametrize("sweep", SWEEPS, ids=lambda sweep: f"{sweep[0]}, {sweep[1]} cut")
def test_sweep(sweep: Sweep, model: str) -> None:
    network = FABRICS[sweep.fabric]
    asn = rfc7938(network)
    strict = bgp_rules(network, asn)
    lenient = bgp_rules(network, asn, own_asn_allowed=1)
    routes: dict[str, tuple[Callable[[Network], Forwarding], tuple[int, int]]] = {
        "spf": (spf, sweep.by_spf),
        "bgp-rfc7938": (lambda network: bgp(network, strict), sweep.by_bgp),
        "allowas-in 1": (lambda network: bgp(network, lenient), sweep.by_allowas_in),
    }
    route, expected = routes[model]
    assert swept(network, sweep.cuts, route) == (sweep.sets, *expected)


def asn_plan(network: Network, plan: str) -> dict[str, int]:
    """The plan by which ``ft 4`` is numbered; leaves have their own ASN in all of them."""
    asn = rfc7938(network)
    for number, name in enumerate(network.names):
        plane = int(name[1:].split(".")[0]) if name[0] == "c" else int(name[-1])
        if name[0] == "c" and plan == "an ASN per core plane":
            asn[name] = 10 + plane
        elif name[0] == "c" and plan == "all unique":
            asn[name] = 2000 + number
        elif name[0] == "a" and plan in ("every aggregation its own", "all unique"):
            asn[name] = 3000 + number
        elif name[0] == "a" and plan == "aggregations of a plane share":
            asn[name] = 20 + plane
    return asn


@pytest.mark.parametrize(
    ("plan", "cyclic", "parted"),
    [
        # RFC 7938, 0 / 64, is the last row of the table above
        ("an ASN per core plane", 0, 64),
        ("every aggregation its own", 48, 16),
        ("all unique", 56, 8),
        ("aggregations of a plane share", 0, 496),
    ],
)
def test_asn_plan(plan: str, cyclic: int, parted: int) -> None:
    network = FABRICS["ft 4"]
    rules = bgp_rules(network, asn_plan(network, plan))
    assert swept(network, 2, lambda network: bgp(network, rules)) == (496, cyclic, parted)


def test_aggregations_of_a_plane_that_share_an_asn_part_the_pods_unfailed() -> None:
    network = FABRICS["ft 4"]
    rules = bgp_rules(network, asn_plan(network, "aggregations of a plane share"))
    unreachable = bgp(network, rules).unreachable
    assert len(unreachable) == 8 * 6  # every leaf to the six of other pods
    assert all(network.group[a] != network.group[b] for a, b in unreachable)


@pytest.mark.parametrize(("spine_asns", "blocks"), [("shared", True), ("own", False)])
def test_only_spines_of_one_asn_block_valleys(spine_asns: str, *, blocks: bool) -> None:
    network = FABRICS["ls 4×2"]
    asn = rfc7938(network)
    if spine_asns == "own":
        asn |= {"s0": 10, "s1": 11}
    rules = bgp_rules(network, asn)
    _, cyclic, parted = swept(network, 2, lambda network: bgp(network, rules))
    assert (cyclic, parted) == ((0, 16) if blocks else (12, 4))


def test_the_plans_number_the_switches_as_they_say() -> None:
    network = FABRICS["ft 4"]
    cores = [name for name, tier in zip(network.names, network.tier, strict=True) if tier == CORE]
    by_plan = {
        plan: asn_plan(network, plan)
        for plan in ("RFC 7938", "an ASN per core plane", "every aggregation its own", "all unique")
    }
    assert {plan: len({asn[c] for c in cores}) for plan, asn in by_plan.items()} == {
        "RFC 7938": 1,
        "an ASN per core plane": 2,
        "every aggregation its own": 1,
        "all unique": 4,
    }
    # 8 leaves, an ASN for each pod's or for each of the 8 aggregations, and the cores
    assert [len(set(asn.values())) for asn in by_plan.values()] == [13, 14, 17, 20]
