"""All problems at once: two mistakes together are told as each is told alone."""

from __future__ import annotations

from copy import deepcopy
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from fabric import flow
from fabric.model.finding import InputError, Severity

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Mistake = Callable[[dict[str, Any]], None]

# Leaves of 8 x 400G: 4 down, 4 up. Everything that a mistake below breaks is whole here.
WHOLE: dict[str, Any] = {
    "fabric": "t",
    "topology": {"kind": "leaf-spine", "leaves": 4, "spines": 4},
    "platforms": {
        "leaf": {"platform": "sonic", "model": "nvidia-sn4700"},
        "spine": {"platform": "sonic", "model": "nvidia-sn5600"},
    },
    "hosts": [
        {"names": ["a-[1-8]"], "nic": "connectx-7", "speed": 400, "per_leaf": 2},
        {"names": ["b-[1-4]"], "nic": "connectx-7", "speed": 400},
        {
            "names": ["d-1"],
            "nic": "connectx-7",
            "speed": 200,
            "attach": "bond",
            "member_netdevs": ["eth2", "eth3"],
            "port": "vlan",
        },
    ],
    "roce": {
        "preset": "nvidia",
        "dscp": 26,
        "priority": 3,
        "classes": [{"name": "storage", "dscp": 10, "priority": 2}],
        "mtu": {"host": 9000},
    },
    "addressing": {
        "pools": {"loopbacks": "10.255.0.0/24", "links": "10.254.0.0/24", "hosts": "10.0.0.0/16"},
        "bgp": {"keepalive_s": 3, "hold_s": 9},
    },
    "management": {"addresses": {"leaf-0": "192.0.2.10/24"}},
    "racks": {"a-1": "r1"},
    "suppress": [{"rule": "RCE401", "reason": "accepted"}],
}


def _put(*path: str | int, value: object) -> Mistake:
    def mistake(inventory: dict[str, Any]) -> None:
        holder: Any = inventory
        for key in path[:-1]:
            holder = holder[key]
        holder[path[-1]] = value

    return mistake


MISTAKES: dict[str, Mistake] = {
    "unknown key": _put("colour", value="red"),
    "unknown model of the spines": _put("platforms", "spine", "model", value="nvidia-sn56"),
    "unknown system of the spines": _put("platforms", "spine", "platform", value="sonik"),
    "leaves without room": _put("platforms", "leaf", "model", value="edgecore-as7726-32x"),
    "hosts beyond the room": _put("hosts", 0, "names", value=["a-[1-9]"]),
    "unknown NIC": _put("hosts", 1, "nic", value="connectx7000"),
    "a name for two members": _put("hosts", 2, "member_netdevs", value=["eth2", "eth2"]),
    "VLANs of one subnet a NIC": _put("addressing", "host_subnets", value="per-nic"),
    "unknown leaf": _put("hosts", 1, "on", value=["leaf-9"]),
    "DSCP out of range": _put("roce", "dscp", value=70),
    "unknown preset": _put("roce", "preset", value="nvidea"),
    "CS6 taken": _put("roce", "classes", 0, "dscp", value=56),
    "priority of control": _put("roce", "classes", 0, "priority", value=7),
    "lossless default": _put("roce", "classes", 0, "lossless", value="maybe"),
    "RDMA MTU": _put("roce", "mtu", "host", value=1500),
    "loopbacks run out": _put("addressing", "pools", "loopbacks", value="10.255.0.0/30"),
    "links run out": _put("addressing", "pools", "links", value="10.254.0.0/29"),
    "no prefix": _put("addressing", "pools", "hosts", value="10.0.0.0/33"),
    "hold below keepalive": _put("addressing", "bgp", "hold_s", value=5),
    "negative length": _put("cables", value={"leaf-spine": -3}),
    "management in a pool": _put("management", "addresses", "leaf-0", value="10.255.0.9/24"),
    "unknown device": _put("management", "addresses", "leaf-77", value="192.0.2.77/24"),
    "rack of nobody": _put("racks", "c-1", value="r2"),
    "no reason": _put("suppress", 0, "reason", value=""),
    "unknown rule": _put("suppress", 0, "rule", value="RCE999"),
    "secret": _put("connection", value={"password": "hunter2"}),
}

# What one mistake takes away from the other, and why.
HIDES = {
    # Which prefix the addresses come from is not known, so nothing is said about pools.
    ("no prefix", "loopbacks run out"),
    ("no prefix", "links run out"),
    ("no prefix", "management in a pool"),
    # Without the preset nobody knows on which priority CNP is, so which one control takes.
    ("unknown preset", "priority of control"),
}


def _told(folder: Path, *names: str) -> set[tuple[str, str]]:
    inventory = deepcopy(WHOLE)
    for name in names:
        MISTAKES[name](inventory)
    path = folder / "t.yaml"
    path.write_text(yaml.safe_dump(inventory, sort_keys=False), encoding="utf-8")
    try:
        flow.derive(path)
    except InputError as error:
        errors = [f for f in error.findings if f.severity >= Severity.ERROR]
        return {(f.rule, f.location.path if f.location else "") for f in errors}
    return set()


def test_the_inventory_is_whole(tmp_path: Path) -> None:
    assert _told(tmp_path) == set()


@pytest.mark.parametrize("name", MISTAKES)
def test_each_mistake_is_told(name: str, tmp_path: Path) -> None:
    assert _told(tmp_path, name)


@pytest.mark.parametrize(("one", "other"), list(combinations(MISTAKES, 2)))
def test_two_mistakes_are_told_together(one: str, other: str, tmp_path: Path) -> None:
    alone = _told(tmp_path, one) | _told(tmp_path, other)
    together = _told(tmp_path, one, other)
    if {(one, other), (other, one)} & HIDES:
        assert together < alone
    else:
        assert together == alone


def test_all_mistakes_at_once(tmp_path: Path) -> None:
    assert len(_told(tmp_path, *MISTAKES)) >= len(MISTAKES) - 5
