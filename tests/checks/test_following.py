"""Where a DSCP's lossless chain breaks, hop by hop, and which DSCPs are meant to be lossless."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from fabric.checks.audit import audit
from fabric.checks.following import follow, lossless_dscps
from fabric.model.qos import GroupBuffer, QueueSettings
from tests.checks.test_chain import NONE_OF_8, lossless_port
from tests.samples import sample_spec

CODES = tuple(range(8))


def test_a_sound_chain() -> None:
    named = tuple(GroupBuffer(1, 1, name="pg_x") if n == 3 else None for n in CODES)
    found = follow(replace(lossless_port(), buffers=named), 26, states_buffers=True)
    assert (found.tc, found.queue, found.pg, found.pfc, found.profile) == (3, 3, 3, 3, "pg_x")
    assert found.broken_at is None


@pytest.mark.parametrize(
    ("change", "hop", "words"),
    [
        ({"dscp_to_tc": (None,) * 64}, "tc", "DSCP 26 → no traffic class"),
        ({"tc_to_queue": NONE_OF_8}, "queue", "DSCP 26 → TC 3 → no queue"),
        ({"tc_to_queue": (0,) * 8}, "queue", "stops queue 3"),
        ({"pfc_priority_to_queue": (5,) * 8}, "queue", "stops queue 5"),
        ({"tc_to_pg": NONE_OF_8}, "pg", "DSCP 26 → TC 3 → no priority group"),
        ({"tc_to_pg": (0,) * 8}, "pfc", "PG 0 is not in PFC (3)"),
        ({"pfc_priorities": (4,)}, "pfc", "PG 3 is not in PFC (4)"),
        ({"pfc_priorities": ()}, "pfc", "PG 3 is not in PFC (none)"),
        ({"lossless_pgs": ()}, "profile", "PG 3, which has no lossless buffer profile"),
        (
            {"queues": tuple(QueueSettings(n, None) for n in CODES)},
            "profile",
            "queue 3, which has a lossy buffer profile",
        ),
    ],
)
def test_the_hop_that_breaks_is_named(change: dict[str, Any], hop: str, words: str) -> None:
    found = follow(replace(lossless_port(), **change), 26, states_buffers=True)
    assert found.broken_at == hop
    assert words in found.why


@pytest.mark.parametrize(
    "change",
    [
        {"tc_to_pg": NONE_OF_8},
        {"tc_to_queue": NONE_OF_8},
        {"lossless_pgs": ()},
        {"queues": tuple(QueueSettings(n, None) for n in CODES)},
        {"pfc_priority_to_queue": NONE_OF_8},
    ],
)
def test_what_a_system_does_not_state_is_not_wrong(change: dict[str, Any]) -> None:
    found = follow(replace(lossless_port(), **change), 26, states_buffers=False)
    assert found.broken_at is None


def test_all_dscps_that_end_in_a_lossless_group_are_found() -> None:
    two = replace(
        lossless_port(), dscp_to_tc=tuple(3 if dscp in {24, 26} else 0 for dscp in range(64))
    )
    assert lossless_dscps([two], states_buffers=True) == (24, 26)
    assert lossless_dscps([lossless_port(), two], states_buffers=True) == (24, 26)
    assert lossless_dscps([replace(two, tc_to_pg=NONE_OF_8)], states_buffers=False) == (24, 26)
    assert lossless_dscps([replace(two, pfc_priorities=())], states_buffers=False) == ()


def test_a_port_that_lacks_what_the_others_have_is_one_finding() -> None:
    good = lossless_port()
    good = replace(good, queues=tuple(replace(q, ecn=q.queue == 3) for q in good.queues))
    bare = replace(good, port="Ethernet4", dscp_to_tc=(None,) * 64)
    found = audit("leaf", (good, bare), (), _buffered()).findings
    assert [(f.rule, f.port) for f in found] == [("RCE302", "Ethernet4")]
    assert found[0].message == "leaf: Ethernet4: DSCP 26 → no traffic class"


@pytest.mark.parametrize(
    ("change", "rule"),
    [
        ({}, "RCE311"),
        ({"watchdog_priorities": ()}, "RCE315"),
        ({"pfc_priorities": CODES, "watchdog_priorities": CODES}, "RCE304"),
    ],
)
def test_what_else_a_lossless_port_needs(change: dict[str, Any], rule: str) -> None:
    found = audit("leaf", (replace(lossless_port(), **change),), (), _buffered()).findings
    assert rule in {finding.rule for finding in found}


def test_a_switch_without_anything_lossless_is_a_finding() -> None:
    off = replace(lossless_port(), pfc_priorities=(), watchdog_priorities=(), lossless_pgs=())
    found = audit("leaf", (off,), (), _buffered())
    assert found.dscps == ()
    assert [f.message for f in found.findings] == ["leaf: no DSCP is lossless on any of 1 ports"]


def test_problems_of_the_system_are_one_warning() -> None:
    found = audit("leaf", (lossless_port(),), ("first", "second"), _buffered()).findings
    (warning,) = [f for f in found if f.rule == "RCE393"]
    assert (warning.message, warning.evidence) == ("leaf: first (and 1 more)", ("second",))


def _buffered() -> Any:
    spec = sample_spec()
    return replace(spec, capabilities=replace(spec.capabilities, states_buffers=True))
