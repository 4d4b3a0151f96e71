"""A box of which nobody says how SONiC numbers its ports."""

from __future__ import annotations

import pytest

from fabric import topologies
from fabric.catalog import switch_model
from fabric.model.finding import ProblemError
from tests.topologies.fabrics import group, hardware, ports_of, problems, wired

LeafSpine = topologies.params_type("leaf-spine")
N9K = switch_model("cisco-n9k-9332d-gx2b")


def test_sonic_ports_without_numbers_have_no_name() -> None:
    with pytest.raises(ProblemError) as error:
        wired("leaf-spine", LeafSpine(2, 2), (group(8, speed=400),), speed=400, on=hardware(N9K))
    assert {found[::2] for found in problems(error)} == {
        ("RCE009", "nobody says what sonic calls the ports of cisco-n9k-9332d-gx2b")
    }


def test_a_system_that_names_ports_by_cage_needs_no_numbers() -> None:
    topology, _ = wired(
        "leaf-spine", LeafSpine(2, 2), (group(8, speed=400),), speed=400, on=hardware(N9K, "frr")
    )
    assert ports_of(topology, "leaf-0")[0] == ("gpu-0", "swp1")
