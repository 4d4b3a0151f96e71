"""What lets us in beside the management port: routes to where we sit, filters before the CPU."""

from __future__ import annotations

import pytest

from fabric.live.push.guard import told, touched
from tests.platforms.pushed import spec

WAYS_IN = [
    ("arista_eos", "ip route vrf MGMT 10.0.0.0/8 192.0.2.1\n"),
    ("arista_eos", "ipv6 route vrf MGMT 2001:db8::/32 2001:db8::1\n"),
    ("arista_eos", "ip route 10.0.0.0/8 192.0.2.1\n"),
    ("arista_eos", "system control-plane\n   ip access-group OURS in\n"),
    ("arista_eos", "ip access-list OURS\n   10 permit ip any any\n"),
    ("cisco_nxos", "line vty\n  access-class OURS in\n"),
    ("cisco_nxos", "ip route 10.0.0.0/8 192.0.2.1\n"),
    ("cisco_nxos", "ip access-list OURS\n  10 permit ip any any\n"),
    ("huawei_vrp", "ip route-static vpn-instance MGMT 10.0.0.0 255.0.0.0 192.0.2.1\n"),
    ("huawei_vrp", "ip route-static 10.0.0.0 255.0.0.0 192.0.2.1\n"),
    ("huawei_vrp", "acl number 2000\n rule 5 permit\n"),
    ("hp_comware", " ip route-static vpn-instance MGMT 10.0.0.0 8 192.0.2.1\n"),
    ("juniper_junos", "set interfaces lo0 unit 0 family inet filter input PROTECT\n"),
    ("juniper_junos", "set firewall family inet filter PROTECT term a then accept\n"),
    ("juniper_junos", "set routing-options static route 10.0.0.0/8 next-hop 192.0.2.1\n"),
    ("frr", "ip route 10.0.0.0/8 192.0.2.1\n"),
    ("frr", "ipv6 route 2001:db8::/32 2001:db8::1\n"),
]
OURS = [
    ("arista_eos", "ip route 10.9.0.0/16 Null0\n"),
    ("arista_eos", "ip as-path access-list FABRIC-LOCAL permit ^$ any\n"),
    ("cisco_nxos", "ipv6 route 2001:db8:9::/48 Null0\n"),
    ("huawei_vrp", "ip route-static 10.9.0.0 255.255.0.0 NULL0\n"),
    ("hp_comware", " ip route-static 10.9.0.0 16 NULL0\n"),
    ("juniper_junos", "set routing-options static route 10.9.0.0/16 discard\n"),
    ("juniper_junos", "set interfaces lo0 unit 0 family inet address 10.0.0.1/32\n"),
    ("frr", "ip route 10.9.0.0/16 blackhole\n"),
]


@pytest.mark.parametrize(("system", "text"), WAYS_IN)
def test_a_way_in_is_not_lost(system: str, text: str) -> None:
    protected = spec(system).protected
    assert touched({"c": text}, {"c": ""}, protected)
    assert touched({"c": ""}, {"c": text}, protected)


@pytest.mark.parametrize(("system", "text"), OURS)
def test_what_the_plan_writes_is_free(system: str, text: str) -> None:
    protected = spec(system).protected
    assert touched({"c": text}, {"c": ""}, protected) == ()
    assert told((f"-{text.strip()}", f"+{text.strip()}"), protected) == ()
