"""Working failures out from what held before gives what routing from nothing gives."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

from fabric.analysis import bits, deadlock, priorities
from fabric.analysis.forwarding import Forwarding
from fabric.analysis.rerouting import Rerouting
from fabric.analysis.routing import bgp, models, shortest, up_down
from fabric.analysis.routing.dragonfly import minimal
from tests.analysis import sweep_fabrics as fabrics

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from fabric.analysis.network import Network
    from fabric.analysis.priorities import Rising

RISES: dict[str, Callable[[Network], Rising]] = {
    "none": priorities.none,
    "bounce": priorities.bounce,
    "global-hop": priorities.global_hop,
}


class Case(NamedTuple):
    """A model with its outcome from nothing."""

    model: models.Model
    afresh: Callable[[Network], Forwarding]
    rising: Rising

    def check(self, bundles: list[int], switches: list[int]) -> None:
        network = self.model.network
        ids = [network.cables[b][bundles[:n].count(b)].id for n, b in enumerate(bundles)]
        names = [network.names[n] for n in switches]
        forwarding = self.afresh(network.without(ids, names))
        proof = deadlock.prove(forwarding, self.rising)
        rerouting = Rerouting(self.model, self.rising)
        found = rerouting.forwarding(bundles, switches)
        place = {n: bit for bit, n in enumerate(found.destinations.tolist())}
        order = [place[n] for n in forwarding.destinations.tolist()]
        ways = bits.unpacked(found.rows, len(found.destinations))
        assert (ways[:, order] == bits.unpacked(forwarding.rows, len(order))).all(), (ids, names)
        assert ways.sum() == ways[:, order].sum()
        outcome = rerouting.outcome(bundles, switches)
        assert (outcome.cbd, outcome.unreachable) == (proof.cbd, bool(forwarding.unreachable)), (
            ids,
            names,
        )


def random_network(rng: random.Random) -> Network:
    makers: list[Callable[[], Network]] = [
        *[lambda: fabrics.uneven(rng)] * 5,
        lambda: fabrics.fat_tree(4),
        lambda: fabrics.leaf_spine(3, 3, 2),
        lambda: fabrics.with_leaf_ring(fabrics.leaf_spine(4, 2)),
        lambda: fabrics.ring(rng.randint(3, 7)),
        lambda: fabrics.dragonfly(1, 2, 2, 4),
        lambda: fabrics.dragonfly(1, 3, 1, 4),
    ]
    network = fabrics.shuffled(rng.choice(makers)(), rng)
    if rng.random() < 0.3:
        some = fabrics.cables(network)
        gone = [c.id for c in rng.sample(some, min(len(some), rng.randint(1, 2)))]
        network = network.without(gone, rng.sample(network.names, rng.randint(0, 1)))
    return network


def bgp_rules(network: Network, rng: random.Random) -> bgp.BgpRules:
    tiers = [65000 + int(tier) for tier in network.tier]
    makers: list[Callable[[], bgp.BgpRules]] = [
        lambda: fabrics.unique_asn(network),
        lambda: fabrics.rules(network, tiers).plain(own_asn_allowed=rng.randint(0, 1)),
        lambda: fabrics.random_rules(network, rng),
        lambda: fabrics.random_rules(network, rng),
    ]
    return rng.choice(makers)()


def flooded(state: Network) -> Forwarding:
    """``l2_flood`` on a network that was taken apart, which keeps its arcs."""
    routed = shortest.spf(state)
    rows = routed.rows.copy()
    shortest.add_floods(state, routed.destinations, rows)
    return Forwarding(state, routed.destinations, rows, floods=True)


def random_case(name: str, network: Network, rng: random.Random) -> Case:
    rising = RISES[rng.choice(sorted(RISES))](network)
    match name:
        case "spf":
            return Case(models.Spf(network), shortest.spf, rising)
        case "l2-flood":
            return Case(models.L2Flood(network), flooded, rising)
        case "dragonfly-minimal":
            return Case(models.DragonflyMinimal(network), minimal, rising)
        case "updown":
            roots = rng.choice([(), tuple(rng.sample(network.names, 2))])
            model = models.UpDown(network, roots)
            return Case(model, lambda state: up_down.up_down(state, roots), rising)
        case _:
            rules = bgp_rules(network, rng)
            return Case(models.Bgp(network, rules), lambda state: bgp.bgp(state, rules), rising)


MODELS = ("spf", "l2-flood", "dragonfly-minimal", "updown", "bgp", "bgp")


@pytest.mark.parametrize("number", range(120))
def test_random_failures(number: int) -> None:
    rng = fabrics.seeded(number)
    name = MODELS[number % len(MODELS)]
    network = random_network(rng)
    if name == "dragonfly-minimal":
        size = rng.choice([(1, 2, 1, 3), (1, 3, 1, 4), (2, 2, 2, 4), (1, 4, 2, 3), (1, 2, 2, 5)])
        network = fabrics.shuffled(fabrics.dragonfly(*size), rng)
    if name == "l2-flood":
        network, _ = network.apart()
    cables = [b for b in range(len(network.cables)) for _ in range(network.count[2 * b])]
    if not cables:
        return
    case = random_case(name, network, rng)
    for _ in range(4):
        cut = sorted(rng.sample(cables, min(len(cables), rng.randint(0, 3))))
        down = rng.sample(np.flatnonzero(network.alive).tolist(), rng.choice([0, 0, 1, 2]))
        case.check(cut, down)


def test_a_best_route_that_goes_may_open_a_way_that_was_refused() -> None:
    """x and l share an ASN. As long as m's best route is that by l, x refuses it."""
    nodes = [fabrics.Node(n, int(n in "dx")) for n in ("l", "r", "m", "x", "d")]
    pairs = [("d", "l"), ("d", "r"), ("l", "m"), ("r", "m"), ("m", "x")]
    listed = fabrics.numbered((a, b, "cable") for a, b in pairs)
    network = fabrics.Network.of(nodes, listed)
    rules = fabrics.rules(network, [1, 2, 3, 1, 5])
    assert bgp.bgp(network, rules).unreachable
    sweep = Rerouting(models.Bgp(network, rules), priorities.none(network))
    assert sweep.unfailed.unreachable
    assert not sweep.unfailed.free  # with r before l it would have been the other way round
    assert not sweep.outcome([2]).unreachable  # l–m cut
    assert sweep.outcome([3]).unreachable  # r–m cut


