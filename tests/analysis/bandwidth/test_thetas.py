"""θ of drawn permutations and of given matrices, held against sums made by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from fabric import flow
from fabric.analysis.bandwidth import demand, patterns, throughput
from fabric.analysis.bandwidth.answer import Asked, State, answer
from fabric.analysis.bandwidth.thetas import given, permutation
from fabric.analysis.network import Network, Node, numbered
from fabric.model.traffic import TrafficMatrix, TrafficPhase
from tests.analysis.bandwidth.plants import Nic, plant
from tests.analysis.cure_fabrics import leaf_spine

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.bandwidth import Theta
    from fabric.model.design import Design

# 2 leaves × 2 spines at 100G, 3 hosts a leaf at 100G: two uplinks for three NICs.
TEXT = """\
fabric: two
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: frr, model: generic}}
links: {speed: 100}
hosts: {count: 6, speed: 100}
"""


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Design:
    path: Path = tmp_path_factory.mktemp("two") / "two.yaml"
    path.write_text(TEXT, encoding="utf-8")
    return flow.load(path)


def matrix(
    design: Design, unit: str, *rows: tuple[int, int, float], name: str = ""
) -> TrafficMatrix:
    """Of NICs by number, which are hosts 1, 2, …"""
    nics = tuple(f"{host.name} {host.ports[0].netdev}" for host in design.topology.hosts)
    source, target, amount = zip(*rows, strict=True)
    return TrafficMatrix("m.csv", unit, nics, (TrafficPhase(name, source, target, amount),))


def one(design: Design, of: TrafficMatrix, *cables: str) -> Theta:
    found = given(State(design, frozenset(cables)), of, 60)
    assert (found.file, found.unit, len(found.phases)) == (of.file, of.unit, 1)
    return found.phases[0]


def figures(theta: Theta) -> tuple[float | None, ...]:
    return theta.lp, theta.ecmp, theta.volumetric, theta.nics


def test_hosts_are_where_these_tests_take_them_to_be(two: Design) -> None:
    at = [(link.a.device, link.b.device) for link in two.topology.host_links]
    names = [host.name for host in two.topology.hosts]
    assert [leaf for _, leaf in at] == ["leaf-0"] * 3 + ["leaf-1"] * 3
    assert [host for host, _ in at] == names


def test_units_of_a_matrix(two: Design) -> None:
    """All three of a leaf send to the other leaf: 3 NIC rates over 2 uplinks; hops 2, 8 arcs."""
    rows = [(n, n + 3) for n in range(3)]
    rate = one(two, matrix(two, "rate", *((a, b, 1.0) for a, b in rows)))
    assert figures(rate) == pytest.approx((2 / 3, 2 / 3, 8 / 6, 1.0))
    assert (rate.pairs, rate.left_out) == (3, 0)
    gbps = one(two, matrix(two, "gbps", *((a, b, 50.0) for a, b in rows)))
    assert figures(gbps) == pytest.approx((4 / 3, 4 / 3, 16 / 6, 2.0))
    # The NIC with most bytes counts 1: 1, 1/2 and 1/4 of a NIC over two uplinks.
    count = one(two, matrix(two, "bytes", (0, 3, 4e12), (1, 4, 2e12), (2, 5, 1e12)))
    assert figures(count) == pytest.approx((2 / 1.75, 2 / 1.75, 8 / 3.5, 1.0))


def test_bytes_count_at_the_busiest_end(two: Design) -> None:
    """Two send 1 each to one: it receives 2, which is 1 NIC rate."""
    found = one(two, matrix(two, "bytes", (0, 3, 10.0), (1, 3, 10.0)))
    assert figures(found) == pytest.approx((2.0, 2.0, 8 / 2, 1.0))
    rate = one(two, matrix(two, "rate", (0, 3, 10.0), (1, 3, 10.0)))
    assert figures(rate) == pytest.approx((0.1, 0.1, 8 / 40, 1 / 20))


def test_what_stays_in_a_leaf_crosses_nothing(two: Design) -> None:
    found = one(two, matrix(two, "rate", (0, 1, 2.0), (1, 3, 0.0)))
    assert figures(found) == (np.inf, np.inf, np.inf, 0.5)
    assert found.pairs == 1


def test_pairs_with_an_end_down_are_left_out_and_bytes_keep_their_scale(two: Design) -> None:
    """Host 1 had most bytes; without it the others are as they were, not rescaled."""
    rows = ((0, 3, 4.0), (1, 4, 2.0), (2, 5, 2.0), (0, 4, 0.0))
    down = next(link.id for link in two.topology.host_links)
    found = one(two, matrix(two, "bytes", *rows), down)
    assert (found.pairs, found.left_out) == (3, 1)
    assert figures(found) == pytest.approx((2.0, 2.0, 8 / 2, 2.0))


def test_no_way_is_a_theta_of_nothing(two: Design) -> None:
    cut = tuple(x.id for x in two.topology.fabric_links if x.a.device == "leaf-0")
    found = one(two, matrix(two, "rate", (0, 3, 1.0), (1, 2, 1.0)), *cut)
    assert figures(found) == (0.0, 0.0, 0.0, 1.0)


def test_no_way_of_a_tiny_amount_does_not_drown_in_tolerances(two: Design) -> None:
    cut = tuple(x.id for x in two.topology.fabric_links if x.a.device == "leaf-0")
    found = one(two, matrix(two, "rate", (0, 1, 1.0), (0, 3, 1e-9)), *cut)
    assert figures(found)[:3] == (0.0, 0.0, 0.0)
    assert found.nics == pytest.approx(1.0)


def test_groups_of_unequal_size_are_full_where_they_receive() -> None:
    """Two send 1 each to one."""
    nodes = [Node("a", 1, 0, "a"), Node("b", 2, 0, "b")]
    of = plant(Network.of(nodes, numbered([("a", "b", "x")])))
    assert demand.adversarial(of).nics == 0.5


def test_tiny_amounts_are_solved_like_others(two: Design) -> None:
    found = one(two, matrix(two, "rate", *((n, n + 3, 1e-9) for n in range(3))))
    assert found.lp == pytest.approx(2e9 / 3)
    assert found.ecmp == pytest.approx(2e9 / 3)


def test_what_had_no_program_says_between_what_it_lies(
    two: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a matrix in its own scale: 0.5 a pair, so twice as much."""
    monkeypatch.setattr(throughput, "MOST_VARIABLES", 1)
    found = one(two, matrix(two, "rate", *((n, n + 3, 0.5) for n in range(3))))
    assert found.lp is None
    assert found.why_null.endswith("; between the even split, 1.333, and the bound 2.667")


