"""One cable in one direction: what is queued, paused and obeyed, typed by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabric.checks.chain import walk
from fabric.checks.hop import Hop, Packet, hops, host_chain, packets_of
from fabric.model.qos import QosChain, QueueSettings
from tests.samples import sample_rising_roce

NONE_OF_8 = (None,) * 8


def port(**changes: object) -> QosChain:
    """DSCP 26 and 34 on TC, queue, PG and priority 3 and 4, CNP on 6; the rest is class 0."""
    classes = {26: 3, 34: 4, 48: 6}
    made = QosChain(
        device="router-0-0",
        port="Ethernet0",
        dscp_to_tc=tuple(classes.get(dscp, 0) for dscp in range(64)),
        tc_to_queue=tuple(range(8)),
        tc_to_pg=(0, 0, 0, 3, 4, 0, 0, 0),
        pfc_priority_to_queue=tuple(range(8)),
        pfc_priority_to_pg=NONE_OF_8,
        pfc_priorities=(3, 4),
        watchdog_priorities=(3, 4),
        lossless_pgs=(3, 4),
        xoff_bytes=(None, None, None, 1, 1, None, None, None),
        queues=tuple(QueueSettings(n, "dwrr", lossless_buffer=n in (3, 4)) for n in range(8)),
    )
    return replace(made, **changes)  # type: ignore[arg-type]


RISING = {"tc_to_queue": (0, 1, 2, 4, 0, 5, 6, 7), "tc_to_dscp": (0, 0, 0, 34, 0, 0, 48, 56)}
ROCE, RAISED, CNP = Packet(26, 3), Packet(34, 4), Packet(48, 6)


def only(packet: Packet, sending: QosChain, receiving: QosChain) -> Hop:
    (found,) = hops(packet, sending, receiving)
    return found


def test_a_usual_cable_keeps_queue_and_priority_together() -> None:
    found = only(ROCE, port(), port())
    assert (found.queue, found.dscp, found.priority, found.stopped) == (3, 26, 3, 3)
    assert found.agrees


def test_raised_at_the_sender_all_three_are_the_new_class() -> None:
    found = only(ROCE, port(**RISING), port())
    assert (found.queue, found.dscp, found.received_class) == (4, 34, 4)
    assert (found.priority, found.stopped) == (4, 4)
    assert found.agrees


def test_behind_the_last_class_nothing_waits() -> None:
    found = only(RAISED, port(**RISING), port())
    assert (found.queue, found.dscp, found.priority, found.held_lossless) == (0, 0, None, False)
    assert found.agrees


def test_cnp_stays_what_it_is() -> None:
    found = only(CNP, port(**RISING), port())
    assert (found.queue, found.dscp, found.received_class, found.agrees) == (6, 48, 6, True)


@pytest.mark.parametrize(
    ("sending", "receiving"),
    [
        # Re-marking alone: the packet waits in queue 3, the pause of 4 stops queue 4.
        ({"tc_to_dscp": RISING["tc_to_dscp"]}, {}),
        # The queue alone: DSCP 26 is paused with 3, which stops queue 3; it waits in 4.
        ({"tc_to_queue": RISING["tc_to_queue"]}, {}),
        # PFC 4 stops another queue.
        ({**RISING, "pfc_priority_to_queue": (0, 1, 2, 3, 3, 5, 6, 7)}, {}),
        # The sender does not obey priority 4.
        ({**RISING, "pfc_priorities": (3,)}, {}),
        # The receiver pauses priority 3 for PG 4.
        (RISING, {"pfc_priority_to_pg": (0, 1, 2, 4, 3, 5, 6, 7)}),
        # The receiver has no lossless group for it.
        (RISING, {"tc_to_pg": (0, 0, 0, 3, 0, 0, 0, 0)}),
        (RISING, {"dscp_to_tc": tuple(3 if d == 26 else 0 for d in range(64))}),
        (RISING, {"pfc_priorities": (3,)}),
    ],
)
def test_each_of_the_three_alone_breaks_it(
    sending: dict[str, object], receiving: dict[str, object]
) -> None:
    found = hops(ROCE, port(**sending), port(**receiving))
    assert found
    assert not all(hop.agrees for hop in found)


def test_raised_at_the_receiver_agrees_too() -> None:
    """Scheme I: DSCP 26 → TC 4 of this port, still in PG 3, paused with 3."""
    classes = {26: 4, 34: 4, 48: 6}
    received = port(
        dscp_to_tc=tuple(classes.get(d, 0) for d in range(64)), tc_to_pg=(0, 0, 0, 3, 3, 0, 0, 0)
    )
    found = only(ROCE, port(), received)
    assert (found.queue, found.received_class, found.priority, found.stopped) == (3, 4, 3, 3)
    assert found.agrees


def test_what_a_system_does_not_state_is_not_wrong() -> None:
    assert hops(ROCE, port(tc_to_queue=NONE_OF_8), port()) == ()
    assert hops(ROCE, port(), port(dscp_to_tc=(None,) * 64)) == ()
    silent = port(tc_to_pg=NONE_OF_8, pfc_priority_to_queue=NONE_OF_8)
    assert only(ROCE, silent, silent).agrees  # EOS: by traffic class


def test_a_host_pauses_and_obeys_by_priority() -> None:
    host = host_chain(sample_rising_roce().class_map)
    assert only(RAISED, port(), host).agrees
    assert only(ROCE, host, port()).agrees
    assert not only(RAISED, port(), replace(host, pfc_priorities=(3,))).agrees


@given(st.integers(0, 63))
def test_packets_are_those_that_some_port_classes(dscp: int) -> None:
    inside = packets_of((port(), port(dscp_to_tc=(5,) * 64)))
    assert {p.traffic_class for p in inside if p.dscp == dscp} == {port().dscp_to_tc[dscp], 5}


def test_of_a_port_that_re_marks_the_queue_is_left_to_the_cable() -> None:
    found = walk(port(**RISING), 26)
    assert found.faults == ()
    assert (found.queue, found.dscp) == (4, 34)
    assert found.leaving == "TC 3 → queue 4, DSCP 34"
    assert walk(port(**RISING), 34).faults == ()
    (fault,) = walk(port(**RISING, lossless_pgs=(4,)), 26).faults
    assert "PG 3 has no lossless buffer" in fault
    lossy = tuple(QueueSettings(n, "dwrr", lossless_buffer=n == 3) for n in range(8))
    (fault,) = walk(port(**RISING, queues=lossy), 26).faults
    assert "DSCP 34; queue 4 has a lossy buffer" in fault
    assert walk(port(**RISING, queues=lossy), 34).faults == ()