def test_a_way_over_a_global_cable_is_not_replaced_by_one_beside_it() -> None:
    """u has two ways to d, over its global cable and over w's; x behind u may take the first."""
    groups = {"x": "1", "u": "1", "w": "1", "n": "2", "d": "2"}
    nodes = [fabrics.Node(n, int(n in "xd"), group=group) for n, group in groups.items()]
    pairs = [("x", "u"), ("u", "w"), ("u", "n"), ("n", "d"), ("w", "d")]
    network = fabrics.Network.of(nodes, fabrics.numbered((a, b, "cable") for a, b in pairs))
    case = Case(models.DragonflyMinimal(network), minimal, priorities.none(network))
    assert minimal(network).next_switches("u", "d") == {"n", "w"}
    assert not Rerouting(case.model, case.rising).unfailed.unreachable
    assert Rerouting(case.model, case.rising).outcome([2]).unreachable
    case.check([2], [])


def test_one_of_parallel_cables_changes_nothing_but_a_flooding_leaf() -> None:
    network, _ = fabrics.leaf_spine(2, 1, parallel=2).apart()
    assert Rerouting(models.Spf(network), priorities.none(network)).outcome([0]).cbd is False
    flood = Rerouting(models.L2Flood(network), priorities.none(network))
    whole = deadlock.prove(shortest.l2_flood(network)).cbd
    assert flood.unfailed.cbd is whole is True  # back over the other cable
    assert flood.outcome([0, 2]).cbd is False  # one of l0's, one of l1's


def test_a_leaf_out_of_service_is_not_unreachable() -> None:
    network = fabrics.leaf_spine(3, 2)
    sweep = Rerouting(models.Spf(network), priorities.none(network))
    assert not sweep.outcome(switches=[network.number["l0"]]).unreachable
    assert sweep.outcome(switches=[network.number["s0"], network.number["s1"]]).unreachable
