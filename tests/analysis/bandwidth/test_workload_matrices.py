"""Traffic of rings, trees, alltoall and pipelines over servers."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.analysis.bandwidth.workload import matrices
from fabric.analysis.bandwidth.workload.matrices import Traffic, of_collective, of_stages
from fabric.analysis.bandwidth.workload.placement import Layout
from fabric.analysis.bandwidth.workload.trees import edges
from fabric.model.workload import Nccl


def servers(count: int, ranks: int, nics: int) -> Layout:
    """``count`` servers; endpoint = server · nics + NIC, rail = NIC; GPUs in blocks."""
    host = np.repeat(np.arange(count), ranks)
    nic = np.tile(np.arange(ranks) * nics // ranks, count)
    return Layout(host, host * nics + nic, np.tile(np.arange(nics), count))


def everybody(layout: Layout) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    return np.arange(len(layout)).reshape(1, -1)


def pairs(found: Traffic) -> dict[tuple[int, int], float]:
    return dict(
        zip(
            zip(found.source.tolist(), found.target.tolist(), strict=True),
            found.amount.tolist(),
            strict=True,
        )
    )


def test_a_ring_enters_and_leaves_each_server_once_by_each_rail() -> None:
    found = of_collective("all_gather", servers(3, 4, 2), everybody(servers(3, 4, 2)), Nccl())
    assert pairs(found) == {
        (0, 2): 0.5,
        (2, 4): 0.5,
        (4, 0): 0.5,
        (1, 3): 0.5,
        (3, 5): 0.5,
        (5, 1): 0.5,
    }
    assert found.connections.tolist() == [1] * 6


def test_more_channels_are_more_connections_and_fewer_leave_nics_idle() -> None:
    layout = servers(2, 4, 4)
    many = of_collective("all_gather", layout, everybody(layout), Nccl(channels=8))
    assert set(many.connections.tolist()) == {2}
    assert many.amount == pytest.approx(0.25)
    few = of_collective("all_gather", layout, everybody(layout), Nccl(channels=1))
    assert pairs(few) == {(0, 4): 1.0, (4, 0): 1.0}


def test_data_parallel_groups_of_one_rank_a_server_stay_on_their_rail() -> None:
    layout = servers(4, 8, 8)
    groups = np.arange(32).reshape(4, 8).T
    found = of_collective("reduce_scatter", layout, groups, Nccl())
    assert len(found) == 8 * 4
    assert (found.amount == 1).all()
    assert (found.source % 8 == found.target % 8).all()


def test_a_group_inside_a_server_sends_nothing() -> None:
    layout = servers(4, 8, 8)
    for operation in ("all_reduce", "alltoall"):
        assert not len(of_collective(operation, layout, np.arange(32).reshape(4, 8), Nccl()))


@pytest.mark.parametrize("pxn", [True, False])
def test_alltoall_sends_each_rank_its_part(pxn: bool) -> None:
    layout = servers(4, 8, 8)
    found = of_collective("alltoall", layout, everybody(layout), Nccl(pxn=pxn))
    assert found.amount.sum() == pytest.approx(32 * 24 / 31)
    out = np.bincount(found.source, weights=found.amount)
    into = np.bincount(found.target, weights=found.amount)
    assert out == pytest.approx(24 / 31)
    assert into == pytest.approx(24 / 31)
    assert bool((found.source % 8 == found.target % 8).all()) is pxn
    assert found.connections.sum() == 32 * 24


def test_pxn_takes_the_own_nic_where_the_server_has_none_on_the_rail() -> None:
    host = np.array([0, 1, 1])
    layout = Layout(host, np.array([0, 1, 2]), np.array([0, 0, 1]))
    found = of_collective("alltoall", layout, np.arange(3).reshape(1, -1), Nccl())
    # From host 1 both ranks go out by rail 0, where the receiver is.
    assert pairs(found) == {(0, 1): 0.5, (0, 2): 0.5, (1, 0): 1.0}


def test_too_large_an_alltoall_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrices, "MOST_PAIRS", 63)
    with pytest.raises(matrices.TooManyPairsError, match="8 NICs has 64 pairs"):
        of_collective("alltoall", servers(4, 2, 2), everybody(servers(4, 2, 2)), Nccl())


def test_stages_send_on_and_back() -> None:
    layout = servers(3, 2, 2)
    found = of_stages(layout, np.arange(6).reshape(3, 2))
    assert pairs(found) == dict.fromkeys(
        [(0, 2), (2, 0), (1, 3), (3, 1), (2, 4), (4, 2), (3, 5), (5, 3)], 1.0
    )
    assert not len(of_stages(servers(1, 4, 4), np.arange(4).reshape(2, 2)))


def test_the_tree_of_fourteen_is_that_of_nccl() -> None:
    first, second = edges(14)
    assert dict(first) == {
        8: 0,
        4: 8,
        12: 8,
        2: 4,
        6: 4,
        10: 12,
        1: 2,
        3: 2,
        5: 6,
        7: 6,
        9: 10,
        11: 10,
        13: 12,
    }
    assert dict(second)[5] == 13  # mirrored: 8 → 0
    assert dict(edges(13)[1])[9] == 1  # shifted: 8 → 0


@given(st.integers(2, 70))
def test_double_trees_span_and_nobody_has_more_than_two_children(count: int) -> None:
    for tree in edges(count):
        graph = nx.DiGraph([(above, child) for child, above in tree])
        assert nx.is_arborescence(graph)
        assert len(graph) == count
        assert max(d for _, d in graph.out_degree()) <= 2


@given(st.integers(2, 40), st.sampled_from([1, 2, 4]))
def test_a_tree_sends_at_most_two_messages_from_a_server(count: int, nics: int) -> None:
    layout = servers(count, 8, nics)
    found = of_collective("all_reduce", layout, everybody(layout), Nccl("tree"))
    ranks = len(layout)
    message = ranks / (2 * (ranks - 1))
    out = np.bincount(found.source // nics, weights=found.amount)
    assert out.max() <= 2 * message + 1e-9
    # Every server but the root sends it up once, and everybody gets it once: 2 (m − 1) in all.
    assert out.sum() == pytest.approx(2 * (count - 1) * message)


@given(st.integers(2, 6), st.integers(1, 8), st.integers(1, 4), st.integers(1, 9))
def test_a_ring_moves_one_bus_byte_out_of_each_server(
    count: int, ranks: int, nics: int, channels: int
) -> None:
    layout = servers(count, ranks, min(nics, ranks))
    found = of_collective("all_reduce", layout, everybody(layout), Nccl(channels=channels))
    host = found.source // min(nics, ranks)
    assert np.bincount(host, weights=found.amount) == pytest.approx(1.0)
    assert found.connections.sum() == count * channels
