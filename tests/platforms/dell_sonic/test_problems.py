"""What Enterprise SONiC refuses, or takes though it breaks lossless Ethernet, in our own config."""

from __future__ import annotations

import pytest

from fabric.platforms import dell_sonic
from tests.platforms.dell_sonic.cases import FILE, text


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("hostname leaf-0\n", "roce enable\n", "roce enable: saves and reboots"),
        ("hostname leaf-0\n", "buffer init lossless\n", "buffer init lossless: saves and reboots"),
        (
            "hostname leaf-0\n",
            "no priority-flow-control watchdog counter-poll\n",
            "no priority-flow-control watchdog counter-poll: the watchdog sees no storm",
        ),
        (
            " dscp 26 traffic-class 3\n",
            "",
            "qos map dscp-tc FABRIC: 1 of 64 DSCPs missing, 26 first",
        ),
        (
            "hostname leaf-0\n",
            "qos map pfc-priority-queue ROCE\n pfc-priority 3 queue 3\n",
            "qos map pfc-priority-queue: one per switch, here are ROCE, FABRIC",
        ),
        (
            "green minimum-threshold 375 ",
            "green minimum-threshold 1500 ",
            "qos wred-policy FABRIC-375-1500-5: minimum-threshold is not below",
        ),
        (" qos-map tc-pg FABRIC\n", "", "interface Eth1/1/1: binds no map tc-pg"),
        (
            " qos-map tc-queue FABRIC\n",
            " qos-map tc-queue X\n",
            "interface Eth1/1/1: there is no qos map tc-queue X",
        ),
        (
            "\n scheduler-policy FABRIC-200G\n",
            "\n scheduler-policy X\n",
            "interface Eth1/1/1: there is no qos scheduler-policy X",
        ),
        (
            " queue 3 wred-policy FABRIC-375-1500-5\n",
            "",
            "interface Eth1/1/1: queue 3 is lossless and marks",
        ),
        (
            " queue 3 wred-policy FABRIC-375-1500-5\n",
            " queue 3 wred-policy X\n",
            "interface Eth1/1/1: there is no qos wred-policy X",
        ),
        (
            " ecn green\n",
            " ecn none\n",
            "interface Eth1/1/1: queue 3 is lossless and marks",
        ),
        (
            " priority-flow-control priority 3\n",
            "",
            "interface Eth1/1/1: no priority has PFC",
        ),
        (
            " priority-flow-control priority 3\n",
            " priority-flow-control priority 5\n",
            "interface Eth1/1/1: priority 5 has PFC, but headroom is in groups 3 and 4",
        ),
        (
            " traffic-class 3 priority-group 3\n traffic-class 0-2,4-7 priority-group 7\n",
            " traffic-class 0-7 priority-group 3\n",
            "interface Eth1/1/1: traffic class 0 is in lossless group 3 and in lossy queue 0",
        ),
        (
            " priority-flow-control priority 3\n",
            " priority-flow-control priority 3\n priority-flow-control asymmetric\n",
            "interface Eth1/1/1: priority-flow-control asymmetric",
        ),
    ],
)
def test_what_breaks_it(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = dell_sonic.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found


def test_more_priorities_than_the_box_takes() -> None:
    every = "".join(f" priority-flow-control priority {n}\n" for n in range(8))
    found = dell_sonic.problems(
        {FILE: text("numbered").replace(" priority-flow-control priority 3\n", every)}
    )
    assert any("PFC on 8 priorities, the box takes 2" in problem for problem in found)
