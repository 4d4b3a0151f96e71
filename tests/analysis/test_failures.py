"""Failures by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.analysis.failures import FailureError, Failures, failures
from tests.design.graphs import leaf_spine

if TYPE_CHECKING:
    from fabric.model.topology import Topology


@pytest.fixture(scope="module")
def topology() -> Topology:
    return leaf_spine(2, 2, links=2).topology()


@pytest.mark.parametrize(
    ("word", "cables"),
    [
        ("leaf-0:spine-1", {"leaf-0:spine-1:1"}),
        ("spine-1:leaf-0", {"leaf-0:spine-1:1"}),
        ("leaf-0:spine-1:2", {"leaf-0:spine-1:2"}),
        ("spine-1:leaf-0:2", {"leaf-0:spine-1:2"}),
        ("leaf-0:spine-1:*", {"leaf-0:spine-1:1", "leaf-0:spine-1:2"}),
        ("leaf-0/p0", {"leaf-0:spine-0:1"}),
        ("spine-1/p1", {"leaf-0:spine-1:2"}),
        ("gpu-0:leaf-0", {"gpu-0:leaf-0:1"}),
        ("leaf-0:gpu-0:1", {"gpu-0:leaf-0:1"}),
        ("leaf-1:gpu-1:*", {"gpu-1:leaf-1:1"}),
        ("gpu-0/rdma0", {"gpu-0:leaf-0:1"}),
        ("leaf-0/p4", {"gpu-0:leaf-0:1"}),
    ],
)
def test_cables(topology: Topology, word: str, cables: set[str]) -> None:
    assert failures(topology, [word]) == Failures(frozenset(cables), frozenset())


def test_switches(topology: Topology) -> None:
    found = failures(topology, ["spine-1", "leaf-0:spine-0"])
    assert found == Failures(frozenset({"leaf-0:spine-0:1"}), frozenset({"spine-1"}))


@pytest.mark.parametrize(
    ("word", "message", "fix"),
    [
        ("leaf-9", "there is no switch leaf-9", "did you mean leaf-1"),
        ("gpu-0", "gpu-0 is a host", "its cables are gpu-0:leaf-0:1"),
        ("gpu-0:gpu-1", "no cable joins gpu-0 and gpu-1", "gpu-0 has cables to leaf-0"),
        ("gpu-0:leaf-0:2", "1 cable joins gpu-0 and leaf-0, there is no number 2", "up to 1"),
        ("gpu-9:leaf-0", "there is no switch and no host gpu-9", "did you mean gpu-"),
        ("gpu-0/rdma9", "gpu-0 has no cable in port rdma9", "did you mean rdma0"),
        ("leaf-0:leaf-1", "no cable joins leaf-0 and leaf-1", "cables to spine-0, spine-1, gpu-0"),
        ("leaf-0:spine-0:3", "2 cables join leaf-0 and spine-0, there is no number 3", "up to 2"),
        ("leaf-0:spine-0:0", "there is no number 0", "up to 2"),
        ("leaf-0:spine-0:x", "there is no number x", "leaf-0:spine-0:*"),
        ("leaf-0:spine-0:1:1", "A:B:n", "leaf-0:spine-1:2"),
        ("leaf-0:spine-7", "there is no switch and no host spine-7", "did you mean spine-1"),
        ("leaf-0/p9", "leaf-0 has no cable in port p9", "fabric show ports leaf-0"),
        ("", "there is no switch ", "fabric show devices"),
    ],
)
def test_what_names_nothing(topology: Topology, word: str, message: str, fix: str) -> None:
    with pytest.raises(FailureError) as caught:
        failures(topology, [word])
    ((said, help_),) = caught.value.problems
    assert said.startswith(f"--fail {word}: ")
    assert message in said
    assert fix in help_


def test_all_at_once(topology: Topology) -> None:
    with pytest.raises(FailureError) as caught:
        failures(topology, ["x", "leaf-0:spine-0", "y"])
    assert len(caught.value.problems) == 2
