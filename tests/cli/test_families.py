"""IPv6 and rails in what the commands print and write."""

from __future__ import annotations

import csv
from typing import TYPE_CHECKING

import pytest

from tests.cli.conftest import INVENTORIES

if TYPE_CHECKING:
    from tests.cli.conftest import Shell

RAILS = """\
fabric: r6
topology: {kind: rail, rails: 2, groups: 2, hosts_per_group: 2, spines: 2}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-4]", nics: 2, netdevs: [eth1, eth2]}
addressing:
  family: ipv6
  links: unnumbered
  pools: {loopbacks_v6: "fd00:255::/64", hosts_v6: "fd00:100::/56"}
"""


def test_addresses_of_an_ipv6_rail_fabric(fabric: Shell) -> None:
    fabric.write("r6.yaml", RAILS)
    done = fabric("plan", "r6.yaml", "--json")
    assert done.code == 0, done.err
    shown = fabric("show", "addresses", "--json").json
    assert shown["rail_aggregates"] == [
        {"rail": 0, "prefix": "fd00:100::/60"},
        {"rail": 1, "prefix": "fd00:100:0:10::/60"},
    ]
    rows = [(row["device"], row["interface"], row["address"]) for row in shown["addresses"]]
    assert ("leaf-0-0", "loopback", ["fd00:255::1/128"]) in rows
    assert ("leaf-0-0", "router id", ["10.255.0.1"]) in rows
    assert ("h3", "eth2", ["fd00:100:0:11::3/127"]) in rows  # leaf-1-1: second /64 of rail 1
    pools = {row["pool"]: (row["used"], row["size"]) for row in shown["pools"]}
    assert pools["hosts_v6"] == (4, 256)
    assert pools["router ids"] == (6, 65536)
    table = fabric("show", "addresses").out
    assert "fd00:100:0:10::/60" in table
    qos = fabric("show", "qos", "--json").json
    assert qos["rdma_over"] == "ipv6"
    assert qos["wire_efficiency"] == {"ipv4": 0.9804, "ipv6": 0.9757}


@pytest.mark.parametrize("family", ["ipv6", "dual"])
@pytest.mark.parametrize("links", ["numbered", "unnumbered"])
@pytest.mark.parametrize(
    ("platform", "model"),
    [("sonic", "nvidia-sn5600"), ("arista_eos", "arista-7060x6-64pe"), ("frr", "generic")],
)
def test_the_example_plans_on_every_system(
    fabric: Shell, platform: str, model: str, links: str, family: str
) -> None:
    text = (INVENTORIES / "ipv6-leafspine.yaml").read_text(encoding="utf-8")
    for old, new in (
        ("platform: sonic, model: nvidia-sn5600", f"platform: {platform}, model: {model}"),
        ("family: ipv6 ", f"family: {family} "),
        ("links: unnumbered", f"links: {links}"),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    fabric.write("example.yaml", text)
    done = fabric("check", "example.yaml", "--json")
    assert done.code == 0, done.out
    # What is found is about the system, or CNP's marking; nothing is about addresses.
    rules = {finding["rule"] for finding in done.json["findings"]}
    assert not any(rule.startswith("RCE2") for rule in rules)
    if platform == "sonic":
        assert rules == {"RCE309"}


def test_addresses_csv_of_an_ipv6_rail_fabric(fabric: Shell) -> None:
    fabric.write("r6.yaml", RAILS)
    assert fabric("plan", "r6.yaml").code == 0
    with (fabric.folder / "build/r6/addresses.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert ["rail 1", "host aggregate", "fd00:100:0:10::/60", "", ""] in rows
    assert ["spine-0", "router id", "10.255.0.5", "4200000000", "on no interface"] in rows
    assert ["leaf-1-1", "loopback", "fd00:255::4/128", "4200001003", ""] in rows


def test_ipv6_changes_only_what_it_has_to(fabric: Shell) -> None:
    fabric.write("r6.yaml", RAILS)
    assert fabric("plan", "r6.yaml").code == 0
    fabric.write("r6.yaml", RAILS.replace("groups: 2", "groups: 3").replace("h[1-4]", "h[1-6]"))
    before = fabric("show", "addresses", "--json").json["addresses"]
    assert fabric("plan", "r6.yaml").code == 0
    after = fabric("show", "addresses", "--json").json["addresses"]
    assert [row for row in before if row not in after] == []
