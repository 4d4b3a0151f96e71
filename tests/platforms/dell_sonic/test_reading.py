"""Configs as a box prints them: other order, spaces, ranges, fractions; what is no config."""

from __future__ import annotations

import pytest

from fabric.model.qos import QosChain, QueueSettings, Watchdog
from fabric.platforms import ConfigError, dell_sonic
from fabric.text import chains
from tests.platforms.dell_sonic.cases import FILE, SYSTEM, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains(SYSTEM, {FILE: config}, "leaf1")}


# As the Z9664F of the MI300X guide prints it after `roce enable`; ports of native naming, an older
# release's watchdog lines, thresholds with fractions, a port-channel.
RUNNING = """
roce enable
!
qos map dscp-tc ROCE
 dscp 0-3,5-23,25,27-47,49-63 traffic-class 0
 dscp 24,26 traffic-class 3
 dscp 4 traffic-class 4
 dscp 48 traffic-class 6
!
qos map tc-queue ROCE
 traffic-class 0 queue 0
 traffic-class 3-4 queue 3
!
qos map tc-pg ROCE
 traffic-class 3 pg 3
 traffic-class 0-2,5-7 priority-group 7
!
qos map pfc-priority-pg ROCE
 pfc-priority 3 pg 3
!
interface Ethernet 4
 description Spine-Eth1/1
 mtu 9100
 speed 400000
 fec RS
 unreliable-los auto
 no shutdown
 ipv6 enable
 queue 3 wred-policy ROCE
 queue 4 wred-policy GONE
 scheduler-policy ROCE
 qos-map dscp-tc ROCE
 qos-map dot1p-tc ROCE
 qos-map tc-queue ROCE
 qos-map tc-pg ROCE
 qos-map pfc-priority-pg ROCE
 priority-flow-control priority 3
 priority-flow-control priority 4
 priority-flow-control watchdog action forward
 priority-flow-control watchdog detect-time 200
 priority-flow-control watchdog restore-time 400
!
interface Ethernet0
 channel-group 12
 mtu 9100
!
interface PortChannel 12
 mtu 9216
!
qos scheduler-policy ROCE
 !
 queue 0
  type wrr
  weight 50
 !
 queue 3
  type dwrr
  weight 60
 !
 queue 6
  pir 1000.5
  type strict
!
qos wred-policy ROCE
 green minimum-threshold 1048.576 maximum-threshold 2097.152 drop-probability 5
 yellow minimum-threshold 1 maximum-threshold 2 drop-probability 100
 ecn all
!
priority-flow-control watchdog polling-interval 300
ip load-share hash seed 8888
"""


def test_a_running_config_of_roce_enable() -> None:
    found = read(RUNNING)
    assert list(found) == ["Ethernet0", "Ethernet4"]
    chain = found["Ethernet4"]
    assert [dscp for dscp, tc in enumerate(chain.dscp_to_tc) if tc == 3] == [24, 26]
    assert chain.dscp_to_tc[46] == 0
    assert chain.tc_to_queue == (0, None, None, 3, 3, None, None, None)
    assert chain.tc_to_pg == (7, 7, 7, 3, None, 7, 7, 7)
    assert chain.pfc_priority_to_pg == (None, None, None, 3, None, None, None, None)
    assert chain.pfc_priorities == chain.watchdog_priorities == (3, 4)
    assert chain.watchdog == Watchdog(
        enabled=True, poll_ms=300, detect_ms=200, restore_ms=400, action="forward"
    )
    assert chain.queues[0] == QueueSettings(0, "wrr", 50)
    assert chain.queues[3] == QueueSettings(
        3, "dwrr", 60, ecn=True, kmin_bytes=1_048_576, kmax_bytes=2_097_152, pmax_percent=5
    )
    assert chain.queues[4] == QueueSettings(4, None)
    assert chain.queues[6] == QueueSettings(6, "strict", max_rate_bytes_per_s=125_062)


def test_a_port_says_nothing_of_its_own_but_its_port_channel_does() -> None:
    chain = read(RUNNING)["Ethernet0"]
    assert chain.dscp_to_tc == (None,) * 64
    assert chain.pfc_priorities == ()
    assert chain.watchdog is None
    assert chain.mtu_bytes == 9216


def test_the_seed_is_the_switchs() -> None:
    assert dell_sonic.settings({FILE: RUNNING}) == {"seed of the ECMP hash": "8888"}


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (" no priority-flow-control priority 3\n", (4,)),
        (" no priority-flow-control priority\n", ()),
        (" priority-flow-control priority 5\n", (3, 4, 5)),
    ],
)
def test_a_later_line_takes_an_earlier_one_back(lines: str, said: tuple[int, ...]) -> None:
    config = f"{RUNNING}interface Ethernet4\n{lines}"
    assert read(config)["Ethernet4"].pfc_priorities == said


def test_a_map_entry_is_taken_back() -> None:
    config = f"{RUNNING}qos map dscp-tc ROCE\n no dscp 48\n"
    assert read(config)["Ethernet4"].dscp_to_tc[48] is None


def test_a_watchdog_that_is_off_guards_nothing() -> None:
    config = f"{RUNNING}interface Ethernet4\n priority-flow-control watchdog off\n"
    assert read(config)["Ethernet4"].watchdog_priorities == ()


def test_order_makes_no_difference() -> None:
    """FC-71: the box prints sections in its own order, and no `exit`."""
    config = text("two-lossless")
    blocks = [part.replace("\n  exit", "").replace("\n exit", "") for part in config.split("\n!\n")]
    assert read("\n!\n".join(reversed(blocks))) == read(config)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of Enterprise SONiC: it has no interface Eth"),
        ('{"PORT": {}}', "no config of Enterprise SONiC"),
        ("interface GigabitEthernet1/1\n mtu 9000\n", "no config of Enterprise SONiC"),
        ("interface range Eth 1/1-1/4\n mtu 9100\n", "line 1 of sonic-cli.cfg: 'interface range"),
        (
            "interface Eth1/1\nqos map dscp-tc A\n dscp 64 traffic-class 3\n",
            "line 3 of sonic-cli.cfg",
        ),
        ("interface Eth1/1\nqos map dscp-tc A\n dscp 5-3 traffic-class 3\n", "'5-3' is no number"),
        ("interface Eth1/1\nqos map dscp-tc A\n dscp ef traffic-class 3\n", "'ef' is no number"),
        ("interface Eth1/1\nqos map tc-queue A\n traffic-class 3 queue 8\n", "'8' is no number"),
        ("interface Eth1/1\n priority-flow-control priority 9\n", "line 2 of sonic-cli.cfg"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no sonic-cli\.cfg"):
        chains(SYSTEM, {}, "leaf1")
