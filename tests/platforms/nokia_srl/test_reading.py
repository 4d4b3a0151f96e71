"""Configs as a box prints them: without prefixes, by other names, halves; what is no config."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fabric.model.qos import QueueSettings, Watchdog
from fabric.platforms import ConfigError, nokia_srl
from fabric.platforms.nokia_srl.tree import document
from fabric.text import chains
from tests.platforms.nokia_srl.cases import FILE, SYSTEM, text, values

if TYPE_CHECKING:
    from fabric.model.qos import QosChain

HERE = Path(__file__).parent


def read(config: Any) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains(SYSTEM, {FILE: json.dumps(config)}, "leaf1")}


# As `info | as json` prints it, in the way of the QoS guide's example: named classes and queues.
RUNNING = document((HERE / "recordings" / "info_from_running.txt").read_text())


def test_a_running_config_with_names_of_its_own() -> None:
    found = read(RUNNING)
    assert list(found) == ["ethernet-1/2", "ethernet-1/10/4"]
    chain = found["ethernet-1/10/4"]
    assert chain.dscp_to_tc[26] == 4
    assert chain.dscp_to_tc[48] == 6
    assert chain.dscp_to_tc[46] is None
    assert chain.dscp_to_tc[0] == 0, "a DSCP that the policy does not name"
    assert chain.tc_to_queue == (0, 1, 2, 3, 4, 5, 7, 7)
    assert chain.pfc_priorities == chain.watchdog_priorities == (5,)
    assert chain.pfc_priority_to_queue == (None, None, None, None, None, 4, None, None)
    assert chain.tc_to_pg == (None, None, None, None, 5, None, None, None)
    assert chain.lossless_pgs == (4,)
    assert chain.xoff_bytes[4] == 70_000
    assert chain.mtu_bytes == 9412
    assert chain.watchdog == Watchdog(
        enabled=True, poll_ms=0, detect_ms=750, restore_ms=750, action="forward"
    )
    assert chain.queues[0] == QueueSettings(0, "dwrr", 1)
    assert chain.queues[4] == QueueSettings(
        4, "dwrr", 80, ecn=True, kmin_bytes=400_000, kmax_bytes=2_000_000, pmax_percent=20
    )
    assert chain.queues[7] == QueueSettings(7, "strict", max_rate_bytes_per_s=2_500_000_000)
    assert chain.queues[3] == QueueSettings(3, None)


def test_a_member_of_a_lag_has_what_its_lag_has() -> None:
    chain = read(RUNNING)["ethernet-1/2"]
    assert chain.mtu_bytes == 9100
    assert chain.dscp_to_tc[26] == 4
    assert chain.pfc_priorities == ()
    assert chain.watchdog is None


def test_the_list_that_json_rpc_answers_and_halves() -> None:
    """One document a path, or the whole in a list; a part alone is read as far as it goes."""
    parts = [{name: value} for name, value in RUNNING.items() if name != "_annotate"]
    assert read(parts) == read([RUNNING]) == read(RUNNING)
    bare = read({"interface": [{"name": "ethernet-1/1"}]})["ethernet-1/1"]
    assert bare.dscp_to_tc == (None,) * 64
    assert bare.pfc_priorities == ()
    assert bare.mtu_bytes is None


def test_text_around_the_json_makes_no_difference() -> None:
    config = f"--{{ running }}--[  ]--\nA:leaf1# info | as json\n{text('numbered')}\n--{{ + }}--\n"
    found = {chain.port: chain for chain in chains(SYSTEM, {FILE: config}, "leaf1")}
    assert found == read(values("numbered"))


def test_order_makes_no_difference() -> None:
    """FC-71: keys and entries come as the box likes."""

    def turned(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: turned(value[name]) for name in reversed(value)}
        return [turned(item) for item in reversed(value)] if isinstance(value, list) else value

    for case in ("two-lossless", "bond-dual"):
        assert read(turned(values(case))) == read(values(case))


def test_the_seed_is_the_switchs() -> None:
    assert nokia_srl.settings({FILE: json.dumps(RUNNING)}) == {"seed of the ECMP hash": "77"}
    bare = json.dumps({"interface": [{"name": "ethernet-1/1"}]})
    assert nokia_srl.settings({FILE: bare}) == {"seed of the ECMP hash": "generate-from-mac"}


@pytest.mark.parametrize(
    "config",
    [
        "",
        "interface Ethernet1\n",
        "[]",
        "[1, [2]]",
        "{}",
        '{"PORT": {"Ethernet0": {}}}',
        '{"interface": {"ethernet-1/1": {}}}',
        '{"interface": [{"name": "mgmt0"}, {"name": null}, 3]}',
        '{"interface": [{"name": "ethernet-1/1"',
    ],
)
def test_what_is_no_config_is_said(config: str) -> None:
    with pytest.raises(ConfigError, match=r"srlinux\.json is no config of SR Linux"):
        chains(SYSTEM, {FILE: config}, "leaf1")


def test_the_file_must_be_there() -> None:
    with pytest.raises(ConfigError, match=r"there is no srlinux\.json"):
        chains(SYSTEM, {"config.json": "{}"}, "leaf1")


@pytest.mark.parametrize("odd", [None, 7, "x", [], {}, [None], {"interface": 3}, [[]]])
def test_values_of_other_shapes_break_nothing(odd: Any) -> None:
    """FC-72: each subtree in turn is something else."""

    def paths(value: Any, path: tuple[str | int, ...] = ()) -> Any:
        yield path
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for name, item in items if isinstance(value, dict | list) else ():
            if isinstance(item, dict | list):
                yield from paths(item, (*path, name))

    for path in list(paths(RUNNING))[1:]:
        config = json.loads(json.dumps(RUNNING))
        *way, last = path
        place = config
        for name in way:
            place = place[name]
        place[last] = odd
        try:
            read(config)
            nokia_srl.problems({FILE: json.dumps(config)})
        except ConfigError:
            assert path[0] == "interface"
