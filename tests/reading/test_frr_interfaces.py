"""FRR's interfaces, version and running configuration."""

from __future__ import annotations

from fabric.reading.frr import interface_brief, interfaces, running_config, version

BRIEF = """\
Interface       Status  VRF             Addresses
---------       ------  ---             ---------
Ethernet0       up      default         192.0.2.0/31
                                        2001:db8::/127
averyverylongnameup      default         + 192.0.2.8/31
bridge          down    default
Loopback0       up      red             198.51.100.7/32

"""


def test_brief_with_several_addresses_and_none_and_a_long_name() -> None:
    reading = interface_brief(BRIEF)
    found = reading.facts["interfaces"]
    assert isinstance(found, dict)
    assert list(found) == ["Ethernet0", "averyverylongname", "bridge", "Loopback0"]
    assert found["Ethernet0"] == {
        "oper": "up", "vrf": "default", "address": "192.0.2.0/31",
        "addresses": ["192.0.2.0/31", "2001:db8::/127"],
    }  # fmt: skip
    assert found["averyverylongname"] == {
        "oper": "up", "vrf": "default", "address": "192.0.2.8/31", "addresses": ["192.0.2.8/31"],
    }  # fmt: skip
    assert found["bridge"] == {"oper": "down", "vrf": "default", "addresses": []}
    assert reading.unparsed == ()


FULL = """\
Interface swp4 is up, line protocol is down
  Link ups:       2    last: 2026/03/04 05:06:07.08
  Link downs:     3    last: 2026/03/04 05:06:08.09
  vrf: red
  Description: to spine-3, port 9
  index 6 metric 0 mtu 9216 speed 400000 txqlen 1000
  flags: <UP,BROADCAST,MULTICAST>
  Type: Ethernet
  inet 192.0.2.4/31
  inet6 fe80::1/64
Interface dummy1 is up, line protocol detection is disabled
  index 8 metric 0 mtu 1500 speed 4294967295
  flags: <UP,BROADCAST,RUNNING,NOARP>
Interface swp5 is down
  index 7 metric 0 mtu 9216 speed 0
  flags: <BROADCAST,MULTICAST>
"""


def test_interfaces_in_full() -> None:
    assert interfaces(FULL).facts == {
        "interfaces": {
            "swp4": {"admin": "up", "oper": "down", "mtu": 9216, "speed_mbps": 400000,
                     "vrf": "red", "description": "to spine-3, port 9",
                     "addresses": ["192.0.2.4/31", "fe80::1/64"]},
            "dummy1": {"admin": "up", "oper": "up", "mtu": 1500},
            "swp5": {"admin": "down", "oper": "down", "mtu": 9216},
        }
    }  # fmt: skip


def test_version_with_and_without_the_host() -> None:
    first = "FRRouting 10.3.1 (tor-9) on Linux(6.8.0-50).\nCopyright 1996-2005"
    assert version(first).facts == {"version": "10.3.1", "hostname": "tor-9"}
    assert version("FRRouting 4.0+cl3u8 (x).").facts["version"] == "4.0+cl3u8"
    assert version("Quagga 1.2").facts == {}


CONFIG = """\
Building configuration...

Current configuration:
!
frr version 9.1
frr defaults datacenter
hostname tor-9
!
interface swp1
 description neighbor 9.9.9.9 remote-as 1
exit
!
router bgp 4200000007
 bgp router-id 192.0.2.9
 neighbor UP peer-group
 neighbor UP remote-as external
 neighbor UP capability extended-nexthop
 neighbor swp51 interface peer-group UP
 neighbor swp52 interface v6only peer-group UP
 neighbor swp53 interface remote-as 65003
 neighbor 192.0.2.5 remote-as 65004
 neighbor 192.0.2.5 description remote-as 1
 neighbor 192.0.2.7 peer-group LOST
 !
 address-family ipv4 unicast
  network 198.51.100.0/25
  network 198.51.100.128/25 route-map X
  neighbor UP activate
  maximum-paths 64
 exit-address-family
 !
 address-family ipv6 unicast
  network 2001:db8::/48
 exit-address-family
 !
 address-family l2vpn evpn
  neighbor UP activate
 exit-address-family
exit
!
router bgp 65999 vrf red
 bgp router-id 192.0.2.99
 neighbor 192.0.2.60 remote-as 65060
 !
 address-family ipv4 unicast
  network 203.0.113.0/24
 exit-address-family
exit
!
end
"""


def test_running_config_of_the_default_vrf_with_groups() -> None:
    assert running_config(CONFIG).facts == {
        "version": "9.1",
        "hostname": "tor-9",
        "local_as": "4200000007",
        "router_id": "192.0.2.9",
        "peers": {
            "swp51": {"remote_as": "external"}, "swp52": {"remote_as": "external"},
            "swp53": {"remote_as": "65003"}, "192.0.2.5": {"remote_as": "65004"}, "192.0.2.7": {},
        },
        "networks": ["198.51.100.0/25", "198.51.100.128/25", "2001:db8::/48"],
    }  # fmt: skip


def test_another_systems_configuration_is_not_taken() -> None:
    assert running_config("hostname x\ninterface Ethernet1\n   mtu 9214\n").facts == {}
