"""What `fabric analyze bandwidth` says where hosts are mixed, or nobody is left to send to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

LAB = str(INVENTORIES / "leafspine-lab.yaml")
MIXED = """\
fabric: mixed
topology: {kind: leaf-spine, leaves: 4, spines: 2}
platforms: {default: {platform: sonic, model: generic}}
links: {speed: 400}
hosts:
  - {names: "a[1-6]", nics: 1, speed: 100}
  - {names: "b[1-4]", nics: 2, speed: 400, nic: connectx-7}
"""
ALL = ("--fail", "leaf-0", "leaf-1", "leaf-2", "leaf-3")


def test_the_legend_of_theta_knows_mixed_rates(fabric: Shell) -> None:
    """The traffic of every endpoint is of one unit, whatever its own NIC's rate."""
    fabric.write("mixed.yaml", MIXED)
    out = fabric("analyze", "bandwidth", "mixed.yaml", "--only", "theta").out
    text = " ".join(out.split())
    assert "1 = every endpoint sending 400G, whatever the rate of its own NIC" in text
    assert "a slower NIC never has 100 %" in text
    assert "line rate" not in text
    alike = fabric("analyze", "bandwidth", LAB, "--only", "theta").out
    assert "1 = every NIC at line rate" in " ".join(alike.split())


@pytest.mark.parametrize("words", [(), ("--failures", "1")], ids=["one state", "sweep"])
def test_who_takes_all_leaves_out_is_told_so(fabric: Shell, words: tuple[str, ...]) -> None:
    done = fabric("analyze", "bandwidth", LAB, *words, *ALL)
    assert (done.code, done.out) == (2, "")
    assert "no endpoint is in service" in done.err
    assert "leave more in service" in done.err
    assert "give the fabric hosts" not in done.err


def test_a_fabric_of_one_host_is_told_to_have_more(fabric: Shell) -> None:
    fabric.write("one.yaml", MIXED.replace("a[1-6]", "a1").split('  - {names: "b')[0])
    done = fabric("analyze", "bandwidth", "one.yaml", "--fail", "spine-0")
    assert done.code == 2
    assert "give the fabric hosts" in done.err
