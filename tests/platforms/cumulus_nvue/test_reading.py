"""Configs as a box prints them: other order, ranges, YAML, defaults absent, RoCE mode."""

from __future__ import annotations

import json

import pytest
import yaml

from fabric.model.qos import QosChain, QueueSettings, Watchdog
from fabric.platforms import ConfigError, cumulus_nvue
from fabric.platforms.cumulus_nvue.ranges import codes, names
from fabric.text import chains
from tests.platforms.cumulus_nvue.cases import FILE, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("cumulus_nvue", {FILE: config}, "leaf1")}


# As `nv config show -o commands` prints: ranges, a banner over lines, a port in another range.
SHOWN = """\
cumulus@leaf01:mgmt:~$ nv config show -o commands
nv set bridge domain br_default type vlan-aware
nv set qos mapping default-global dscp 24-26,30 switch-priority 4
nv set qos mapping default-global trust both
nv set qos egress-queue-mapping default-global switch-priority 4 traffic-class 5
nv set qos pfc default-global cable-length 50
nv set qos pfc default-global switch-priority 4
nv set qos pfc-watchdog polling-interval 200
nv set qos congestion-control mine traffic-class 4,5 max-threshold 200000
nv set qos congestion-control mine traffic-class 4,5 min-threshold 40000
nv set qos egress-scheduler list2 traffic-class 2,5 bw-percent 50
nv set qos egress-scheduler list2 traffic-class 6 mode strict
nv set qos egress-shaper slow traffic-class 2 max-rate 500
nv set qos traffic-pool default-lossless memory-percent 40
nv set qos traffic-pool default-lossy memory-percent 60
nv set system hostname leaf01
nv set system message pre-login '#####
# nv set qos pfc default-global switch-priority 0
# it'"'"'s a banner #####'
nv set interface bond1 bond member swp9
nv set interface eth0 ip address 192.0.2.1/24
nv set interface lo type loopback
nv set interface swp1 link breakout 4x lanes-per-port 2
nv set interface swp1s0-3,2 type swp
nv set interface swp1s0-1,2 qos congestion-control profile mine
nv set interface swp1s0-1 qos pfc-watchdog
nv set interface swp2 qos pfc-watchdog state disable
nv set interface swp2 qos egress-scheduler profile list2
nv set interface swp2 qos egress-shaper profile slow
nv set interface swp2,9 link mtu 9000
nv set interface swp2.100 ip address 10.0.0.1/31
nv set interface vlan10,20 type svi
cumulus@leaf01:mgmt:~$
"""


def test_front_ports_alone_are_ports_and_ranges_are_taken_apart() -> None:
    assert list(read(SHOWN)) == ["swp1s0", "swp1s1", "swp1s2", "swp1s3", "swp2", "swp9"]


def test_a_global_profile_holds_where_a_port_has_none() -> None:
    found = read(SHOWN)
    assert all(chain.pfc_priorities == (4,) for chain in found.values())
    assert found["swp1s0"].watchdog_priorities == (4,)
    assert found["swp1s0"].watchdog == Watchdog(
        enabled=True, poll_ms=200, detect_ms=600, restore_ms=200, action="drop"
    )
    assert found["swp1s2"].watchdog is None
    assert found["swp2"].watchdog_priorities == ()


def test_dscps_that_are_not_written_follow_the_default_map() -> None:
    chain = read(SHOWN)["swp1s0"]
    assert [dscp for dscp, priority in enumerate(chain.dscp_to_tc) if priority == 4] == [
        24, 25, 26, 30, 32, 33, 34, 35, 36, 37, 38, 39,
    ]  # fmt: skip
    assert (chain.dscp_to_tc[27], chain.dscp_to_tc[46]) == (3, 5)
    assert chain.tc_to_queue == (0, 1, 2, 3, 5, 5, 6, 7)


def test_marking_of_a_profile_and_of_the_default() -> None:
    found = read(SHOWN)
    (five,) = (q for q in found["swp1s0"].queues if q.queue == 5)
    assert five == QueueSettings(
        5, "dwrr", 13, ecn=True, kmin_bytes=40_000, kmax_bytes=200_000, pmax_percent=100
    )
    assert not found["swp1s0"].queues[0].ecn
    assert found["swp9"].queues[0] == QueueSettings(
        0, "dwrr", 12, ecn=True, kmin_bytes=150_000, kmax_bytes=1_500_000, pmax_percent=100
    )


def test_shares_and_caps_of_a_port_of_its_own() -> None:
    queues = read(SHOWN)["swp2"].queues
    assert [queue.weight for queue in queues] == [None, None, 50, None, None, 50, None, None]
    assert [queue.scheduler for queue in queues[5:]] == ["dwrr", "strict", None]
    assert queues[2].max_rate_bytes_per_s == 62_500  # 500 kbps


