"""Configs as a box prints them: other order, defaults absent, ranges; what is no config."""

from __future__ import annotations

import pytest

from fabric.model.qos import QosChain, QueueSettings, Watchdog
from fabric.platforms import ConfigError
from fabric.text import chains
from tests.platforms.huawei_vrp.cases import FILE, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("huawei_vrp", {FILE: config}, "leaf1")}


# As `display current-configuration` prints it: defaults absent, one blank of indentation.
PRINTED = """\
!Software Version V300R023C00SPC500
!Last configuration was updated at 2024-05-01 10:00:00 by admin
#
sysname pod7-leaf3
#
dcb pfc
#
dcb pfc dscp-mapping enable slot 1
#
qos buffer headroom-pool size 6 mbytes slot 1
#
diffserv domain default
#
diffserv domain lossless
 ip-dscp-inbound 46 phb af3
 ip-dscp-inbound 24 phb be green
#
drop-profile shares
 ecn low-limit 20 high-limit 60 discard-percentage 15
#
drop-profile bytes
 color green low-limit 90 high-limit 100 discard-percentage 10
 ecn buffer-size low-limit 204800 high-limit 819200 discard-percentage 40
#
interface Vlanif20
 ip address 192.0.2.1 255.255.255.0
#
interface 100GE1/0/10
 undo portswitch
 mtu 4200
 trust upstream lossless
 dcb pfc enable mode manual
 qos drr 0 to 3 5
 qos queue 3 drr weight 70
 qos queue 3 wred bytes
 qos queue 3 ecn
 qos queue 6 shaping percent cir 20 pir 25
#
interface 100GE1/0/9
 port default vlan 20
 dcb pfc enable mode auto
 qos queue 3 wred shares
 qos queue 3 ecn
#
interface 100GE1/0/11
 undo portswitch
 mtu 9000
 jumboframe enable 9500
 flow-control
#
interface 100GE1/0/9.200
 dot1q termination vid 200
#
interface NULL0
#
return
"""


def test_what_is_not_printed_is_the_default() -> None:
    found = read(PRINTED)
    assert list(found) == ["100GE1/0/9", "100GE1/0/10", "100GE1/0/11"]
    chain = found["100GE1/0/10"]
    assert (chain.device, chain.pfc_priorities, chain.watchdog_priorities) == ("leaf1", (3,), (3,))
    assert chain.watchdog == Watchdog(
        enabled=True, poll_ms=0, detect_ms=100, restore_ms=100, action="unknown"
    )
    assert chain.tc_to_queue == chain.pfc_priority_to_queue == (0, 1, 2, 3, 4, 5, 6, 7)


