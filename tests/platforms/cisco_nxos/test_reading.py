"""Configs as a box prints them: other order, ranges, words for DSCPs; what is no config."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import ConfigError, cisco_nxos
from fabric.platforms.cisco_nxos.lines import interface_names
from fabric.text import chains
from tests.platforms.cisco_nxos.cases import FILE, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("cisco_nxos", {FILE: config}, "leaf1")}


# What the help script for RoCE applies, as a box prints it; thresholds in kbytes.
PRINTED = """
!Command: show running-config
!Time: Mon Nov  2 10:11:12 2026

version 10.4(5) Bios:version 01.10
hostname n9k-a
priority-flow-control watch-dog-interval on
class-map type qos match-any CNP
  match dscp 48
class-map type qos match-any ROCEv2
  match dscp 24-25,cs3,af31,28-31
policy-map type qos QOS_CLASSIFICATION
  class ROCEv2
    set qos-group 3
  class CNP
    set qos-group 7
  class class-default
    set qos-group 1
policy-map type network-qos qos_network
  class type network-qos c-8q-nq3
    pause pfc-cos 3
    mtu 9216
  class type network-qos c-8q-nq-default
    mtu 9216
policy-map type queuing QOS_EGRESS_PORT
  class type queuing c-out-8q-q3
    bandwidth remaining percent 50
    random-detect minimum-threshold 950 kbytes maximum-threshold 3000 kbytes drop-probability 7 weight 0 ecn
  class type queuing c-out-8q-q7
    priority level 1
  class type queuing c-out-8q-q-default
    bandwidth remaining percent 50
system qos
  service-policy type queuing output QOS_EGRESS_PORT
  service-policy type network-qos qos_network

interface Ethernet1/1
  priority-flow-control mode on
  priority-flow-control watch-dog-interval on
  no switchport
  mtu 9216
  service-policy type qos input QOS_CLASSIFICATION
  ip address 10.0.0.0/31
  no shutdown

interface Ethernet1/2
  priority-flow-control mode auto

interface Ethernet1/1.100
  mtu 1500

interface mgmt0
  vrf member management
