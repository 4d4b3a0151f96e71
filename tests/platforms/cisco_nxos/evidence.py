"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "ROCE": "roce_enable.py 0.60, which applies the QoS block to Nexus 9000",
    "AZURE": "Microsoft Azure Local reference configs of Nexus 9000 (AzureStack network tools)",
    "BATFISH": "batfish grammar of cisco_nxos and its test configs",
    "DME": "Cisco's DME model in CiscoDevNet/terraform-provider-nxos",
    "ANSIBLE": "ansible-collections/cisco.nxos, modules bgp_templates and lacp_interfaces",
    "GENIE": "CiscoTestAutomation/genielibs, conf of nxos interfaces, and its tests",
    "NETLAB": "ipspace/netlab templates for nxos",
    "SONIC": "sonic-net/sonic-mgmt, fan-out switches with NX-OS: breakout, FEC, management",
    "GUIDE": "Cisco Nexus 9000 Interfaces guides 10.3 (ip load-sharing) and 10.6 (breakout)",
    "QOS": "Cisco Nexus 9000 QoS guide 10.5: queuing policies of interfaces, rows of strict queues",
    "POC": "a Terraform config of Nexus 9000 with priority level 1 on queue 7 and 2 on queue 6",
}
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
NAME, NUMBER = r"[\w.-]+", r"\d+"
V4, V6 = r"[\d.]+/\d+", r"[\da-f:]+/\d+"
MARKING = (
    r"    random-detect minimum-threshold \d+ bytes maximum-threshold \d+ bytes "
    r"drop-probability \d+ weight 0 ecn"
)

