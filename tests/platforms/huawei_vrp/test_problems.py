"""What VRP takes though it breaks lossless Ethernet is said."""

from __future__ import annotations

import pytest

from fabric.platforms import huawei_vrp
from tests.platforms.huawei_vrp.cases import FILE, text


@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        (" dcb pfc enable mode manual\n", "", "interface 400GE1/0/1:1: no priority is lossless"),
        (" mtu 9216\n", "", "interface 400GE1/0/1:1: its MTU is 1500"),
        (" undo portswitch\n", "", "interface 400GE1/0/1:1: in layer 2 it does not trust DSCP"),
        (" undo shutdown\n", " flow-control\n", "interface 400GE1/0/1:1: flow-control and PFC"),
        ("domain ROCE\n", "domain X\n", "interface 400GE1/0/1:1: there is no diffserv domain ROCE"),
        (
            "\ndrop-profile ROCE-375000",
            "\ndrop-profile X-375000",
            "interface 400GE1/0/1:1: queue 3 has no drop-profile ROCE-375000-1500000-5",
        ),
        (" qos queue 3 ecn\n", "", "interface 400GE1/0/1:1: queue 3 is lossless and marks"),
        (
            " qos queue 3 wred ROCE-375000-1500000-5\n",
            "",
            "interface 400GE1/0/1:1: queue 3 marks by no drop-profile",
        ),
        ("dcb pfc dscp-mapping enable slot 1\n", "", "no dcb pfc dscp-mapping enable: untagged"),
        ("qos buffer headroom-pool size 1024 kbytes slot 1\n", "", "no qos buffer headroom-pool"),
        (
            "lldp enable\n",
            "qos ecn enable\n",
            "qos ecn enable and a headroom pool",
        ),
        ("lldp enable\n", "dcb pfc global disable\n", "dcb pfc global disable: no port pauses"),
        (
            "dcb pfc deadlock recovery-behavior discard slot 1\n",
            "",
            "no dcb pfc deadlock recovery-behavior",
        ),
    ],
)
def test_what_breaks_it_silently(line: str, instead: str, said: str) -> None:
    config = text("numbered")
    assert line in config
    found = huawei_vrp.problems({FILE: config.replace(line, instead)})
    assert any(problem.startswith(said) for problem in found), found


def test_family_b_without_its_global_switch() -> None:
    found = huawei_vrp.problems({FILE: text("family-b").replace("qos ecn enable\n", "")})
    (problem,) = found
    assert problem.startswith("neither dcb pfc dscp-mapping enable nor qos ecn enable")
