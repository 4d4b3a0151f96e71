"""Configs as a box prints them: without prefixes, by other names, halves; what is no config."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.model.qos import QueueSettings, Watchdog
from fabric.platforms import ConfigError, nokia_srl
from fabric.text import chains
from tests.platforms.nokia_srl.cases import FILE, SYSTEM, text, values

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.qos import QosChain


def read(config: Any) -> dict[str, QosChain]:
    return {chain.port: chain for chain in chains(SYSTEM, {FILE: json.dumps(config)}, "leaf1")}


# As `info | as json` prints it, in the words of the QoS guide's example: named classes and queues.
RUNNING: dict[str, Any] = {
    "_annotate": "from the box",
    "interface": [
        {"name": "ethernet-1/2", "ethernet": {"aggregate-id": "lag4", "port-speed": "800G"}},
        {"name": "ethernet-1/10", "mtu": 9232, "breakout-mode": {"breakout-port-speed": "100G"}},
        {"name": "ethernet-1/10/4", "mtu": 9412},
        {"name": "lag4", "mtu": 9100},
        {"name": "mgmt0"},
    ],
    "system": {"load-balancing": {"hash-options": {"hash-seed": 77}}},
    "qos": {
        "explicit-congestion-notification": {"ecn-dscp-policy": "other"},
        "forwarding-classes": {
            "forwarding-class": [
                {"name": "gold", "output": {"unicast-queue": "q-gold"}},
                {"name": "fc6", "output": {"unicast-queue": "unicast-7"}},
            ]
        },
        "queues": {
            "queue": [{"name": "q-gold", "queue-index": 4}],
            "pfc-queue": [{"pfc-queue-name": "p-gold", "queue-index": 4}],
        },
        "classifiers": {
            "dscp-policy": [
                {
                    "name": "d",
                    "dscp": [
                        {"value": 26, "forwarding-class": "gold", "drop-probability": "low"},
                        {"value": 48, "forwarding-class": "fc6"},
                        {"value": 46, "forwarding-class": "nowhere"},
                    ],
                }
            ]
        },
        "pfc-mapping-profile": [
            {
                "name": "p",
                "received-pfc-pause-frames": {
                    "deadlock": {"enable": True},
                    "queue": [
                        {
                            "queue-name": "q-gold",
                            "enable-pfc": True,
                            "pfc-pause-frame-priority": 5,
                        },
                        {
                            "queue-name": "unicast-3",
                            "enable-pfc": False,
                            "pfc-pause-frame-priority": 3,
                        },
                    ],
                },
                "received-traffic": {
                    "unicast-mapping": {
                        "pfc-queue": [
                            {
                                "pfc-queue-name": "p-gold",
                                "pfc-pause-frame-priority": 5,
                                "forwarding-class": ["gold"],
                            }
                        ]
                    }
                },
            }
        ],
        "scheduler-policies": {
            "scheduler-policy": [
                {
                    "name": "s",
                    "scheduler": [
                        {
                            "sequence": 0,
                            "priority": "strict",
                            "input": [
                                {"id": "x", "queue-name": "unicast-7", "peak-rate-percent": 20}
                            ],
                        },
                        {
                            "sequence": 1,
                            "input": [
                                {"id": "1", "queue-name": "q-gold", "weight": 80},
                                {"id": "2", "queue-name": "unicast-0"},
                            ],
                        },
                    ],
                }
            ]
        },
        "buffer-management": {
            "queue-management-profile": [
                {
                    "name": "m",
                    "wred": {
                        "wred-slope": [
                            {
                                "traffic-type": "all",
                                "drop-probability": "all",
                                "enable-ecn": True,
                                "min-threshold": "400000",
                                "max-threshold": "2000000",
                                "max-drop-probability-percent": 20,
                            }
                        ]
                    },
                }
            ],
            "buffer-allocation-profile": [
                {
                    "name": "in",
                    "queues": {
                        "pfc-queue": [
                            {
                                "pfc-queue-name": "p-gold",
                                "maximum-pfc-reserved-share-bytes": 70000,
                            }
                        ]
                    },
                }
            ],
        },
        "interfaces": {
            "interface": [
                {
                    "interface-id": "ethernet-1/10/4",
                    "pfc": {"pfc-enable": True, "pfc-mapping-profile": "p"},
                    "input": {"pfc-buffer-allocation-profile": "in"},
                    "output": {
                        "queues": {
                            "queue": [{"queue-name": "q-gold", "queue-management-profile": "m"}]
                        },
                        "scheduler": {"scheduler-policy": "s"},
                    },
                },
                {
                    "interface-id": "ethernet-1/10/4.0",
                    "input": {"classifiers": {"dscp-policy": "d"}},
                },
                {
                    "interface-id": "bond to a host",
                    "interface-ref": {"interface": "lag4"},
                    "pfc": {"pfc-enable": False, "pfc-mapping-profile": "p"},
                },
                {
                    "interface-id": "its IP",
                    "interface-ref": {"interface": "lag4", "subinterface": 0},
                    "input": {"classifiers": {"dscp-policy": "d"}},
                },
            ]
        },
    },
}


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


def _qos(config: Any) -> Any:
    return config["srl_nokia-qos:qos"]


def _profile(config: Any) -> Any:
    return _qos(config)["pfc-mapping-profile"][0]


def _port(config: Any, name: str = "ethernet-1/1/1") -> Any:
    return next(e for e in _qos(config)["interfaces"]["interface"] if e["interface-id"] == name)


def _slopes(config: Any) -> Any:
    for profile in _qos(config)["buffer-management"]["queue-management-profile"]:
        yield profile["wred"]["wred-slope"][0]


def _drop_dscp(config: Any) -> None:
    _qos(config)["classifiers"]["dscp-policy"][0]["dscp"].pop(26)


def _many_profiles(config: Any) -> None:
    for number in range(7):
        _qos(config)["pfc-mapping-profile"].append({**_profile(config), "name": f"p{number}"})


def _deadlock_off(config: Any) -> None:
    _profile(config)["received-pfc-pause-frames"]["deadlock"]["enable"] = False


def _no_marking(config: Any) -> None:
    del _qos(config)["explicit-congestion-notification"]


def _no_map(config: Any) -> None:
    _port(config, "ethernet-1/1/1.0")["input"] = {}


def _wrong_map(config: Any) -> None:
    _port(config, "ethernet-1/1/1.0")["input"]["classifiers"]["dscp-policy"] = "gone"


def _pfc_off(config: Any) -> None:
    _port(config)["pfc"]["pfc-enable"] = False


def _wrong_profile(config: Any) -> None:
    _port(config)["pfc"]["pfc-mapping-profile"] = "gone"


def _no_priority(config: Any) -> None:
    _profile(config)["received-pfc-pause-frames"]["queue"] = []


def _no_sender(config: Any) -> None:
    _profile(config)["received-traffic"]["unicast-mapping"]["pfc-queue"] = []


def _no_slope(config: Any) -> None:
    _port(config)["output"]["queues"]["queue"] = []


def _turned_slope(config: Any) -> None:
    for slope in _slopes(config):
        slope["min-threshold"] = slope["max-threshold"]


def _no_burst(config: Any) -> None:
    del _port(config)["output"]["buffer-allocation-profile"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_drop_dscp, "dscp-policy fabric: 1 of 64 DSCPs missing, 26 first: they are class 0"),
        (_many_profiles, "8 pfc-mapping-profiles, the switch takes 7"),
        (_deadlock_off, "pfc-mapping-profile fabric: the deadlock mechanism is off"),
        (_no_marking, "explicit-congestion-notification: not there, so no queue marks"),
        (_no_map, "ethernet-1/1/1: has no DSCP map"),
        (_wrong_map, "ethernet-1/1/1: there is no dscp-policy gone"),
        (_pfc_off, "ethernet-1/1/1: PFC is off, or its pfc-mapping-profile is not there"),
        (_wrong_profile, "ethernet-1/1/1: PFC is off, or its pfc-mapping-profile is not there"),
        (_no_priority, "ethernet-1/1/1: no priority has PFC"),
        (_no_sender, "ethernet-1/1/1: no forwarding-class pauses priority 3"),
        (_no_slope, "ethernet-1/1/1: queue 3 is lossless and marks nothing (ECN)"),
        (_turned_slope, "ethernet-1/1/1: queue 3: min-threshold is not below max-threshold"),
        (
            _no_burst,
            "ethernet-1/1/1: queue 3 has a wred-slope and no maximum-burst-size: it is refused",
        ),
    ],
)
def test_what_breaks_it(change: Callable[[Any], None], said: str) -> None:
    config = values("numbered")
    change(config)
    assert said in nokia_srl.problems({FILE: json.dumps(config)})
    assert said not in nokia_srl.problems({FILE: text("numbered")})
