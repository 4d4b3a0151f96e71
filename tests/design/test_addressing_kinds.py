"""The kinds that users write, wired as they are planned: growth with the whole lock carried on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from fabric import topologies
from fabric.design.addressing import allocate
from fabric.design.lock import lock_text, read_lock
from fabric.design.underlay import derive
from fabric.design.wiring import wire
from fabric.topologies import BuildRequest, params_type
from tests.design.graphs import intent

if TYPE_CHECKING:
    from fabric.model.addressing import Lock

Facts = dict[tuple[str, ...], object]


def planned(kind: str, wish: dict[str, int], hosts: int, lock: Lock | None) -> tuple[Facts, Lock]:
    """All that was handed out, by what it belongs to, and the lock as a file keeps it."""
    sample = intent()
    group = replace(sample.host_groups[0], names=tuple(f"gpu-{n}" for n in range(hosts)))
    if kind == "leaf-spine":
        group = replace(group, per_leaf=4)
    sample = replace(sample, topology_kind=kind, host_groups=(group,))
    params = params_type(kind)(**wish)
    request = BuildRequest(sample.host_groups, sample.fabric_speed_gbps, sample.cables)
    topology, rows = wire(topologies.build(kind, params, request), sample, lock)
    found = allocate(topology, sample, lock)
    facts: Facts = {("loopback", name): v4 for name, v4, _ in found.loopbacks}
    facts |= {("asn", name): asn for name, asn in found.asns}
    facts |= {("prefix", s.leaf, s.prefix): True for s in found.host_subnets}
    for link in topology.links:
        for end in (link.a, link.b):
            address = found.at(end.device, end.port)
            assert address is not None
            facts["port", link.id, end.device] = (end.port, address.v4)
    for session in derive(topology, found, sample).sessions:
        facts["session", session.link, session.device] = session
    kept = tuple(row for row in found.lock.rows if row.pool != "port")
    return facts, read_lock(lock_text(replace(found.lock, rows=(*kept, *rows))), "x")


GROWTH: dict[str, tuple[str, list[tuple[dict[str, int], int]]]] = {
    "leaves": ("leaf-spine", [({"leaves": n, "spines": 2}, 4 * n) for n in (2, 3, 4, 7)]),
    "spines": ("leaf-spine", [({"leaves": 3, "spines": n}, 12) for n in (1, 2, 3, 5, 8)]),
    "both": (
        "leaf-spine",
        [({"leaves": a, "spines": b}, h) for a, b, h in ((2, 2, 7), (4, 2, 16), (4, 4, 16))],
    ),
    "pods": ("fat-tree", [({"k": 4, "pods": n}, 4 * n) for n in (1, 2, 4)]),
    "hosts": ("fat-tree", [({"k": 4, "pods": 2}, n) for n in (5, 6, 8)]),
}


@pytest.mark.parametrize("case", GROWTH)
def test_growth_changes_nothing_that_is_there(case: str) -> None:
    kind, steps = GROWTH[case]
    lock, before = None, Facts()
    for wish, hosts in steps:
        now, lock = planned(kind, wish, hosts, lock)
        assert {key: now.get(key) for key in before} == before
        before = now


@pytest.mark.parametrize("case", GROWTH)
def test_shrinking_and_growing_again_gives_the_same(case: str) -> None:
    kind, steps = GROWTH[case]
    whole, lock = planned(kind, *steps[-1], None)
    _, less = planned(kind, *steps[0], lock)
    assert planned(kind, *steps[-1], less) == (whole, lock)
