"""The chain that a port is meant to have."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.design.lossless import derive
from fabric.design.lossless.chains import Binding, chain, rate_cap_bytes_per_s
from fabric.model.qos import ClassMap, QueueSettings, TrafficClass, Watchdog
from tests.samples import sample_class_map, sample_intent, sample_spec, sample_topology

TOPOLOGY = sample_topology()
LOSSLESS = derive(TOPOLOGY, sample_intent())
PORT = TOPOLOGY.switch("leaf-0").ports[0]
PROFILE = LOSSLESS.profile_at("leaf-0", PORT.name)
BINDING = Binding(
    class_map=LOSSLESS.class_map,
    watchdog=LOSSLESS.watchdog,
    capabilities=sample_spec().capabilities,
    mtu_bytes=9216,
    pfc_to_pg_map=True,
)


def test_chain_of_the_sample() -> None:
    got = chain("leaf-0", PORT, BINDING, PROFILE)
    assert (got.device, got.port, got.mtu_bytes) == ("leaf-0", "Ethernet0", 9216)
    assert [got.dscp_to_tc[dscp] for dscp in (0, 26, 48, 56, 63)] == [0, 3, 6, 7, 0]
    assert got.tc_to_queue == (0, 1, 2, 3, 4, 5, 6, 7)
    assert got.tc_to_pg == (0, 0, 0, 3, 0, 0, 0, 0)
    assert got.pfc_priority_to_queue == (0, 1, 2, 3, 4, 5, 6, 7)
    assert got.pfc_priority_to_pg == (0, 1, 2, 3, 4, 5, 6, 7)
    assert got.pfc_priorities == got.watchdog_priorities == got.lossless_pgs == (3,)
    assert got.xoff_bytes == (None, None, None, 33_792, None, None, None, None)
    assert got.queues[0] == QueueSettings(0, "dwrr", weight=50)
    assert got.queues[1] == QueueSettings(1, None)
    assert got.queues[3] == QueueSettings(
        3,
        "dwrr",
        weight=50,
        ecn=True,
        kmin_bytes=187_500,
        kmax_bytes=750_000,
        pmax_percent=5,
        lossless_buffer=True,
    )
    assert got.queues[6] == QueueSettings(6, "strict", max_rate_bytes_per_s=1_250_000_000)
    assert got.queues[7] == QueueSettings(7, "strict")


@pytest.mark.parametrize(("speed", "cap"), [(100, 1_250_000_000), (400, 5_000_000_000)])
def test_ten_percent_of_line_rate(speed: int, cap: int) -> None:
    assert rate_cap_bytes_per_s(speed, 10) == cap


def test_a_system_without_rate_cap_leaves_cnp_uncapped() -> None:
    bare = replace(BINDING.capabilities, rate_cap=False)
    got = chain("leaf-0", PORT, replace(BINDING, capabilities=bare), PROFILE)
    assert got.queues[6].max_rate_bytes_per_s is None


def test_a_system_without_ecn_or_watchdog() -> None:
    bare = replace(BINDING.capabilities, ecn=False, watchdog=False)
    got = chain("leaf-0", PORT, replace(BINDING, capabilities=bare), PROFILE)
    assert not any(queue.ecn for queue in got.queues)
    assert got.watchdog_priorities == ()
    assert got.pfc_priorities == (3,)


def test_the_watchdog_can_be_off() -> None:
    off = Watchdog(enabled=False, poll_ms=100, detect_ms=200, restore_ms=400, action="drop")
    got = chain("leaf-0", PORT, replace(BINDING, watchdog=off), PROFILE)
    assert got.watchdog_priorities == ()


def test_no_priority_to_group_map_where_the_asic_has_none() -> None:
    got = chain("leaf-0", PORT, replace(BINDING, pfc_to_pg_map=False), PROFILE)
    assert got.pfc_priority_to_pg == (None,) * 8


def test_a_system_without_pfc_says_nothing() -> None:
    got = chain("leaf-0", PORT, BINDING, None)
    assert got.dscp_to_tc == (None,) * 64
    assert got.pfc_priorities == got.lossless_pgs == ()
    assert all(queue == QueueSettings(queue.queue, None) for queue in got.queues)


def test_two_classes_in_one_queue_take_the_lossless_ones_settings() -> None:
    classes = sample_class_map().classes
    joined = replace(classes[0], queue=3)
    got = chain(
        "leaf-0", PORT, replace(BINDING, class_map=ClassMap((joined, *classes[1:]))), PROFILE
    )
    assert got.tc_to_queue[0] == 3
    assert got.queues[3].lossless_buffer


@st.composite
def class_maps(draw: st.DrawFn) -> ClassMap:
    """Every DSCP in one of up to eight classes; class n uses priority, queue and class n."""
    used = draw(st.lists(st.integers(0, 7), min_size=1, max_size=8, unique=True))
    lossless = draw(st.sets(st.sampled_from(used), max_size=3))
    owner = draw(st.lists(st.sampled_from(used), min_size=64, max_size=64))
    return ClassMap(
        tuple(
            TrafficClass(
                name=f"c{n}",
                dscps=tuple(d for d in range(64) if owner[d] == n),
                priority=n,
                traffic_class=n,
                queue=n,
                priority_group=n if n in lossless else 0,
                lossless=n in lossless,
                scheduler="dwrr",
                weight=10,
            )
            for n in used
        )
    )


@given(class_maps())
def test_every_chain_is_complete_and_leads_where_the_class_says(class_map: ClassMap) -> None:
    got = chain("leaf-0", PORT, replace(BINDING, class_map=class_map), PROFILE)
    assert (len(got.dscp_to_tc), len(got.queues)) == (64, 8)
    for dscp in range(64):
        wanted = class_map.of_dscp(dscp)
        tc = got.dscp_to_tc[dscp]
        assert tc is not None
        queue, group = got.tc_to_queue[tc], got.tc_to_pg[tc]
        assert (tc, queue, group) == (wanted.traffic_class, wanted.queue, wanted.priority_group)
        assert queue is not None
        assert got.queues[queue].lossless_buffer == wanted.lossless
        assert got.queues[queue].ecn == wanted.lossless
    for priority in got.pfc_priorities:
        assert got.pfc_priority_to_queue[priority] == priority
        assert got.xoff_bytes[priority] == 33_792
    assert got.lossless_pgs == got.watchdog_priorities == got.pfc_priorities
    assert sum(x is not None for x in got.xoff_bytes) == len(got.lossless_pgs)
