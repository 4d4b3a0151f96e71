"""Ports that a pipeline of the switching chip cannot carry."""

from __future__ import annotations

import pytest

from fabric import topologies
from fabric.catalog import switch_model
from fabric.model.finding import ProblemError
from tests.topologies.fabrics import group, hardware, ports_of, problems, wired

LeafSpine = topologies.params_type("leaf-spine")
DS5000 = switch_model("celestica-ds5000")
DS4000 = switch_model("celestica-ds4000")


def test_cages_that_share_a_pipeline_are_counted_together() -> None:
    hosts = (group(512, speed=100),)  # 8 ports in each of 32 cages of a leaf: 1 and 4 have 16
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(2, 32), hosts, speed=800, on=hardware(DS5000))
    (found,) = problems(error)
    assert found[:2] == ("RCE104", ("topology",))
    assert found[2] == (
        "leaf would have 16 logical ports in cages 1 and 4, which share a pipeline; "
        "celestica-ds5000 carries 10 in each (free ports included)"
    )


def test_what_a_pipeline_carries_is_accepted() -> None:
    hosts = (group(256, speed=200),)  # 4 ports in each cage: 8 in a pipeline
    topology, _ = wired("leaf-spine", LeafSpine(2, 32), hosts, speed=800, on=hardware(DS5000))
    assert ports_of(topology, "leaf-0")[3] == ("gpu-3", "Ethernet6")


def test_without_the_cages_of_a_pipeline_only_the_sum_is_held_against_the_switch() -> None:
    assert DS4000.pipelines == ()
    hosts = (group(64, speed=100),)
    topology, _ = wired("leaf-spine", LeafSpine(2, 8), hosts, speed=400, on=hardware(DS4000))
    assert len(topology.switch("leaf-0").ports) == 16 * 2 + 8 + 8  # down, up, free
