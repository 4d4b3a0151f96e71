"""What SR Linux refuses, or takes though it breaks lossless Ethernet, in a config like ours."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from fabric.platforms import nokia_srl
from tests.platforms.nokia_srl.cases import FILE, text, values

if TYPE_CHECKING:
    from collections.abc import Callable


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


def _dropping_slope(config: Any) -> None:
    for slope in _slopes(config):
        slope["enable-ecn"] = False


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
        (_dropping_slope, "ethernet-1/1/1: queue 3 is lossless and marks nothing (ECN)"),
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
