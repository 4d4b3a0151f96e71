"""Maps of ports on whose cables RoCE rises, against values typed from the class map."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from fabric import topologies
from fabric.design import lossless
from fabric.design.lossless.rise import rising_dscps, rising_queues
from fabric.model.intent import CableLengths, DeviceHardware, Hardware
from fabric.model.qos import ClassMap, Rise, TrafficClass
from tests.platforms.models import Case, design, small_topology
from tests.samples import sample_intent, sample_rising_roce, sample_sn3700, sample_spec

if TYPE_CHECKING:
    from fabric.model.finding import Problem

ROCE = sample_rising_roce()
RISE = Rise(("global",), ("roce", "roce-raised"))
CLASSES = ROCE.class_map


def test_roce_moves_to_the_next_queue_and_dscp_and_nothing_else_moves() -> None:
    # TC 3 → queue 4, DSCP 34; TC 4 → class default; CNP and control stay; 1, 2 and 5 are unused.
    assert rising_queues(CLASSES, RISE) == (0, 1, 2, 4, 0, 5, 6, 7)
    assert rising_dscps(CLASSES, RISE) == (0, 0, 0, 34, 0, 0, 48, 56)


def test_several_steps_follow_each_other() -> None:
    third = TrafficClass("third", (42,), 5, 5, 5, 5, lossless=True, scheduler="dwrr", weight=1)
    rest = replace(CLASSES.classes[0], dscps=tuple(d for d in CLASSES.classes[0].dscps if d != 42))
    classes = ClassMap((rest, *CLASSES.classes[1:], third))
    rise = Rise(("global",), ("roce", "roce-raised", "third"))
    assert rising_queues(classes, rise) == (0, 1, 2, 4, 5, 0, 6, 7)
    assert rising_dscps(classes, rise) == (0, 0, 0, 34, 42, 0, 48, 56)


@given(st.permutations(range(1, 6)))
def test_no_lossless_class_of_the_order_leaves_in_its_own(priorities: list[int]) -> None:
    """Whatever the priorities: on such a cable nothing waits in the class in which it came."""
    first, second, *_ = priorities
    classes = tuple(
        replace(c, priority=p, traffic_class=p, queue=p, priority_group=p)
        if (p := {"roce": first, "roce-raised": second}.get(c.name))
        else c
        for c in CLASSES.classes
    )
    queues = rising_queues(ClassMap(classes), RISE)
    assert queues[first] == second
    assert queues[second] == 0
    assert all(queues[code] == code for code in set(range(8)) - {first, second})


def test_only_ports_with_such_a_cable_differ() -> None:
    model = Case(rise=True).model("leaf-0")
    raised = {i.name for i in model.interfaces if i.chain.remarks}
    assert raised == {"Ethernet4", "Ethernet8"}  # the two cables to the spines
    chains = {i.name: i.chain for i in model.interfaces}
    for name, chain in chains.items():
        assert chain.dscp_to_tc == chains["Ethernet0"].dscp_to_tc
        assert chain.tc_to_pg == (0, 0, 0, 3, 4, 0, 0, 0)
        assert chain.pfc_priority_to_queue == tuple(range(8))
        assert chain.pfc_priorities == chain.watchdog_priorities == chain.lossless_pgs == (3, 4)
        assert [q.queue for q in chain.queues if q.ecn and q.lossless_buffer] == [3, 4], name


def test_headroom_counts_both_priorities() -> None:
    once = {fit.device: fit.need_bytes for fit in design(Case()).lossless.fits}
    twice = {fit.device: fit.need_bytes for fit in design(Case(rise=True)).lossless.fits}
    assert {name: need * 2 for name, need in once.items()} == twice
    # leaf-0: two hosts with 5 m, two uplinks with 30 m, so 40 m; 100G of the SN3700's table
    assert twice["leaf-0"] == 2 * (2 * 33_792 + 2 * 44_032)


def _hardware(name: str, *, able: bool, has_pfc: bool = True) -> DeviceHardware:
    spec = sample_spec(name, lossless=has_pfc)
    capabilities = replace(spec.capabilities, per_port_maps=able)
    return DeviceHardware(replace(spec, capabilities=capabilities), sample_sn3700())


def _refused(hardware: Hardware, kind: str = "dragonfly") -> list[Problem]:
    """What is said of a fabric of this kind on that hardware, RoCE rising on global cables."""
    params = topologies.params_type(kind)(
        **{"dragonfly": {"p": 1, "a": 2, "h": 1, "g": 3}, "leaf-spine": {"leaves": 2, "spines": 2}}[
            kind
        ]
    )
    request = topologies.BuildRequest((), 100, CableLengths(5.0))
    intent = replace(sample_intent(), topology_kind=kind, roce=ROCE, hardware=hardware)
    return list(lossless.rise_problems(topologies.build(kind, params, request), intent))


def test_a_system_without_maps_per_port_is_refused() -> None:
    hardware = Hardware(_hardware("arista_eos", able=False))
    (problem,) = _refused(hardware)
    assert (problem.rule, problem.path) == ("RCE023", ("topology", "kind"))
    assert "arista_eos (router-0-0 and 5 more)" in problem.message
    assert _refused(hardware, "leaf-spine") == []  # no such cable: nothing rises
    assert _refused(Hardware(_hardware("sonic", able=True))) == []


def test_only_the_switches_on_such_cables_must_be_able() -> None:
    roles = (("router", _hardware("sonic", able=True)),)
    unused = _hardware("arista_eos", able=False)
    assert _refused(Hardware(unused, roles=roles)) == []
    one = (("router-2-1", unused),)
    (problem,) = _refused(Hardware(unused, roles=roles, devices=one))
    assert "(router-2-1)" in problem.message


def test_nothing_is_said_of_a_system_that_nobody_knows() -> None:
    stand_in = replace(_hardware("arista_eos", able=False), unknown=("platform",))
    assert _refused(Hardware(stand_in)) == []


def test_a_system_without_pfc_is_a_lab_and_refused_nothing() -> None:
    frr = Hardware(_hardware("frr", able=False, has_pfc=False))
    assert _refused(frr) == []
    intent = replace(sample_intent(), roce=ROCE, hardware=frr)
    assert lossless.derive(small_topology("sn3700", rise=True), intent).fits == ()
