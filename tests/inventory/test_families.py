"""Families and pools of an inventory: what is filled in where nothing is written."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

import pytest

from fabric.inventory.ula import default_pools
from tests.inventory.writing import reading

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.intent import AddressingPolicy

HEAD = "fabric: t\ntopology: {kind: leaf-spine, leaves: 2, spines: 2}\n"


def policy(folder: Path, addressing: str) -> AddressingPolicy:
    return reading(folder, f"{HEAD}addressing: {addressing}\n").intent.addressing


def test_the_default_is_ipv4_alone(tmp_path: Path) -> None:
    found = policy(tmp_path, "{}")
    assert (found.family, found.rdma_family, found.families) == ("ipv4", "ipv4", ("ipv4",))
    assert (found.loopbacks_v6, found.links_v6, found.hosts_v6) == (None, None, None)
    assert (found.has_v4, found.has_v6, found.rail_aggregates) == (True, False, False)


def test_ipv6_alone_keeps_the_pool_of_the_router_ids(tmp_path: Path) -> None:
    found = policy(tmp_path, "{family: ipv6}")
    assert (found.rdma_family, found.families) == ("ipv6", ("ipv6",))
    assert (found.loopbacks_v4, found.links_v4, found.hosts_v4) == ("10.255.0.0/16", None, None)
    assert found.hosts_v6 == default_pools("t")["hosts_v6"]
    assert (found.has_v4, found.has_v6) == (False, True)


@pytest.mark.parametrize(("key", "family"), [("", "ipv4"), (", rdma_family: ipv6", "ipv6")])
def test_of_both_rdma_uses_one(tmp_path: Path, key: str, family: str) -> None:
    found = policy(tmp_path, f"{{family: dual{key}}}")
    assert (found.rdma_family, found.families) == (family, ("ipv4", "ipv6"))
    assert (found.hosts_v4, found.hosts_v6) == ("10.0.0.0/12", default_pools("t")["hosts_v6"])


def test_what_is_written_comes_first(tmp_path: Path) -> None:
    text = '{family: ipv6, rail_aggregates: true, pools: {hosts_v6: "fd12:3456:789a::/48"}}'
    found = policy(tmp_path, text)
    assert found.hosts_v6 == "fd12:3456:789a::/48"
    assert found.links_v6 == default_pools("t")["links_v6"]
    assert found.rail_aggregates


def test_default_pools_lie_in_one_unique_local_48() -> None:
    pools = {key: ipaddress.IPv6Network(text) for key, text in default_pools("train64").items()}
    whole = pools["hosts_v6"].supernet(new_prefix=48)
    assert whole.subnet_of(ipaddress.IPv6Network("fd00::/8"))
    assert pools == {
        "loopbacks_v6": next(whole.subnets(new_prefix=64)),
        "links_v6": ipaddress.IPv6Network((int(whole[0]) + (1 << 64), 64)),
        "hosts_v6": list(whole.subnets(new_prefix=49))[1],
    }


def test_default_pools_follow_from_the_name() -> None:
    # The last five bytes of SHA-256("train64"), as sha256sum prints them.
    assert default_pools("train64")["loopbacks_v6"] == "fdf9:48dc:f7f9::/64"
    assert len({default_pools(f"train{n}")["hosts_v6"] for n in range(1000)}) == 1000
