"""Configs as a box prints them: other order, ranges, maps of the switch; what is no config."""

from __future__ import annotations

import pytest

from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import ConfigError, dell_os10
from fabric.text import chains
from tests.platforms.dell_os10.cases import FILE, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("dell_os10", {FILE: config}, "tor")}


# Words of Microsoft's storage switches, with a DSCP map in place of the one for 802.1p.
BOX = """
! Version 10.5.4.5
interface range ethernet1/1/1-1/1/3
  mtu 9216
  priority-flow-control mode on
  service-policy input type network-qos PAUSE
  service-policy output type queuing SHARES
!
interface ethernet1/1/3
  qos-map traffic-class OWN
  priority-flow-control mode off
!
interface ethernet1/1/4:2
  trust-map dot1p L2
!
interface mgmt1/1/1
  no shutdown
!
wred ecn
  random-detect color green minimum-threshold 150 maximum-threshold 1500 drop-probability 100
  random-detect ecn
class-map type network-qos N
  match qos-group 3
class-map type queuing LOW
  match queue 0
class-map type queuing HIGH
  match queue 3
trust dscp-map MAP
  qos-group 3 dscp 24-26, 30
  qos-group 0 dscp 0
qos-map traffic-class OWN
  queue 2 qos-group 0-2,4 type ucast
policy-map type network-qos PAUSE
  class N
    pause buffer-size 100 pause-threshold 50 resume-threshold 10
    pfc-cos 3
policy-map type queuing SHARES
  class LOW
    bandwidth percent 48
  class HIGH
    bandwidth percent 52
    random-detect ecn
system qos
  trust-map dscp MAP
an unknown line
"""


def test_ranges_policies_and_what_the_switch_says_for_all() -> None:
    found = read(BOX)
    assert list(found) == [f"ethernet1/1/{n}" for n in ("1", "2", "3", "4:2")]
    chain = found["ethernet1/1/2"]
    assert (chain.device, chain.mtu_bytes, chain.pfc_priorities) == ("tor", 9184, (3,))
    assert [dscp for dscp, group in enumerate(chain.dscp_to_tc) if group == 3] == [24, 25, 26, 30]
    assert chain.dscp_to_tc.count(None) == 59
    assert chain.tc_to_queue == tuple(range(8)), "without a map each has its own queue"
    assert chain.queues[0] == QueueSettings(0, "dwrr", 48)
    assert chain.queues[3] == QueueSettings(3, "dwrr", 52, ecn=True, pmax_percent=100)
    assert chain.tc_to_pg == chain.pfc_priority_to_queue == chain.xoff_bytes == (None,) * 8


def test_a_port_overrides_the_switch_and_what_stood_before() -> None:
    found = read(BOX)
    assert found["ethernet1/1/3"].pfc_priorities == ()
    assert found["ethernet1/1/3"].tc_to_queue == (2, 2, 2, None, 2, None, None, None)
    assert found["ethernet1/1/4:2"].dscp_to_tc == (None,) * 64
    assert found["ethernet1/1/4:2"].queues[3] == QueueSettings(3, None)


def test_what_the_port_names_wins_over_what_the_switch_names() -> None:
    both = BOX.replace("  mtu 9216\n", "  mtu 9216\n  trust-map dscp NEAR\n")
    both += "trust dscp-map NEAR\n  qos-group 5 dscp 26\n"
    assert read(both)["ethernet1/1/1"].dscp_to_tc[26] == 5


def test_order_makes_no_difference() -> None:
    config = text("numbered")
    other = "\n!\n".join(reversed(config.split("\n!\n")))
    assert other != config
    assert read(other) == read(config)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of OS10"),
        ("interface Vlan1\n", "no config of OS10"),
        (f"{BOX}trust dscp-map MAP2\n", ""),
        (BOX.replace("24-26, 30", "24-64"), "'qos-group 3 dscp 24-64' is no qos-group with dscp"),
        (BOX.replace("24-26, 30", "ef"), "'qos-group 3 dscp ef'"),
        (BOX.replace("queue 2 qos", "queue 8 qos"), "'queue 8 qos-group 0-2,4 type ucast'"),
        (BOX.replace("pfc-cos 3", "pfc-cos 9"), "'pfc-cos 9'"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    if not words:
        assert read(config) == read(BOX)
        return
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no os10\.cfg"):
        chains("dell_os10", {}, "tor")


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (
            " trust-map dscp ROCE\n",
            "",
            "interface ethernet1/1/1:1: 64 of 64 DSCPs have no qos-group",
        ),
        (" qos-group 3 dscp 26\n", "", "interface ethernet1/1/1:1: 1 of 64 DSCPs have no"),
        (" queue 2 qos-group 2\n", "", "interface ethernet1/1/1:1: a qos-group has no queue"),
        ("  pause\n", "", "interface ethernet1/1/1:1: no priority is paused"),
        (
            " priority-flow-control mode on\n",
            "",
            "interface ethernet1/1/1:1: priority-flow-control",
        ),
        (
            " flowcontrol receive off\n",
            " flowcontrol receive on\n",
            "interface ethernet1/1/1:1: link",
        ),
        (" random-detect ecn\n", "", "interface ethernet1/1/1:1: queue 3 is paused and marks"),
        (
            "  bandwidth percent 50\n",
            "  bandwidth percent 60\n",
            "interface ethernet1/1/1:1: bandw",
        ),
        ("wred ROCE-732", "wred OTHER", "policy-map ROCE-732-2929: there is no wred profile"),
        (
            "qos-map traffic-class ROCE\n queue",
            "qos-map traffic-class X\n queue",
            "interface ether",
        ),
        ("  no shutdown\n  !", "  !", "neighbor 10.254.0.3 is shut"),
    ],
)
def test_what_breaks_it_silently(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = dell_os10.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found[:5]
