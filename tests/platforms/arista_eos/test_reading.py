"""Configs as a box prints them: other order, ranges, settings on the port; what is no config."""

from __future__ import annotations

import pytest

from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import ConfigError, arista_eos
from fabric.text import chains
from tests.platforms.arista_eos.cases import FILE, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("arista_eos", {FILE: config}, "leaf1")}


# The 7388 of the Gaudi documentation: a profile, thresholds in segments, CNP in class 7.
GAUDI = """
qos profile QOS_ROCE_DCQCN
   qos trust dscp
   priority-flow-control on
   priority-flow-control priority 3 no-drop
   !
   uc-tx-queue 3
      random-detect ecn minimum-threshold 2000 segments maximum-threshold 10000 segments max-mark-probability 20 weight 0
      random-detect ecn count
!
interface Ethernet2/5/1
   load-interval 2
   mtu 9214
   speed 200g-4
   service-profile QOS_ROCE_DCQCN
!
interface Management1
   ip address 192.0.2.1/24
!
qos map dscp 26 to traffic-class 3
"""  # noqa: E501 — as the switch prints it


def test_a_profile_holds_for_its_ports() -> None:
    (chain,) = read(GAUDI).values()
    assert (chain.device, chain.port, chain.mtu_bytes) == ("leaf1", "Ethernet2/5/1", 9214)
    assert chain.dscp_to_tc[26] == 3
    assert chain.pfc_priorities == (3,)
    assert chain.watchdog_priorities == ()


def test_a_queue_of_which_nothing_is_said_is_strict() -> None:
    """`show running-config all` of a switch as it ships; `show running-config` may say nothing."""
    queues = read(GAUDI)["Ethernet2/5/1"].queues
    assert {queue.scheduler for queue in queues if queue.weight is None} == {"strict"}
    own = "   uc-tx-queue 2\n      no priority\n   mtu 9214\n"
    queue = read(GAUDI.replace("   mtu 9214\n", own))["Ethernet2/5/1"].queues[2]
    assert queue.scheduler == "dwrr"


def test_a_segment_is_no_number_of_bytes() -> None:
    queue = read(GAUDI)["Ethernet2/5/1"].queues[3]
    assert queue == QueueSettings(3, "strict", ecn=True, pmax_percent=20)


def test_what_is_not_written_is_not_known_but_for_class_7() -> None:
    (chain,) = read(GAUDI).values()
    assert chain.dscp_to_tc.count(None) == 63
    assert chain.tc_to_queue == (None,) * 7 + (7,)
    assert chain.tc_to_pg == chain.pfc_priority_to_queue == chain.xoff_bytes == (None,) * 8
    assert chain.lossless_pgs == ()


ON_THE_PORT = """
qos map dscp 24-26,30 to traffic-class 3 drop-precedence 1
qos map traffic-class 2 4 5 to tx-queue 2
interface Ethernet10
   tx-queue 3
      bandwidth percent 40
      priority strict
      shape rate 20 percent
   priority-flow-control mode on
   priority-flow-control priority 3,4 no-drop
   priority-flow-control pause watchdog
   qos trust dscp
interface Ethernet9
   qos trust cos
   priority-flow-control priority 3 no-drop
"""


def test_settings_of_the_port_itself() -> None:
    found = read(ON_THE_PORT)
    assert list(found) == ["Ethernet9", "Ethernet10"]
    chain = found["Ethernet10"]
    assert [dscp for dscp, tc in enumerate(chain.dscp_to_tc) if tc == 3] == [24, 25, 26, 30]
    assert chain.tc_to_queue == (None, None, 2, None, 2, 2, None, 7)
    assert chain.pfc_priorities == chain.watchdog_priorities == (3, 4)
    assert chain.queues[3] == QueueSettings(3, "strict")


def test_neither_trust_nor_pfc_that_is_off() -> None:
    chain = read(ON_THE_PORT)["Ethernet9"]
    assert chain.dscp_to_tc == (None,) * 64
    assert chain.pfc_priorities == ()


def test_pfc_can_be_off_for_all() -> None:
    assert read(GAUDI + "priority-flow-control all off\n")["Ethernet2/5/1"].pfc_priorities == ()


def test_a_port_overrides_its_profile() -> None:
    own = "   uc-tx-queue 3\n      bandwidth percent 30\n   mtu 9214\n"
    queue = read(GAUDI.replace("   mtu 9214\n", own))["Ethernet2/5/1"].queues[3]
    assert (queue.scheduler, queue.weight, queue.ecn) == ("dwrr", 30, True)


def test_order_and_ranges_make_no_difference() -> None:
    """FC-71: the box prints blocks and numbers in its own order."""
    config = text("numbered")
    blocks = config.split("\n!\n")
    listed = "0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25"
    other = "\n!\n".join(reversed(blocks)).replace(listed, "0-25")
    assert "dscp 0-25 27" in other
    assert read(other) == read(config)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of EOS: it has no interface"),
        ('{"PORT": {}}', "no config of EOS: it has no interface"),
        ("   mtu 9214\ninterface Ethernet1\n", "line 1 of eos.cfg is indented below nothing"),
        ("interface Ethernet1\nqos map dscp 64 to traffic-class 3\n", "line 2 of eos.cfg: '64'"),
        ("interface Ethernet1\nqos map dscp 5-3 to traffic-class 3\n", "line 2 of eos.cfg: '5-3'"),
        ("interface Ethernet1\nqos map dscp ef to traffic-class 3\n", "line 2 of eos.cfg: 'ef'"),
        ("interface Ethernet1\nqos map dscp 5 to traffic-class 8\n", "line 2 of eos.cfg: '8'"),
        ("interface Ethernet1\n   priority-flow-control priority 9 no-drop\n", "line 2 of eos.cfg"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no eos\.cfg"):
        chains("arista_eos", {}, "leaf1")


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("   qos trust dscp\n", "", "interface Ethernet1/1: does not trust DSCP"),
        (
            "   priority-flow-control on\n",
            "",
            "interface Ethernet1/1: priority-flow-control is not on",
        ),
        (
            "   priority-flow-control priority 3 no-drop\n",
            "",
            "interface Ethernet1/1: no priority is",
        ),
        (
            "      random-detect ecn count\n",
            "",
            "interface Ethernet1/1: nobody counts what queue 3",
        ),
        (
            "      random-detect ecn min",
            "      ! ",
            "interface Ethernet1/1: queue 3 is no-drop and",
        ),
        (
            "   service-profile ROCE-200G",
            "   service-profile X",
            "interface Ethernet1/1: there is no qos",
        ),
        (
            "priority-flow-control pause watchdog action drop\n",
            "",
            "priority-flow-control pause wat",
        ),
        (
            "polling-interval 0.1",
            "polling-interval 0.15",
            "watchdog: polling-interval 0.15 is above",
        ),
        (
            "qos map dscp 26 to traffic-class 3\n",
            "",
            "qos map dscp: 1 of 64 follow the default map, 26",
        ),
        ("qos map traffic-class 2 to tx-queue 2\n", "", "qos map traffic-class: no tx-queue for 2"),
        ("   uc-tx-queue 0\n", "   tx-queue 0\n", "uc-tx-queue and tx-queue"),
        (
            "ip routing\n",
            "priority-flow-control all off\n",
            "priority-flow-control all off: no port",
        ),
    ],
)
def test_what_breaks_it_silently(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = arista_eos.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found
