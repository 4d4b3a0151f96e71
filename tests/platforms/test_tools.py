"""Tools and hosts are read like switches and are no switches."""

from __future__ import annotations

import pytest

from fabric import catalog
from fabric.catalog.commands import command_book, readable_names
from fabric.files.locate import templates_root
from fabric.text.output import read_output

ROOTS = (templates_root(),)


@pytest.mark.parametrize("tool", ["nccl_tests", "perftest"])
def test_a_tool_is_readable_and_no_system_of_a_switch_or_host(tool: str) -> None:
    assert tool in readable_names(ROOTS)
    assert tool not in catalog.platform_names(ROOTS)


def test_the_tool_is_known_by_its_own_name() -> None:
    assert command_book("nccl-tests", ROOTS).platform == "nccl_tests"


@pytest.mark.parametrize(
    ("said", "slug", "line", "owner"),
    [
        ("perftest", "ib_write_bw",
         ("#       size         count      type   redop    root     time   algbw   busbw #wrong"
         "     time   algbw   busbw #wrong\n"
         "          64            16     float     sum      -1    21.1    0.0    0.0      0"
         "    21.2    0.0    0.0      0\n"), "nccl_tests"),
        ("arista_eos", "show_lldp_neighbors",
         "lldp.eth1.via=LLDP\nlldp.eth1.chassis.name=s1\nlldp.eth1.port.ifname=e9\n", "linux"),
        ("linux", "ip_route_show",
         ("Codes: C - connected, S - static, K - kernel,\n"
         " C        192.0.2.0/31 is directly connected, Ethernet9\n"), "arista_eos"),
    ],
)  # fmt: skip
def test_another_ones_output_is_named(said: str, slug: str, line: str, owner: str) -> None:
    output = read_output(said, slug, line.encode(), ROOTS)
    assert (output.facts, output.mismatch) == ({}, owner)