def test_mtu_is_9216_unless_written() -> None:
    found = read(SHOWN)
    assert (found["swp1s0"].mtu_bytes, found["swp2"].mtu_bytes) == (9216, 9000)


# What the vendor's page shows for the preset, and one line on top of it.
ROCE = """\
- header:
    model: SN5600
    version: Cumulus Linux 5.15.0
- set:
    qos:
      roce:
        mode: lossless
        state: enabled
      mapping:
        default-global:
          dscp:
            '46':
              switch-priority: 3
    interface:
      swp1-2:
        type: swp
        qos:
          pfc-watchdog:
            state: enable
      eth0:
        type: eth
"""


def test_roce_mode_is_the_presets_maps() -> None:
    chain = read(ROCE)["swp2"]
    assert chain.pfc_priorities == chain.watchdog_priorities == (3,)
    assert (chain.dscp_to_tc[26], chain.dscp_to_tc[48], chain.dscp_to_tc[46]) == (3, 6, 3)
    assert chain.dscp_to_tc[40] == 5
    assert chain.tc_to_queue == (0, 0, 0, 3, 0, 0, 6, 0)
    assert chain.queues[3].weight == 50
    assert (chain.queues[3].ecn, chain.queues[6].scheduler) == (True, "strict")
    assert cumulus_nvue.problems({FILE: ROCE}) == ()


@pytest.mark.parametrize("word", ["lossless", "lossless-single-ipool"])
def test_lossless_modes_pause(word: str) -> None:
    assert read(ROCE.replace("lossless\n", f"{word}\n"))["swp1"].pfc_priorities == (3,)


def test_the_lossy_mode_marks_and_does_not_pause() -> None:
    chain = read(ROCE.replace("lossless\n", "lossy\n"))["swp1"]
    assert (chain.pfc_priorities, chain.queues[3].ecn) == ((), True)


def test_roce_switched_off_is_the_switchs_own_defaults() -> None:
    chain = read(ROCE.replace("state: enabled", "state: disabled"))["swp1"]
    assert chain.pfc_priorities == ()
    assert chain.dscp_to_tc == (None,) * 64, "the default trusts 802.1p alone"


def test_a_mode_that_was_not_read_is_said() -> None:
    with pytest.raises(ConfigError, match="qos roce mode lossy-multi-tc is not known"):
        read(ROCE.replace("lossless\n", "lossy-multi-tc\n"))


def test_yaml_json_and_lines_are_the_same() -> None:
    """`nv config show` in its three forms."""
    lines = (
        "nv set qos roce mode lossless\n"
        "nv set qos roce state enabled\n"
        "nv set qos mapping default-global dscp 46 switch-priority 3\n"
        "nv set interface swp1-2 type swp\n"
        "nv set interface swp1-2 qos pfc-watchdog state enable\n"
        "nv set interface eth0 type eth\n"
    )
    blocks = yaml.safe_load(ROCE)
    assert read(ROCE) == read(lines) == read(json.dumps(blocks)) == read(json.dumps(blocks[1]))
    assert read(ROCE) == read(json.dumps(blocks[1]["set"]))


def test_order_makes_no_difference_and_the_last_value_counts() -> None:
    config = text("numbered")
    lines = config.splitlines()
    assert read("\n".join(reversed(lines))) == read(config)
    again = f"{config}nv set interface swp3 link mtu 1500\nnv set interface swp3 link mtu 9216\n"
    assert read(again) == read(config)


