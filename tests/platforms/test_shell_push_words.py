"""``push.yaml`` of the systems with a shell: a risk for each line, the way in protected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fabric.catalog.manifest import platform_spec
from fabric.catalog.push import push_spec
from fabric.files.locate import templates_root
from fabric.live.push.classes import classify
from fabric.model.push_change import RiskClass
from fabric.platforms import procedures

HERE = Path(__file__).parent
ROOTS = (templates_root(),)
STARTS = {
    "sonic": ("running/config_db.json", "config_db.json", "golden/numbered/leaf-0"),
    "frr": ("recordings/show_running-config.txt", "frr.conf", "golden/bond-vlan/leaf-0"),
    "cumulus_nvue": ("running/leaf-0.nv", "fabric.nv", "golden/vlan/leaf-0"),
}
RISKS = {
    "sonic": {"+ PORT|Ethernet0|description to a": "window", "- frr.conf: router bgp 1": "window"},
    "frr": {
        "+ router bgp 65001 > neighbor swp1 description x": "safe",
        "+ router bgp 65001 > neighbor swp1 remote-as external": "traffic",
        "- router bgp 65001": "window",
        "+ daemons: bfdd=yes": "window",
        "+ interface Ethernet0 > ip address 10.0.0.0/31": "traffic",
        "+ router ospf": "unclassified",
    },
    "cumulus_nvue": {
        "+ interface swp1 link breakout 4x": "window",
        "+ interface swp1 link mtu 9216": "traffic",
        "- qos pfc p switch-priority 3": "window",
        "+ qos mapping m trust l3": "traffic",
        "+ system forwarding hash-seed 10": "window",
        "+ evpn state enabled": "unclassified",
    },
}
PROTECTED = {
    "sonic": ["- MGMT_INTERFACE|eth0|192.0.2.1/24|gwaddr 192.0.2.9", "+ AAA|authentication|login x",
              "- NTP_SERVER|192.0.2.3", "+ TACPLUS_SERVER|192.0.2.4|priority 1"],
    "frr": ["- interface eth0 > ip address 192.0.2.1/24", "- password hush", "- line vty",
            "- ip route 0.0.0.0/0 192.0.2.1"],
    "cumulus_nvue": ["+ interface eth0 ip address 192.0.2.1/24", "- system aaa user x role y",
                     "- service ntp mgmt server 192.0.2.3", "- vrf mgmt router static"],
}  # fmt: skip
FREE = {
    "sonic": ["+ NTP_SERVER|192.0.2.3", "- PORT|Ethernet0|mtu 9100"],
    "frr": ["+ interface Ethernet0 > ip address 10.0.0.0/31"],
    "cumulus_nvue": ["+ service ntp mgmt server 192.0.2.3", "- vrf default router static x"],
}


def _risk(system: str, line: str) -> str:
    risk, _ = classify((line,), push_spec(system, ROOTS).risks)
    return {RiskClass.WINDOW: "window"}.get(risk, risk.value)


@pytest.mark.parametrize("system", STARTS)
def test_every_line_of_a_first_push_has_a_risk(system: str) -> None:
    text, name, folder = STARTS[system]
    found = procedures(platform_spec(system, ROOTS), push_spec(system, ROOTS))
    assert found is not None
    preview, _ = found
    before = {name: (HERE / system / text).read_text()}
    files = (HERE / system / folder).iterdir()
    rendered = {path.name: path.read_text() for path in files}
    lines = preview.differences(before, preview.target(before, rendered))
    assert len(lines) > 20
    protected = push_spec(system, ROOTS).protected
    for line in lines:
        assert _risk(system, line) != "unclassified", line
        assert not [p for p in protected if re.search(p, line)], line


@pytest.mark.parametrize("system", STARTS)
def test_risks_protection_and_freedom(system: str) -> None:
    for line, risk in RISKS[system].items():
        assert _risk(system, line) == risk, line
    protected = push_spec(system, ROOTS).protected
    for line in PROTECTED[system]:
        assert [p for p in protected if re.search(p, line)], line
    for line in FREE[system]:
        assert not [p for p in protected if re.search(p, line)], line