SYSTEM = (
    ("BATFISH NETLAB", r"feature (bgp|lldp|lacp|interface-vlan|bfd)"),
    ("BATFISH AZURE", f"hostname {NAME}"),
    ("BATFISH", r"vrf context management"),
    ("BATFISH", r"  ip route 0\.0\.0\.0/0 [\d.]+"),
    ("BATFISH", r"  ipv6 route ::/0 [\da-f:]+"),
)
QOS = (
    ("ROCE AZURE", r"class-map type qos match-any ROCE-[a-z0-9-]+"),
    ("ROCE", r"  match dscp \d+(-\d+)?"),
    ("ROCE AZURE", r"policy-map type qos ROCE-IN"),
    ("ROCE AZURE", r"  class ROCE-[a-z0-9-]+"),
    ("ROCE", r"  class class-default"),
    ("ROCE AZURE", r"    set qos-group [0-7]"),
    ("ROCE AZURE", r"policy-map type network-qos ROCE-NETWORK"),
    ("ROCE AZURE", r"  class type network-qos c-8q-nq([1-7]|-default)"),
    ("ROCE AZURE", r"    pause pfc-cos [1-7]"),
    ("ROCE AZURE DME", r"    mtu 9216"),
    ("ROCE AZURE", r"system qos"),
    ("ROCE AZURE", r"  service-policy type network-qos ROCE-NETWORK"),
    ("ROCE", r"priority-flow-control watch-dog-interval on"),
)
QUEUING = (
    ("ROCE AZURE", r"policy-map type queuing ROCE-OUT-\d+G-\d+-\d+"),
    ("ROCE AZURE", r"  class type queuing c-out-8q-q([1-7]|-default)"),
    ("ROCE POC DME QOS", r"    priority level [1-7]"),
    ("ROCE AZURE DME", r"    bandwidth remaining percent \d+"),
    ("ROCE AZURE DME", MARKING),  # the units are DME's; kbytes alone was read in a config
)
INTERFACES = (
    ("GUIDE BATFISH SONIC", r"interface breakout module 1 port \d+ map (25g-4x|200g-2x)"),
    ("BATFISH", f"vlan {NUMBER}"),
    ("BATFISH AZURE", f"interface Vlan{NUMBER}"),
    ("BATFISH AZURE", f"interface port-channel{NUMBER}"),
    ("BATFISH", r"interface Ethernet1/\d+(/\d)?"),
    ("BATFISH", r"interface (loopback0|mgmt0)"),
    ("BATFISH AZURE", r"  description (to .+|unused)"),
    ("BATFISH AZURE", r"  (no )?shutdown"),
    ("BATFISH AZURE", r"  (no )?switchport"),
    ("BATFISH GENIE", r"  switchport mode access"),
    ("BATFISH", f"  switchport access vlan {NUMBER}"),
    ("BATFISH GENIE", r"  spanning-tree port type edge"),
    ("ROCE AZURE", r"  mtu 9216"),
    ("GENIE SONIC", r"  fec rs-fec"),
    ("BATFISH", f"  ip address {V4}"),
    ("BATFISH", f"  ipv6 address {V6}"),
    ("BATFISH", r"  ipv6 nd suppress-ra"),
    ("NETLAB", r"  no ip(v6)? redirects"),
    ("ROCE BATFISH DME", r"  priority-flow-control mode on"),
    ("ROCE DME", r"  priority-flow-control watch-dog-interval on"),
    ("ROCE AZURE", r"  service-policy type qos input ROCE-IN"),
    ("BATFISH QOS", r"  service-policy type queuing output ROCE-OUT-\d+G-\d+-\d+"),
    ("ANSIBLE BATFISH", f"  lacp min-links {NUMBER}"),
    ("ANSIBLE SONIC", r"  lacp rate fast"),
    ("BATFISH SONIC", f"  channel-group {NUMBER} mode active"),
    ("BATFISH SONIC", r"  vrf member management"),
)
ROUTING = (
    (
        "GUIDE",
        r"ip load-sharing address source-destination port source-destination universal-id \d+",
    ),
    ("BATFISH", f"ip route {V4} Null0"),
    ("BATFISH", f"ipv6 route {V6} Null0"),
)
POLICY = (
    ("BATFISH", r'ip as-path access-list FABRIC-LOCAL seq 10 permit "\^\$"'),
    ("BATFISH", r"ip community-list standard FABRIC-[A-Z-]+ seq 10 permit \d+:\d+"),
    ("BATFISH", f"ip prefix-list ANNOUNCE-V4 seq {NUMBER} permit {V4}"),
    ("BATFISH", f"ipv6 prefix-list ANNOUNCE-V6 seq {NUMBER} permit {V6}"),
    ("BATFISH", f"route-map FABRIC-(IN|OUT){CABLES}-V[46] (permit|deny) {NUMBER}"),
    ("BATFISH", r"  set community \d+:\d+( additive)?"),
    ("BATFISH", r"  match community FABRIC-[A-Z-]+"),
    ("BATFISH", r"  match ip address prefix-list ANNOUNCE-V4"),
    ("BATFISH", r"  match ipv6 address prefix-list ANNOUNCE-V6"),
    ("BATFISH", r"  match as-path FABRIC-LOCAL"),
)
BGP = (
    ("BATFISH NETLAB", f"router bgp {NUMBER}"),
    ("BATFISH NETLAB", r"  router-id [\d.]+"),
    ("BATFISH ANSIBLE", r"  bestpath as-path multipath-relax"),
    ("BATFISH NETLAB", r"  address-family ipv[46] unicast"),
    ("BATFISH NETLAB", f"    network ({V4}|{V6})"),
    ("BATFISH", r"    maximum-paths 64"),
    ("BATFISH ANSIBLE", f"  template peer FABRIC{CABLES}-V[46]"),
    ("BATFISH", r"    bfd"),
    ("BATFISH NETLAB", f"    timers {NUMBER} {NUMBER}"),
    ("BATFISH ANSIBLE", r"    address-family ipv[46] unicast"),
    ("BATFISH ANSIBLE", r"      send-community"),
    ("BATFISH", f"      route-map FABRIC-(IN{CABLES}-V[46] in|OUT{CABLES}-V[46] out)"),
    ("BATFISH NETLAB", r"  neighbor ([\d.]+|[\da-f:]+)"),
    ("BATFISH ANSIBLE", f"    inherit peer FABRIC{CABLES}-V[46]"),
    ("BATFISH", f"    remote-as {NUMBER}"),
    ("BATFISH NETLAB", r"    description \S+ Ethernet\d+(/\d+)+"),
)
EXTRA = (("BATFISH", r"ntp server 192\.0\.2\.53"),)  # the inventory's own line

BLOCKS = (SYSTEM, QOS, QUEUING, INTERFACES, ROUTING, POLICY, BGP, EXTRA)