def test_unset_takes_back() -> None:
    config = f"{text('numbered')}nv unset interface swp3-4 qos pfc\n"
    found = read(config)
    assert (found["swp3"].pfc_priorities, found["swp1s0"].pfc_priorities) == ((), (3,))


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of NVUE: it has no interface"),
        ("interface Ethernet1\n mtu 9216\n", "no config of NVUE: it has no interface"),
        ('{"PORT": {}}', "no config of NVUE: it has no interface"),
        ("{{", "neither lines of nv set nor YAML"),
        ("nv set interface swp1\nmtu 9216\n", "line 2 of fabric.nv is no line of nv set"),
        ("nv set interface swp1\nnv set x 'y\n", "line 2 of fabric.nv: a quoted text"),
        (
            (
                "nv set interface swp1\nnv set qos mapping default-global trust l3\n"
                "nv set qos mapping default-global dscp 64 switch-priority 3\n"
            ),
            "'64' is no number or range below 64",
        ),
        (
            (
                "nv set interface swp1\nnv set qos egress-queue-mapping default-global "
                "switch-priority 3 traffic-class 8\n"
            ),
            "8 is not below 8",
        ),
        ("nv set interface swp1 link mtu auto\n", "'auto' is no whole number"),
        (f"interface: {'{a: ' * 60}b{'}' * 60}", "nested deeper"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_a_file_that_grows_from_aliases_is_refused() -> None:
    levels = "\n".join(f"a{n}: &a{n} {{x: *a{n - 1}, y: *a{n - 1}}}" for n in range(1, 30))
    with pytest.raises(ConfigError, match="larger than any config"):
        read(f"a0: &a0 {{interface: {{swp1: {{}}}}}}\n{levels}\ninterface: {{swp1: {{}}}}\n")


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no fabric\.nv"):
        chains("cumulus_nvue", {}, "leaf1")


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("swp1", ["swp1"]),
        ("swp1-3,7", ["swp1", "swp2", "swp3", "swp7"]),
        ("swp1-2s0-1", ["swp1s0", "swp1s1", "swp2s0", "swp2s1"]),
        ("swp1,bond2-3", ["swp1", "bond2", "bond3"]),
        ("vlan10,20", ["vlan10", "vlan20"]),
        ("peerlink.4094", ["peerlink.4094"]),
        ("swp9-1", ["swp9-1"]),
        ("swp1-99999999", ["swp1-99999999"]),
        ("", [""]),
    ],
)
def test_names_written_short(written: str, meant: list[str]) -> None:
    assert list(names(written)) == meant


@pytest.mark.parametrize("written", ["8", "3-1", "a", "", "1,", "-1"])
def test_numbers_that_are_none(written: str) -> None:
    with pytest.raises(ValueError, match="no number or range below 8"):
        codes(written, 8)


SWP3 = "nv set interface swp3"


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (f"{SWP3} qos pfc profile fabric-pfc-3-5m\n", "", "interface swp3: no priority has PFC"),
        (f"{SWP3} qos pfc profile fabric-pfc-3-5m\n", "", "interface swp3: has a PFC watchdog"),
        (
            f"{SWP3} qos pfc profile fabric-pfc-3-5m\n",
            f"{SWP3} qos pfc profile X\n",
            "interface swp3: there is no qos pfc X",
        ),
        ("3-5m rx enable\n", "3-5m rx disable\n", "interface swp1s0: PFC is off in one"),
        (
            "traffic-class 3 ecn enable\n",
            "traffic-class 3 ecn disable\n",
            "interface swp1s0: traffic class 3 is lossless and marks nothing",
        ),
        ("trust l3\n", "trust l2\n", "interface swp1s0: does not trust DSCP"),
        ("dscp 26 switch-priority 3\n", "dscp 2 switch-priority 3\n", "qos mapping default-global"),
        ("default-lossless memory-percent 50\n", "mc-lossy memory-percent 5\n", "qos traffic-pool"),
        ("default-lossy memory-percent 50\n", "default-lossy memory-percent 60\n", "qos traffic"),
        (
            "nv set qos traffic-pool default-lossy memory-percent 50\n",
            "nv set qos traffic-pool roce-lossless memory-percent 50\n",
            "qos traffic-pool: two lossless pools",
        ),
        ("class 3 bw-percent 50\n", "class 3 bw-percent 60\n", "interface swp1s0: bw-percent adds"),
        (
            f"{SWP3} type swp\n",
            f"{SWP3} link breakout 2x200G\n",
            "interface swp3: breakout 2x200G is written as before 5.4",
        ),
        (
            f"{SWP3} type swp\n",
            "nv set interface bond1 bond member swp3\n",
            "interface swp3: NVUE rejects QoS profiles there, they belong to bond1",
        ),
        (
            f"{SWP3} type swp\n",
            (
                "nv set interface bond1 bond member swp9\n"
                "nv set interface bond1 qos pfc-watchdog state enable\n"
            ),
            "interface bond1: the PFC watchdog belongs",
        ),
    ],
)
def test_what_breaks_it_silently(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = cumulus_nvue.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found


def test_split_ports_may_stand_in_the_other_file() -> None:
    both = {"ports.nv": "nv set interface swp1 link breakout 2x\n", FILE: "interface: {swp1: {}}"}
    assert chains("cumulus_nvue", both, "x") == ()
    (chain,) = chains("cumulus_nvue", {FILE: both[FILE]}, "x")
    assert chain.port == "swp1"


def test_remarking_counts_where_some_port_rewrites() -> None:
    lines = (
        "nv set interface swp1 type swp\nnv set interface swp1 qos remark profile out\n"
        "nv set qos remark out switch-priority 1 dscp 37\n"
    )
    assert read(lines)["swp1"].tc_to_dscp == (None,) * 8
    rewriting = f"{lines}nv set qos remark in rewrite l3\n"
    assert read(rewriting)["swp1"].tc_to_dscp[1] == 37
