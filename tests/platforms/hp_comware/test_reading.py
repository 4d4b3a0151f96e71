"""Configs as a box prints them: other order, names of queues, the system view; what is none."""

from __future__ import annotations

import pytest

from fabric.model.qos import QosChain, QueueSettings
from fabric.platforms import ConfigError, hp_comware
from fabric.text import chains
from tests.platforms.hp_comware.cases import FILE, text


def read(config: str) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains("hp_comware", {FILE: config}, "tor")}


# Words of the published port script for 400G ports, and of the guide to PFC.
BOX = """#
 version 7.1.070, Release 6710
#
 sysname tor
#
 priority-flow-control enable
 priority-flow-control no-drop dot1p 5
#
qos map-table dscp-dot1p
 import 26 27 export 3
#
qos map-table dot1p-lp
 import 0 export 0
 import 3 5 export 5
#
interface NULL0
#
interface FourHundredGigE1/0/95
 port link-mode bridge
 priority-flow-control no-drop dot1p 3-4
 priority-flow-control dot1p 5 headroom 2000
 qos trust dscp
 qos wfq byte-count
 qos wfq ef group 1 byte-count 96
 qos wfq cs6 group sp
 qos wred queue 5 ecn
#
interface TwoHundredGigE1/0/1:1
 port link-mode route
 mtu 9008
 priority-flow-control auto
 qos wfq ef group 1 byte-count 96
#
interface M-GigabitEthernet0/0/0
 ip address 192.0.2.1 24
#
return
"""


def test_ports_take_what_the_system_view_says_and_may_say_otherwise() -> None:
    found = read(BOX)
    assert list(found) == ["FourHundredGigE1/0/95", "TwoHundredGigE1/0/1:1"]
    chain = found["FourHundredGigE1/0/95"]
    assert chain.pfc_priorities == (3, 4)
    assert [dscp for dscp, queue in enumerate(chain.dscp_to_tc) if queue == 5] == [26, 27]
    assert chain.dscp_to_tc.count(None) == 62, "defaults differ by model"
    assert chain.tc_to_queue == tuple(range(8))
    assert chain.queues[5] == QueueSettings(5, "dwrr", 96)
    assert chain.queues[6] == QueueSettings(6, "strict")
    assert chain.mtu_bytes is None


def test_auto_is_not_on_and_shares_without_wfq_do_nothing() -> None:
    chain = read(BOX)["TwoHundredGigE1/0/1:1"]
    assert chain.pfc_priorities == ()
    assert chain.dscp_to_tc == (None,) * 64
    assert chain.queues[5] == QueueSettings(5, None)
    assert chain.mtu_bytes == 9008


def test_order_makes_no_difference() -> None:
    config = text("numbered").removesuffix("#\n")
    other = "#\n" + "\n#\n".join(reversed(config.split("\n#\n"))) + "\n#\n"
    assert other != config
    assert read(other) == read(config)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ("", "no config of Comware"),
        ("interface Vlan-interface1\n", "no config of Comware"),
        (BOX.replace("26 27", "64"), "'import 64 export 3' is no import here"),
        (BOX.replace("export 5", "export 8"), "'import 3 5 export 8'"),
        (BOX.replace("import 0", "input 0"), "'input 0 export 0'"),
        (BOX.replace("3-4", "9"), "'9' is no priority"),
    ],
)
def test_what_is_no_config_is_said(config: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        read(config)


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no comware\.cfg"):
        chains("hp_comware", {}, "tor")


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (" qos trust dscp\n", "", "interface HundredGigE1/0/1: does not trust DSCP"),
        (
            " qos trust dscp\n",
            " qos trust dscp\n qos trust dot1p\n",
            "interface HundredGigE1/0/1: d",
        ),
        (
            " priority-flow-control enable\n",
            "",
            "interface HundredGigE1/0/1: priority-flow-control",
        ),
        (" priority-flow-control no-drop dot1p 3\n", "", "interface HundredGigE1/0/1: no priority"),
        ("no-drop dot1p 3\n", "no-drop dot1p 3,6\n", "interface HundredGigE1/0/1: priority 6 is"),
        (" qos wfq byte-count\n", "", "interface HundredGigE1/0/1: qos wfq is not on"),
        (" import 26 export 3\n", "", "qos map-table: 1 of 64 DSCPs follow the default, 26"),
    ],
)
def test_what_breaks_it_silently(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = hp_comware.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found[:5]


def test_a_late_link_mode_resets_what_stands_above_it() -> None:
    config = text("numbered").replace(" port link-mode route\n", "")
    late = config.replace(" qos trust dscp\n", " qos trust dscp\n port link-mode route\n")
    found = hp_comware.problems({FILE: late})
    words = "port link-mode route is not its first line: it resets those above"
    assert f"interface HundredGigE1/0/1: {words}" in found
