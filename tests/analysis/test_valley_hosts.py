"""A valley to a leaf whose hosts have no cable in service is no way that packets go."""

from __future__ import annotations

from fabric.analysis.valleys import valley_certificate
from tests.design.graphs import leaf_spine


def test_a_leaf_without_hosts_in_service_is_no_end_of_a_valley() -> None:
    """leaf-0 hangs on spine-0 alone, leaf-1 on spine-1: they meet at leaf-2, down and up again."""
    topology = leaf_spine(3, 2).topology()
    cut = ["leaf-0:spine-1:1", "leaf-1:spine-0:1"]
    assert valley_certificate(topology, cut) is None
    assert valley_certificate(topology, [*cut, "gpu-1:leaf-1:1"]) is not None
    assert valley_certificate(topology, [*cut, "gpu-2:leaf-2:1"]) is None