def test_a_permutation_is_that_of_the_first_trial(two: Design) -> None:
    state = State(two)
    of = state.plant
    for seed in range(6):
        source, target = patterns.drawn(of, "permutation", np.random.default_rng((seed, 0)))
        crossing = int((of.leaf[source, 0] != of.leaf[target, 0]).sum()) / 2
        found = permutation(state, seed, 60)
        assert (found.kind, found.seed, found.pairs) == ("permutation", seed, 6)
        expected = 2 / crossing if crossing else np.inf
        assert (found.lp, found.ecmp, found.nics) == pytest.approx((expected, expected, 1.0))


def test_only_what_is_asked_for_is_there(two: Design) -> None:
    plain = answer(two, Asked(only="theta"))
    assert [theta.kind for theta in plain.thetas] == ["uniform", "shift", "adversarial"]
    assert plain.matrices is None
    more = answer(two, Asked(only="theta", permutation=3, matrix=matrix(two, "rate", (0, 3, 1.0))))
    assert [theta.kind for theta in more.thetas[3:]] == ["permutation"]
    assert more.matrices is not None
    assert more.thetas[:3] == plain.thetas


NICS = [Nic(("l0",)), Nic(("l0", "l1")), Nic(("l1",), 50), Nic(("l1",))]


@pytest.mark.parametrize(
    ("cut", "limits"),
    [
        ((), (0.5, 0.5)),  # a NIC of half the rate
        (("h2.eth0",), (1.0, 1.0)),  # without it
        (("h1.eth0",), (0.5, 0.5)),
        (("h2.eth0", "h1.eth1"), (0.5, 0.5)),  # a bond with one of two cables
    ],
)
def test_where_the_first_nic_is_full(cut: tuple[str, ...], limits: tuple[float, float]) -> None:
    """Bonds are of two cables of 50G here, so that the unit of rate, 100G, is theirs too."""
    nics = [Nic(nic.leaves, 50) if len(nic.leaves) > 1 else nic for nic in NICS]
    of = plant(leaf_spine(2, 2), cut, nics=nics)
    found = (demand.uniform(of).nics, demand.shift(of).nics)
    assert found == pytest.approx(limits)
