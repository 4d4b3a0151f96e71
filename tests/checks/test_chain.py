"""Following a DSCP through a port, as a configuration and as a device may state it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from fabric.checks.chain import path_through, paused_queue, walk
from fabric.model.qos import QosChain, QueueSettings
from tests.samples import sample_topology

NONE_OF_8 = (None,) * 8


def lossless_port() -> QosChain:
    """DSCP 26 → TC 3 → queue 3 and PG 3, PFC on 3; all else lossy."""
    return QosChain(
        device="leaf-0",
        port="Ethernet0",
        dscp_to_tc=tuple(3 if dscp == 26 else 0 for dscp in range(64)),
        tc_to_queue=tuple(range(8)),
        tc_to_pg=tuple(3 if tc == 3 else 0 for tc in range(8)),
        pfc_priority_to_queue=tuple(range(8)),
        pfc_priority_to_pg=NONE_OF_8,
        pfc_priorities=(3,),
        watchdog_priorities=(3,),
        lossless_pgs=(3,),
        xoff_bytes=tuple(33_792 if group == 3 else None for group in range(8)),
        queues=tuple(QueueSettings(n, "dwrr", lossless_buffer=n == 3) for n in range(8)),
    )


def test_sound_chain_has_no_fault() -> None:
    found = walk(lossless_port(), 26)
    assert found.faults == ()
    assert (found.traffic_class, found.queue, found.priority_group) == (3, 3, 3)
    assert found.arriving == "DSCP 26 → TC 3 → PG 3 (headroom 33,792 B), PFC on 3"
    assert found.leaving == "TC 3 → queue 3"


def test_stock_map_of_sonic_is_told_hop_by_hop() -> None:
    stock = {3: 3, 4: 4, 5: 2, 8: 0, 46: 5, 48: 6}
    port = replace(
        lossless_port(),
        dscp_to_tc=tuple(stock.get(dscp, 1) for dscp in range(64)),
        tc_to_pg=(0, 0, 0, 3, 4, 0, 0, 7),
        pfc_priorities=(3, 4),
        lossless_pgs=(3, 4),
    )
    first, *_rest = walk(port, 46).faults
    assert first == (
        "DSCP 46 → TC 5 → PG 0; PG 0 is not in PFC (3,4): this traffic is dropped under congestion"
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"dscp_to_tc": (None,) * 64}, "the map has no entry for it"),
        ({"pfc_priorities": ()}, "PG 3 is not in PFC (none)"),
        ({"pfc_priority_to_pg": tuple(4 if n == 3 else n for n in range(8))}, "not in PFC (3)"),
        ({"lossless_pgs": ()}, "PG 3 has no lossless buffer"),
        (
            {"pfc_priority_to_queue": tuple(4 if n == 3 else n for n in range(8))},
            "pause of priority 3 stops queue 4, not queue 3",
        ),
        (
            {"queues": tuple(QueueSettings(n, "dwrr") for n in range(8))},
            "queue 3 has a lossy buffer",
        ),
    ],
)
def test_each_broken_hop_is_told(change: dict[str, object], words: str) -> None:
    port = replace(lossless_port(), **change)  # type: ignore[arg-type] # by field name
    (fault,) = walk(port, 26).faults
    assert words in fault


def test_what_a_system_does_not_state_is_not_wrong() -> None:
    port = replace(lossless_port(), tc_to_queue=NONE_OF_8, tc_to_pg=NONE_OF_8, queues=())
    found = walk(port, 26)
    assert found.faults == ()
    assert found.arriving == "DSCP 26 → TC 3, PFC on 3"
    assert found.leaving == "TC 3 → queue ?"


def test_a_system_without_priority_groups_pauses_by_class() -> None:
    port = replace(lossless_port(), tc_to_pg=NONE_OF_8, pfc_priorities=(4,))
    assert "its priority is not in PFC (4)" in walk(port, 26).faults[0]


def test_paused_queue_follows_the_map() -> None:
    port = replace(lossless_port(), pfc_priority_to_queue=tuple(7 - n for n in range(8)))
    assert paused_queue(port, 3) == 4


@pytest.mark.parametrize(
    ("through", "devices"),
    [
        ("leaf-0", ["gpu-0", "leaf-0", "spine-0", "leaf-1"]),
        ("spine-1", ["gpu-0", "leaf-0", "spine-1", "leaf-1"]),
    ],
)
def test_path_crosses_a_spine(through: str, devices: list[str]) -> None:
    links = path_through(sample_topology(), through)
    met = [end.device for link in links for end in (link.a, link.b)]
    assert set(devices) < set(met)
    assert met.count(through) == 2


def test_path_between_hosts_of_the_only_switch() -> None:
    topology = sample_topology(leaves=1, spines=0, per_leaf=2)
    assert [link.id for link in path_through(topology, "leaf-0")] == [
        "gpu-0:leaf-0:1",
        "gpu-1:leaf-0:1",
    ]


def test_no_path_without_hosts() -> None:
    assert path_through(sample_topology(per_leaf=0), "leaf-0") == ()