def test_a_domain_begins_with_the_default_map() -> None:
    found = read(PRINTED)
    mapped = found["100GE1/0/10"].dscp_to_tc
    assert (mapped[46], mapped[24], mapped[26], mapped[47], mapped[63]) == (3, 0, 3, 5, 7)
    default = found["100GE1/0/11"].dscp_to_tc
    assert default == tuple(dscp // 8 for dscp in range(64))


def test_a_port_in_layer_2_goes_by_its_vlan_tag() -> None:
    chain = read(PRINTED)["100GE1/0/9"]
    assert chain.dscp_to_tc == (None,) * 64
    assert chain.pfc_priorities == (3,)
    assert chain.mtu_bytes == 9216 - 22
    config = PRINTED.replace(" port default vlan 20\n", " trust dscp\n")
    assert read(config)["100GE1/0/9"].dscp_to_tc[26] == 3


def test_the_mtu_of_a_routed_port_is_its_own_unless_frames_are_shorter() -> None:
    found = read(PRINTED)
    assert [found[f"100GE1/0/{n}"].mtu_bytes for n in (10, 11)] == [4200, 9000]
    assert read(PRINTED.replace(" mtu 4200\n", ""))["100GE1/0/10"].mtu_bytes == 1500
    short = PRINTED.replace("jumboframe enable 9500", "jumboframe enable 1518")
    assert read(short)["100GE1/0/11"].mtu_bytes == 1496


def test_queues() -> None:
    queues = read(PRINTED)["100GE1/0/10"].queues
    assert queues[0] == QueueSettings(0, "dwrr", 1)
    assert queues[3] == QueueSettings(
        3, "dwrr", 70, ecn=True, kmin_bytes=204800, kmax_bytes=819200, pmax_percent=40
    )
    assert queues[5].scheduler == "dwrr"
    assert queues[6] == QueueSettings(6, None, max_rate_bytes_per_s=3_125_000_000)


def test_a_share_of_the_queue_is_no_number_of_bytes() -> None:
    queue = read(PRINTED)["100GE1/0/9"].queues[3]
    assert queue == QueueSettings(3, None, ecn=True, pmax_percent=15)


def test_neither_pfc_that_is_off_nor_a_profile_that_is_missing() -> None:
    assert read(PRINTED)["100GE1/0/11"].pfc_priorities == ()
    off = PRINTED.replace("#\nsysname", "#\ndcb pfc global disable\n#\nsysname")
    assert read(off)["100GE1/0/10"].pfc_priorities == ()
    other = PRINTED.replace("dcb pfc enable mode manual", "dcb pfc enable roce mode manual")
    assert read(other)["100GE1/0/10"].pfc_priorities == ()
    written = other.replace("dcb pfc\n", "dcb pfc\n#\ndcb pfc roce\n priority 4\n", 1)
    assert read(written)["100GE1/0/10"].pfc_priorities == (3, 4)
    undone = written.replace(" priority 4\n", " priority 4\n undo priority 3\n")
    assert read(undone)["100GE1/0/10"].pfc_priorities == (4,)


@pytest.mark.parametrize(
    ("lines", "detect_ms", "restore_ms", "action"),
    [
        ("dcb pfc deadlock-detect interval 500\n#\n", 5000, 5000, "unknown"),
        ("dcb pfc deadlock-detect timer 512\n#\n", 512, 100, "unknown"),
        ("dcb pfc deadlock-recovery timer 1000\n#\n", 100, 1000, "unknown"),
        ("dcb pfc deadlock recovery-behavior discard slot 1\n#\n", 100, 100, "drop"),
        ("dcb pfc deadlock recovery-behavior forwarding slot 1\n#\n", 100, 100, "forward"),
    ],
)
def test_deadlock_detection(lines: str, detect_ms: int, restore_ms: int, action: str) -> None:
    watchdog = read(lines + PRINTED)["100GE1/0/10"].watchdog
    assert watchdog == Watchdog(
        enabled=True, poll_ms=0, detect_ms=detect_ms, restore_ms=restore_ms, action=action
    )


def test_times_of_a_priority_in_steps() -> None:
    own = "dcb pfc\n priority 3 deadlock-detect time 4\n priority 3 deadlock-recovery time 7\n"
    watchdog = read(PRINTED.replace("dcb pfc\n", own, 1))["100GE1/0/10"].watchdog
    assert watchdog is not None
    assert (watchdog.detect_ms, watchdog.restore_ms) == (40, 70)


def test_parts_of_a_split_port_have_their_own_speed() -> None:
    config = (
        "port split dimension interface 100GE1/0/3 to 100GE1/0/4 split-type 4*25GE\n#\n"
        "interface 100GE1/0/4:2\n qos queue 6 shaping percent cir 10\n"
        "interface 100GE1/0/5\n speed 40000\n qos queue 6 shaping percent cir 10\n"
    )
    caps = {port: chain.queues[6].max_rate_bytes_per_s for port, chain in read(config).items()}
    assert caps == {"100GE1/0/4:2": 312_500_000, "100GE1/0/5": 500_000_000}


def test_a_later_section_goes_on_and_undo_takes_back() -> None:
    later = "interface 100GE1/0/10\n undo qos queue 3 ecn\n mtu 9000\n"
    chain = read(PRINTED + later)["100GE1/0/10"]
    assert chain.mtu_bytes == 9000
    assert not chain.queues[3].ecn


def test_order_makes_no_difference() -> None:
    config = text("numbered")
    blocks = config.split("#\n")
    assert read("#\n".join(reversed(blocks))) == read(config)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of VRP: it has no interface"),
        ('{"PORT": {}}', "no config of VRP: it has no interface"),
        (" mtu 9214\ninterface 100GE1/0/1\n", "no config of VRP: it begins with 'mtu 9214'"),
        ("interface 100GE1/0/1\n qos drr 5 to 3\n", r"vrp\.cfg: '5 to 3' in 'qos drr 5 to 3'"),
        ("interface 100GE1/0/1\n qos pq 8\n", r"vrp\.cfg: '8' in 'qos pq 8' is no number below 8"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no vrp\.cfg"):
        chains("huawei_vrp", {}, "leaf1")
