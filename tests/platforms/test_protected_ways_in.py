"""What lets us in beside the management port: routes to where we sit, filters before the CPU."""

from __future__ import annotations

import pytest

from fabric.live.push.guard import swallowed, told, touched
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
    ("dell_os10", "ip route 10.0.0.0/8 192.0.2.1\n"),
    ("dell_sonic", "ip route 10.0.0.0/8 192.0.2.1\n"),
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
# What `extra` could add: negations of protected lines, and further words for who gets in and how.
ADDED = {
    "arista_eos": (
        "no username admin",
        "no management ssh",
        "no interface Management1",
        "default interface Management1",
        "no vrf instance MGMT",
        "no ip routing vrf MGMT",
        "no ip route vrf MGMT 0.0.0.0/0",
        "no ip route 10.0.0.0/8 192.0.2.1",
        "no ip access-list OURS",
        "ip tacacs vrf MGMT source-interface Management1",
        "ip radius source-interface Loopback0",
        "role network-admin\n   10 deny command .*",
        "arp vrf MGMT 192.0.2.254 0000.0000.0001 arpa",
    ),
    "cisco_nxos": (
        "no interface mgmt0",
        "no vrf context management",
        "no username admin",
        "no feature ssh",
        "no ip access-list OURS",
        "no line vty",
        "snmp-server user admin network-admin auth md5 x",
        "feature ldap",
        "ldap-server host 192.0.2.9",
        "password secure-mode",
        "login block-for 60 attempts 1 within 60",
        "copp profile dense",
    ),
    "dell_os10": (
        "no management route 0.0.0.0/0",
        "no interface mgmt1/1/1",
        "no ip vrf management",
        "no username admin",
        "line vty\n ip access-class OURS",
        "control-plane\n ip access-group OURS mgmt in",
        "system-cli disable",
    ),
    "dell_sonic": (
        "no interface Management 0",
        "no ip vrf mgmt",
        "no ip route vrf mgmt 0.0.0.0/0",
        "no username admin",
        "line vty\n access-group OURS",
        "session-timeout 1",
    ),
    "huawei_vrp": (
        "undo interface MEth0/0/0",
        "undo ip vpn-instance management",
        "undo aaa",
        "undo user-interface vty 0 4",
        "undo acl 2000",
        "undo ip route-static vpn-instance MGMT 10.0.0.0 255.0.0.0 192.0.2.1",
        "command-privilege level 15 view x display",
        "cpu-defend policy x",
    ),
    "hp_comware": (
        "undo interface M-GigabitEthernet0/0/0",
        "undo ip vpn-instance management",
        "undo local-user admin",
        "undo line vty 0 63",
        "undo acl advanced 3000",
        "undo public-key local rsa",
        "netconf ssh server enable",
    ),
    "juniper_junos": (
        "set system radius-options attributes nas-ip-address 192.0.2.1",
        "set access profile OURS authentication-order radius",
    ),
    "frr": (
        "no interface eth0",
        "no vrf mgmt",
        "no ip route 0.0.0.0/0 192.0.2.1",
        "no username admin",
    ),
}
EACH = [(system, line) for system, lines in ADDED.items() for line in lines]
OURS = [
    ("arista_eos", "ip route 10.9.0.0/16 Null0\n"),
    ("arista_eos", "ip as-path access-list FABRIC-LOCAL permit ^$ any\n"),
    ("cisco_nxos", "ipv6 route 2001:db8:9::/48 Null0\n"),
    ("dell_os10", "ip route 10.9.0.0/16 interface null 0\n"),
    ("dell_sonic", "ip route 10.9.0.0/16 blackhole\n"),
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


@pytest.mark.parametrize(("system", "text"), EACH)
def test_nothing_is_added_to_a_way_in(system: str, text: str) -> None:
    protected = spec(system).protected
    assert touched({"c": ""}, {"c": f"{text}\n"}, protected)
    assert told((f"+{text}",), protected)


@pytest.mark.parametrize(("system", "text"), OURS)
def test_what_the_plan_writes_is_free(system: str, text: str) -> None:
    protected = spec(system).protected
    assert touched({"c": text}, {"c": ""}, protected) == ()
    assert told((f"-{text.strip()}", f"+{text.strip()}"), protected) == ()
    negation = "undo" if system in {"huawei_vrp", "hp_comware"} else "no"
    assert touched({"c": ""}, {"c": f"{negation} {text.strip()}\n"}, protected) == ()


DROPS = [
    "ip route {prefix} Null0",
    "ip route {prefix} interface null 0",
    " ip route {prefix} blackhole",
    "set routing-options static route {prefix} discard",
    "vrf default router static {prefix} via blackhole",
    "STATIC_ROUTE|default|{prefix} blackhole true",
]


@pytest.mark.parametrize("line", DROPS)
def test_packets_to_where_we_sit_are_not_dropped(line: str) -> None:
    """A plan drops prefixes of its pools alone; those share nothing with the management."""
    for prefix in ("0.0.0.0/1", "192.0.2.0/24", "192.0.2.10/32", "192.0.0.0/9"):
        told_line = f"+{line.format(prefix=prefix)}"
        assert swallowed((told_line,), "192.0.2.10"), told_line
        assert swallowed((f"-{told_line[1:]}",), "192.0.2.10") == ()
    for prefix in ("10.0.0.0/8", "192.0.3.0/24"):
        assert swallowed((f"+{line.format(prefix=prefix)}",), "192.0.2.10") == ()


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("ip route-static 192.0.2.0 255.255.255.0 NULL0", True),
        ("ip route-static 192.0.2.0 24 NULL0", True),
        ("ip route-static 128.0.0.0 1 NULL0", True),
        ("ip route-static 10.9.0.0 255.255.0.0 NULL0", False),
        ("ip route-static 10.9.0.0 16 NULL0", False),
        ("ipv6 route 8000::/1 Null0", True),
        ("ipv6 route 2001:db8:9::/48 Null0", False),
        ("vrf context TENANT > ip route 192.0.2.0/24 Null0", False),
        ("ip prefix-list A seq 5 permit 0.0.0.0/1", False),
    ],
)
def test_routes_that_drop_in_other_forms(line: str, *, found: bool) -> None:
    assert bool(swallowed((f"+{line}",), "192.0.2.10")) is found
