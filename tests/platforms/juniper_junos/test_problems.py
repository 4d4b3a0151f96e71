"""What breaks lossless Ethernet, or balancing, though the switch takes it."""

from __future__ import annotations

import pytest

from fabric.platforms import juniper_junos
from tests.platforms.juniper_junos.cases import FILE
from tests.platforms.juniper_junos.running import LINES, without


@pytest.mark.parametrize(
    ("missing", "problem"),
    [
        ("code-point 011010 pfc", "class GPU is no-loss, but nothing pauses for DSCP 26"),
        ("flow-control-queue", "a pause of priority 3 does not stop queue 4"),
        ("pfc-priority", "no class is no-loss with a pfc-priority"),
        ("explicit-congestion", "queue 4 is no-loss and marks nothing (ECN)"),
        ("classifiers dscp in forwarding", "there is no dscp classifier in"),
        ("scheduler-maps out", "there is no scheduler-map out"),
        ("unit * classifiers", "no DSCP classifier is bound"),
        ("forwarding-table", "no export policy balances, so one path is used"),
        ("code-points", "64 of 64 DSCPs have no class, 0 first"),
    ],
)
def test_what_breaks_lossless_ethernet_is_told(missing: str, problem: str) -> None:
    told = "\n".join(juniper_junos.problems({FILE: without(missing)}))
    assert problem in told


def test_what_ports_have_in_common_is_told_once() -> None:
    told = juniper_junos.problems({FILE: without("scheduler-maps out")})
    assert "interface et-0/0/4:1 and 1 more: there is no scheduler-map out" in told


def test_partitions_above_the_whole_are_told() -> None:
    more = LINES + "".join(
        f"set class-of-service shared-buffer ingress buffer-partition {name} percent 60\n"
        for name in ("lossless", "lossy")
    )
    told = "\n".join(juniper_junos.problems({FILE: more}))
    assert "its partitions add up to 120 %" in told
