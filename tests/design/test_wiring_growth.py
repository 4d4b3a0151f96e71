"""Growth with the lock carried on: no cable that exists changes a port at either end."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric import topologies
from fabric.catalog import switch_model
from fabric.design.lock import lock_text, read_lock
from fabric.model.addressing import Lock, LockRow
from fabric.model.finding import ProblemError
from tests.topologies.fabrics import (
    generic_model,
    group,
    hardware,
    ports,
    ports_of,
    problems,
    wired,
)

if TYPE_CHECKING:
    from fabric.model.intent import DeviceHardware, HostGroup
    from fabric.model.topology import Topology

LeafSpine = topologies.params_type("leaf-spine")
FatTree = topologies.params_type("fat-tree")

SN3700 = hardware(switch_model("nvidia-sn3700"))
SN5600 = hardware(switch_model("nvidia-sn5600"))
GENERIC = hardware(generic_model())


class Fabric(NamedTuple):
    """What an inventory says."""

    kind: str
    params: Any
    hosts: tuple[HostGroup, ...]
    on: DeviceHardware
    speed: int

    def plan(self, lock: Lock | None = None) -> tuple[Topology, Lock]:
        """Wire it, and carry the lock through its file."""
        topology, rows = wired(
            self.kind, self.params, self.hosts, speed=self.speed, on=self.on, lock=lock
        )
        return topology, read_lock(lock_text(Lock("f", rows)), "f.lock.json")


def leaf_spine(  # noqa: PLR0913 — a test names what it varies
    leaves: int,
    spines: int,
    links: int = 1,
    *,
    per_leaf: int = 4,
    on: DeviceHardware = SN5600,
    speed: int = 400,
) -> Fabric:
    hosts = (group(leaves * per_leaf, speed=speed, per_leaf=per_leaf),)
    return Fabric("leaf-spine", LeafSpine(leaves, spines, links), hosts, on, speed)


def moved(old: Topology, new: Topology) -> set[str]:
    """Links of both that changed a port."""
    before, after = ports(old), ports(new)
    return {link for link in before.keys() & after.keys() if before[link] != after[link]}


EXACT = [
    ("65 leaves", leaf_spine(64, 2), leaf_spine(65, 2)),
    (
        "33 leaves of 2 links",
        leaf_spine(32, 16, 2, per_leaf=32),
        leaf_spine(33, 16, 2, per_leaf=32),
    ),
    ("17 spines", leaf_spine(4, 16, per_leaf=48), leaf_spine(4, 17, per_leaf=48)),
    ("63 hosts a leaf", leaf_spine(4, 2), leaf_spine(4, 2, per_leaf=63)),
    ("2 links", leaf_spine(40, 4), leaf_spine(40, 4, 2)),
    ("8 links", leaf_spine(16, 4, 2, per_leaf=56), leaf_spine(16, 4, 8, per_leaf=56)),
    ("fewer links", leaf_spine(8, 4, 3), leaf_spine(8, 4, 1)),
    ("SN3700", leaf_spine(32, 4, on=SN3700, speed=100), leaf_spine(64, 4, on=SN3700, speed=100)),
    ("a second split", leaf_spine(128, 2, speed=200), leaf_spine(250, 2, speed=200)),
    ("generic", leaf_spine(4, 4, on=GENERIC), leaf_spine(40, 40, 2, on=GENERIC)),
]


@pytest.mark.parametrize(("old", "new"), [row[1:] for row in EXACT], ids=[row[0] for row in EXACT])
def test_cables_stay(old: Fabric, new: Fabric) -> None:
    before, lock = old.plan()
    after, second = new.plan(lock)
    assert moved(before, after) == set()
    again, third = new.plan(second)
    assert (ports(again), third) == (ports(after), second)


def test_a_cage_in_use_is_split_where_it_stands() -> None:
    old, lock = leaf_spine(64, 2).plan()
    assert [row for row in lock.rows if row.key.startswith("spine")] == [
        LockRow("port", "spine-[0-1]/1x", 0, 64, tuple(f"leaf-{n}" for n in range(64)))
    ]
    new, lock = leaf_spine(65, 2).plan(lock)
    assert ports_of(old, "spine-0") == [(f"leaf-{n}", f"Ethernet{8 * n}") for n in range(64)]
    assert ports_of(new, "spine-0") == [*ports_of(old, "spine-0"), ("leaf-64", "Ethernet4")]
    first, second = new.switch("spine-0").ports[:2]
    assert (first.name, first.children, second.children) == ("Ethernet0", 2, 2)
    assert [row for row in lock.rows if row.key.startswith("spine-")] == [
        LockRow("port", "spine-[0-1]/2x", 0, 2, ("leaf-0", "leaf-64")),
        LockRow("port", "spine-[0-1]/1x", 1, 63, tuple(f"leaf-{n}" for n in range(1, 64))),
    ]


def test_a_host_group_before_the_others_moves_nothing() -> None:
    old = leaf_spine(2, 2, on=SN3700, speed=100)
    storage = group(4, "storage", speed=100, per_leaf=2, nics=2)
    new = old._replace(hosts=(storage, replace(old.hosts[0], per_leaf=4)))
    before, lock = old.plan()
    after, _ = new.plan(lock)
    assert moved(before, after) == set()
    assert ports_of(after, "leaf-0")[4] == ("gpu-0", "Ethernet0")
    assert ports_of(after, "leaf-0")[0] == ("storage-0", "Ethernet16")


def test_a_speed_that_fits_the_old_cages_no_more_is_laid_out_anew() -> None:
    before, lock = leaf_spine(100, 2).plan()
    new = leaf_spine(100, 2)._replace(speed=800)
    with pytest.raises(ProblemError) as error:
        new.plan(lock)
    assert problems(error)[0][2] == "spine needs 100×800G down = 100, has 64"
    smaller = leaf_spine(60, 2)._replace(speed=800)
    after, _ = smaller.plan(lock)
    assert len(set(ports_of(after, "spine-0"))) == 60
    assert moved(before, after) != set()


def test_another_model_is_laid_out_anew_where_the_old_places_are_not() -> None:
    before, lock = leaf_spine(4, 4, on=SN5600, speed=100).plan()
    after, _ = leaf_spine(4, 4, on=SN3700, speed=100).plan(lock)
    assert ports_of(after, "leaf-0")[-1] == ("spine-3", "Ethernet112")
    assert ports_of(before, "leaf-0")[-1] == ("spine-3", "Ethernet480")


def test_names_that_a_split_would_change_are_a_problem() -> None:
    """Cumulus calls the first half of swp1 swp1s0: the cable would move, so nothing is planned."""
    linux = hardware(switch_model("nvidia-sn5600"), "frr")
    _, lock = leaf_spine(64, 2, on=linux).plan()
    with pytest.raises(ProblemError) as error:
        leaf_spine(65, 2, on=linux).plan(lock)
    assert problems(error) == [
        (
            "RCE101",
            ("topology",),
            (
                "spine has no free port for 1×400G down, and no cage in use can be split further "
                "without moving what is plugged into it"
            ),
            (
                "a larger model than nvidia-sn5600, fewer hosts a switch, or more switches; or "
                "take spine-0 … spine-1 out of the lock's port rows to lay all ports out afresh"
            ),
        )
    ]
    leaf_spine(65, 2, on=linux).plan()


GROWTH = st.lists(
    st.tuples(
        st.sampled_from(("leaves", "spines", "links", "per_leaf", "group", "replan")),
        st.integers(1, 40),
    ),
    min_size=1,
    max_size=5,
)
ON = st.sampled_from(((SN3700, 100), (SN3700, 200), (SN5600, 400), (SN5600, 200), (GENERIC, 400)))


def _grow(fabric: Fabric, what: str, by: int) -> Fabric:
    """One step of growth of a leaf-spine fabric."""
    now = fabric.params
    if what == "group":
        more = group(by, f"g{len(fabric.hosts)}", speed=fabric.speed, per_leaf=by)
        return fabric._replace(hosts=(more, *fabric.hosts))
    if what == "per_leaf":
        first = fabric.hosts[-1]
        each = (first.per_leaf or 0) + by
        hosts = group(now.leaves * each, speed=fabric.speed, per_leaf=each)
        return fabric._replace(hosts=(*fabric.hosts[:-1], hosts))
    if what == "replan":
        return fabric
    by = 1 if what == "links" else by
    return fabric._replace(params=replace(now, **{what: getattr(now, what) + by}))


def _check(steps: list[Fabric]) -> None:
    """Nothing moves; ports run out where they would without a lock as well, or it says why."""
    before, lock = steps[0].plan()
    for fabric in steps[1:]:
        try:
            after, lock = fabric.plan(lock)
        except ProblemError as error:
            if "without moving" not in str(error) or len({g.speed_gbps for g in fabric.hosts}) < 2:
                with pytest.raises(ProblemError):
                    fabric.plan()
            return
        assert moved(before, after) == set()
        before = after


@given(on=ON, leaves=st.integers(1, 32), spines=st.integers(1, 8), growth=GROWTH)
@settings(max_examples=60, deadline=None)
def test_leaf_spine_grows(on: Any, leaves: int, spines: int, growth: Any) -> None:
    steps = [leaf_spine(leaves, spines, on=on[0], speed=on[1], per_leaf=3)]
    for what, by in growth:
        steps.append(_grow(steps[-1], what, by))
    _check(steps)


MIXED = st.sampled_from(
    (
        (SN5600, (400, 200, 100)),
        (SN3700, (200, 100, 50)),
        (hardware(switch_model("celestica-ds5000")), (400, 100, 50)),
        (hardware(switch_model("dell-z9864f")), (400, 200, 50)),
        (hardware(switch_model("ufispace-s9300-32d")), (400, 100, 50)),
    )
)


@given(on=MIXED, spines=st.integers(1, 12), growth=GROWTH)
@settings(max_examples=60, deadline=None)
def test_groups_of_several_speeds_grow(on: Any, spines: int, growth: Any) -> None:
    model, speeds = on
    steps = [leaf_spine(2, spines, on=model, speed=speeds[0])]
    for number, (what, by) in enumerate(growth):
        speed = speeds[number % len(speeds)] if what == "group" else speeds[0]
        grown = _grow(steps[-1]._replace(speed=speed), what, by)
        steps.append(grown._replace(speed=speeds[0]))
    try:
        steps[0].plan()
    except ProblemError:
        return
    _check(steps)


TREE = st.lists(
    st.tuples(st.sampled_from(("pods", "edges", "cores", "hosts")), st.integers(1, 3)),
    min_size=1,
    max_size=5,
)


@given(on=ON, half=st.integers(2, 6), growth=TREE)
@settings(max_examples=40, deadline=None)
def test_fat_tree_grows(on: Any, half: int, growth: Any) -> None:
    """Edge switches and cores start with one a pod and a plane."""
    size = {"pods": 1, "edges": 1, "cores": 1, "hosts": 1}
    most = {"pods": 2 * half, "edges": half, "cores": half, "hosts": 60}
    steps = []
    for what, by in [("pods", 0), *growth]:
        size[what] = min(size[what] + by * (10 if what == "hosts" else 1), most[what])
        params = FatTree(
            2 * half, size["pods"], size["edges"], size["cores"] * half, hosts_per_edge=60
        )
        edges = size["pods"] * size["edges"]
        hosts = (group(edges * size["hosts"], speed=on[1], per_leaf=size["hosts"]),)
        steps.append(Fabric("fat-tree", params, hosts, *on))
    try:
        steps[0].plan()
    except ProblemError:
        return
    _check(steps)