"""  # noqa: E501 — as the switch prints it


def test_the_policies_of_the_system_hold_for_its_ports() -> None:
    found = read(PRINTED)
    assert list(found) == ["Ethernet1/1", "Ethernet1/2"]
    chain = found["Ethernet1/1"]
    assert (chain.device, chain.mtu_bytes) == ("leaf1", 9216)
    assert chain.pfc_priorities == chain.watchdog_priorities == (3,)
    assert chain.pfc_priority_to_queue == (None, None, None, 3, None, None, None, None)
    assert chain.queues[7] == QueueSettings(7, "strict")
    assert chain.queues[0] == QueueSettings(0, "dwrr", 50)
    assert chain.queues[1] == QueueSettings(1, None)


def test_a_kbyte_is_no_number_of_bytes() -> None:
    queue = read(PRINTED)["Ethernet1/1"].queues[3]
    assert queue == QueueSettings(3, "dwrr", 50, ecn=True, pmax_percent=7)


def test_dscps_by_number_range_and_name() -> None:
    chain = read(PRINTED)["Ethernet1/1"]
    assert [d for d, tc in enumerate(chain.dscp_to_tc) if tc == 3] == [24, 25, 26, 28, 29, 30, 31]
    assert chain.dscp_to_tc[48] == 7
    assert chain.dscp_to_tc.count(1) == 56


def test_a_port_without_an_input_policy_has_all_in_group_0() -> None:
    chain = read(PRINTED)["Ethernet1/2"]
    assert chain.dscp_to_tc == (0,) * 64
    assert chain.pfc_priorities == chain.watchdog_priorities == ()
    assert chain.mtu_bytes is None


@pytest.mark.parametrize(
    ("line", "instead"),
    [
        ("  service-policy type network-qos qos_network\n", ""),
        ("    pause pfc-cos 3\n", "    no pause\n"),
        ("  priority-flow-control mode on\n", "  no priority-flow-control mode on\n"),
        ("  priority-flow-control mode on\n", "  priority-flow-control mode off\n"),
    ],
)
def test_pfc_is_off_where_a_link_of_the_chain_is_missing(line: str, instead: str) -> None:
    assert read(PRINTED.replace(line, instead))["Ethernet1/1"].pfc_priorities == ()


def test_a_watchdog_must_be_on_for_the_switch_and_for_the_port() -> None:
    word = "priority-flow-control watch-dog-interval on\n"
    for config in (PRINTED.replace(f"\n{word}", "\n", 1), PRINTED.replace(f"  {word}", "", 1)):
        assert config != PRINTED
        assert read(config)["Ethernet1/1"].watchdog_priorities == ()


def test_random_detect_without_ecn_marks_nothing() -> None:
    chain = read(PRINTED.replace("weight 0 ecn", "weight 0"))["Ethernet1/1"]
    assert not chain.queues[3].ecn


def test_the_first_class_that_matches_has_the_packet() -> None:
    config = PRINTED.replace("  match dscp 48\n", "  match dscp 26,48\n")
    assert read(config)["Ethernet1/1"].dscp_to_tc[26] == 3
    first, second = "  class ROCEv2\n    set qos-group 3\n", "  class CNP\n    set qos-group 7\n"
    swapped = config.replace(first + second, second + first)
    assert read(swapped)["Ethernet1/1"].dscp_to_tc[26] == 7


def test_a_class_that_matches_cos_has_no_dscp() -> None:
    config = PRINTED.replace("match dscp 24-25,cs3,af31,28-31", "match cos 3")
    assert 3 not in read(config)["Ethernet1/1"].dscp_to_tc


def test_a_policy_of_the_port_goes_before_the_system_one() -> None:
    own = (
        "policy-map type queuing OWN\n  class type queuing c-out-8q-q3\n"
        "    bandwidth remaining percent 90\n"
        "interface Ethernet1/2\n  service-policy type queuing output OWN\n"
    )
    found = read(PRINTED + own)
    assert found["Ethernet1/2"].queues[3].weight == 90
    assert found["Ethernet1/1"].queues[3].weight == 50


def test_a_policy_for_what_comes_in_does_not_hold_for_queues() -> None:
    config = PRINTED.replace("type queuing output QOS_EGRESS_PORT", "type queuing input X")
    assert read(config)["Ethernet1/1"].queues == tuple(QueueSettings(n, None) for n in range(8))


def test_a_later_no_takes_a_line_back() -> None:
    again = (
        "interface Ethernet1/1\n  no mtu\n  no service-policy type qos input QOS_CLASSIFICATION\n"
    )
    chain = read(PRINTED + again)["Ethernet1/1"]
    assert (chain.mtu_bytes, set(chain.dscp_to_tc)) == (None, {0})


def test_a_member_has_the_settings_of_its_port_channel() -> None:
    more = (
        "interface port-channel20\n  mtu 4200\n  priority-flow-control mode on\n"
        "  service-policy type qos input QOS_CLASSIFICATION\n"
        "interface Ethernet1/3\n  channel-group 20 force mode active\n"
    )
    chain = read(PRINTED + more)["Ethernet1/3"]
    assert (chain.pfc_priorities, chain.mtu_bytes, chain.dscp_to_tc[26]) == ((3,), 4200, 3)


def test_a_policy_that_is_not_there_leaves_the_map_unknown() -> None:
    config = PRINTED.replace("input QOS_CLASSIFICATION", "input OTHER")
    assert read(config)["Ethernet1/1"].dscp_to_tc == (None,) * 64


def test_own_network_classes_name_their_group() -> None:
    config = PRINTED.replace(
        "class type network-qos c-8q-nq3", "class type network-qos NQ"
    ).replace(
        "policy-map type network-qos",
        "class-map type network-qos match-any NQ\n  match qos-group 3\npolicy-map type network-qos",
    )
    assert read(config)["Ethernet1/1"].pfc_priorities == (3,)


def test_order_and_banner_make_no_difference() -> None:
    config = text("numbered")
    blocks = config.split("\n!\n")
    banner = "banner motd #\ninterface Ethernet1/1/1\n  mtu 1500\n#\n"
    assert read(banner + "\n!\n".join(reversed(blocks))) == read(config)


def test_ranges_of_ports_are_written_out() -> None:
    assert interface_names("Ethernet1/1-3") == ["Ethernet1/1", "Ethernet1/2", "Ethernet1/3"]
    assert interface_names("e1/1") == []
    assert interface_names("Ethernet 1/1 - 2, eth1/9/3") == [
        "Ethernet1/1",
        "Ethernet1/2",
        "Ethernet1/9/3",
    ]
    assert interface_names("ethernet1/1-1/2,1/7") == ["Ethernet1/1", "Ethernet1/2", "Ethernet1/7"]
    assert interface_names("breakout module 1 port 1 map 10g-4x") == []
    assert interface_names("Ethernet1/1-99999") == []


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of NX-OS: it has no interface"),
        ('{"PORT": {}}', "no config of NX-OS: it has no interface"),
        ("hostname x\n", "no config of NX-OS: it has no interface"),
        ("  mtu 9216\ninterface Ethernet1/1\n", r"line 1 of nxos\.cfg is indented below nothing"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no nxos\.cfg"):
        chains("cisco_nxos", {}, "leaf1")


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (
            "  service-policy type network-qos ROCE-NETWORK\n",
            "",
            "policy-map ROCE-NETWORK pauses, but system qos does not apply it",
        ),
        ("    pause pfc-cos 3\n", "", "no class of the network-qos policy in force pauses"),
        (" weight 0 ecn\n", " weight 0\n", "policy-map ROCE-OUT-10G-18750-75000: random-detect of"),
        ("    random-detect", "    ! ", "policy-map ROCE-OUT-10G-18750-75000: queue 3 is no-drop"),
        (
            "  service-policy type qos input ROCE-IN\n",
            "",
            "interface Ethernet1/1/1: no input policy, so all of it is in qos-group 0",
        ),
        (
            "  priority-flow-control mode on\n",
            "  priority-flow-control mode auto\n",
            "interface Ethernet1/1/1: priority-flow-control mode auto, which is off without DCBX",
        ),
        (
            "  priority-flow-control mode on\n",
            "",
            "interface Ethernet1/1/1: priority-flow-control no mode",
        ),
        (
            "  service-policy type queuing output ROCE-OUT-200G",
            "  service-policy type queuing output X",
            "interface Ethernet1/1/1: there is no policy-map type queuing X",
        ),
        (
            "\npriority-flow-control watch-dog-interval on\n",
            "\n",
            "watch-dog-interval is on for po",
        ),
        (
            "  priority-flow-control watch-dog-interval on\n",
            "",
            "watch-dog-interval is on for the s",
        ),
        ("  match dscp 26\n", "  match cos 3\n", "class ROCE-roce matches CoS"),
        (
            "    pause pfc-cos 3\n    mtu 9216\n",
            "    pause pfc-cos 3\n    mtu 1500\n",
            "network-qos: qos-group 3 has MTU 1500, ports have 9216",
        ),
        (
            "    bandwidth remaining percent 50\n    random",
            "    bandwidth remaining percent 40\n    random",
            "policy-map ROCE-OUT-10G-18750-75000: bandwidth remaining percent adds up to 90",
        ),
    ],
)
def test_what_breaks_it_silently(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = cisco_nxos.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found


@settings(max_examples=80)
@given(
    case=st.sampled_from(["numbered", "bond", "dual"]),
    places=st.lists(st.tuples(st.integers(0, 400), st.text(max_size=4)), max_size=8),
)
def test_a_damaged_config_is_read_or_refused(case: str, places: list[tuple[int, str]]) -> None:
    lines = text(case).split("\n")
    for place, instead in places:
        line = lines[place % len(lines)]
        lines[place % len(lines)] = line[: place % (len(line) + 1)] + instead
    files = {FILE: "\n".join(lines)}
    try:
        found = cisco_nxos.chains(files, "leaf1")
    except ConfigError:
        return
    assert all(len(chain.dscp_to_tc) == 64 for chain in found)
    assert isinstance(cisco_nxos.problems(files), tuple)
    assert isinstance(cisco_nxos.settings(files), dict)
