"""Factors and bounds: the numbers of validation 6."""

from __future__ import annotations

import pytest

from fabric.analysis.bandwidth.workload.collectives import (
    Servers,
    bus_factor,
    inside_first,
    inside_share,
    network_steps,
    server_bound,
)
from fabric.model.roce_packet import wire_efficiency


@pytest.mark.parametrize(
    ("ranks", "all_reduce", "other"),
    [
        (8, 1.75, 0.875),
        (16, 1.875, 0.9375),
        (64, 1.96875, 0.984375),
        (512, 1.99609375, 0.998046875),
    ],
)
def test_factors_are_those_of_nccl_tests(ranks: int, all_reduce: float, other: float) -> None:
    assert bus_factor("all_reduce", ranks) == all_reduce
    for operation in ("all_gather", "reduce_scatter", "alltoall"):
        assert bus_factor(operation, ranks) == other
    assert bus_factor("all_reduce", 1) == 0


def goodput(gbps: float, mtu: int, family: str = "ipv4") -> float:
    return gbps / 8 * float(wire_efficiency(mtu, family))


@pytest.mark.parametrize(
    ("nics", "gbps", "mtu", "busbw"),
    [
        (8, 400, 4096, 392.1),
        (8, 400, 1024, 370.3),
        (8, 200, 4096, 196.1),
        (8, 100, 4096, 98.0),
        (1, 400, 4096, 49.0),
    ],
)
def test_a_ring_is_bound_by_the_nics_of_a_server(
    nics: int, gbps: float, mtu: int, busbw: float
) -> None:
    where = Servers(64 * nics, 64, nics)
    for operation in ("all_reduce", "all_gather", "reduce_scatter"):
        bound = server_bound(operation, "ring", where, goodput(gbps, mtu))
        assert bound is not None
        assert round(bound, 1) == busbw


@pytest.mark.parametrize(
    ("servers", "factor"), [(2, 1.875), (4, 1.2917), (8, 1.125), (16, 1.0583), (64, 1.0139)]
)
def test_reducing_inside_servers_first_lifts_the_bound(servers: int, factor: float) -> None:
    assert round(inside_first(8 * servers, servers), 4) == factor
    where = Servers(8 * servers, servers, 8)
    for algorithm in ("tree", "nvls"):
        assert server_bound("all_reduce", algorithm, where, 1.0) == pytest.approx(
            8 * inside_first(8 * servers, servers)
        )
        assert server_bound("all_gather", algorithm, where, 1.0) == 8


def test_alltoall_is_bound_by_what_leaves_a_server() -> None:
    assert server_bound("alltoall", "ring", Servers(16, 2, 8), 1.0) == 1.875  # B (n−1) / (n−g)
    assert server_bound("alltoall", "ring", Servers(16, 2, 1), 8.0) == 1.875  # one NIC for eight
    assert server_bound("alltoall", "ring", Servers(8, 1, 8), 1.0) is None


@pytest.mark.parametrize(
    ("operation", "algorithm", "servers", "steps"),
    [
        ("all_reduce", "ring", 64, 126),
        ("all_reduce", "tree", 64, 12),
        ("all_reduce", "nvls", 5, 6),
        ("all_gather", "tree", 64, 63),
        ("alltoall", "ring", 64, 1),
        ("all_reduce", "ring", 1, 0),
    ],
)
def test_hops_behind_each_other(operation: str, algorithm: str, servers: int, steps: int) -> None:
    assert network_steps(operation, algorithm, servers) == steps


def test_nvlink_carries_what_stays_inside() -> None:
    assert inside_share("all_reduce", "ring", 16, 8) == 1
    assert inside_share("all_reduce", "nvls", 16, 8) == 16 / 30  # S of 2 · 15/16 · S
    assert inside_share("alltoall", "ring", 16, 8) == 7 / 15
    assert inside_share("all_reduce", "ring", 64, 1) == 0
