"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "NETLAB": "ipspace/netlab, templates and extras of dellos10, tried there on OS10 in a VM",
    "AZURE": "microsoft AzureStack_Network_Switch_Config_Generator, std_dell_os10_fc (goldens)",
    "ANSIBLE": "ansible-collections/dellemc.os10, roles and a show running-config of 10.4",
    "GUIDE": "pages of the OS10 user and API guides: MX9116n 10.5.0, S4128F-ON 10.4.3.0",
    "INTEL": "Intel mfd_switchmanagement, driver of OS10",
    "NONE": "no public source: the twin of a confirmed line, behind syntax trust-dscp-map",
}
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
NAME, NUMBER = r"[\w.-]+", r"\d+"
V4, V6 = r"[\d.]+/\d+", r"[\da-f:]+/\d+"
WRED = (
    r" random-detect color green minimum-threshold \d+ maximum-threshold \d+ drop-probability \d+"
)

SYSTEM = (
    ("NETLAB", f"hostname {NAME}"),
    ("NETLAB AZURE", r"lldp enable"),
    ("ANSIBLE GUIDE", r"ip ecmp-group maximum-paths \d+"),
    ("NETLAB", r"bfd enable"),
    ("AZURE", r"mac address-table aging-time \d+"),
    ("ANSIBLE", r"interface breakout 1/1/\d+ map \d+g-[1248]x"),
)
QOS = (
    ("AZURE GUIDE", f"wred {NAME}"),
    ("AZURE GUIDE", WRED),
    ("AZURE GUIDE", r" random-detect ecn"),
    ("AZURE", r"class-map type network-qos ROCE-PRIORITY-[0-7]"),
    ("AZURE", r" match qos-group [0-7]"),
    ("AZURE", r"class-map type queuing ROCE-QUEUE-[0-7]"),
    ("AZURE", r" match queue [0-7]"),
    ("NONE", r"trust dscp-map ROCE"),
    ("NONE", r" qos-group [0-7] dscp [\d,-]+"),
    ("AZURE GUIDE", r"qos-map traffic-class ROCE"),
    ("AZURE GUIDE", r" queue [0-7] qos-group [0-7,-]+"),
    ("AZURE", r"policy-map type network-qos ROCE"),
    ("AZURE", r" class ROCE-PRIORITY-[0-7]"),
    ("AZURE GUIDE", r"  pause"),
    ("AZURE", r"  pfc-cos [0-7]"),
    ("AZURE", f"policy-map type queuing {NAME}"),
    ("AZURE", r" class ROCE-QUEUE-[0-7]"),
    ("GUIDE", r"  priority"),
    ("AZURE", r"  bandwidth percent \d+"),
    ("AZURE GUIDE", f"  random-detect {NAME}"),
    ("AZURE", r"system qos"),
    ("AZURE", r" buffer-statistics-tracking"),
    ("NONE", r" trust-map dscp ROCE"),
)
INTERFACES = (
    ("NETLAB", r"interface ethernet1/1/\d+(:\d)?"),
    ("NETLAB", r"interface loopback0"),
    ("NETLAB AZURE", r"interface vlan\d+"),
    ("NETLAB", r' description "(to .+|unused)"'),
    ("NETLAB AZURE", r" (no )?shutdown"),
    ("NETLAB AZURE", r" no switchport"),
    ("NETLAB AZURE", r" switchport mode access"),
    ("NETLAB AZURE", r" switchport access vlan \d+"),
    ("AZURE", r" spanning-tree port type edge"),
    ("NETLAB AZURE", r" mtu 9216"),
    ("NETLAB AZURE", f" ip address {V4}"),
    ("NETLAB", r" ipv6 enable"),
    ("NETLAB GUIDE", r" ipv6 nd (max-ra-interval 4|min-ra-interval 3|send-ra)"),
    ("NETLAB", f" ipv6 address {V6}"),
    ("AZURE INTEL", r" flowcontrol receive off"),
    ("INTEL", r" flowcontrol transmit off"),
    ("AZURE INTEL", r" priority-flow-control mode on"),
    ("AZURE INTEL", r" service-policy input type network-qos ROCE"),
    ("AZURE INTEL", f" service-policy output type queuing {NAME}"),
    ("AZURE GUIDE", r" qos-map traffic-class ROCE"),
    ("NETLAB", f"ip route {V4} interface null 0"),
    ("NETLAB", f"ipv6 route {V6} interface null0"),
)
POLICY = (
    ("NETLAB", r"ip as-path access-list FABRIC-LOCAL permit \^\$"),
    ("NETLAB", f"ip community-list standard {NAME} permit 64999:{NUMBER}"),
    ("NETLAB AZURE", f"ip prefix-list ANNOUNCE-V4 seq {NUMBER} permit {V4}"),
    ("NETLAB", f"ipv6 prefix-list ANNOUNCE-V6 seq {NUMBER} permit {V6}"),
    ("NETLAB", f"route-map FABRIC-IN{CABLES} permit 10"),
    ("NETLAB", f"route-map FABRIC-OUT{CABLES}-V[46] (permit (10|30)|deny (5|20))"),
    ("NETLAB", f" set community 64999:{NUMBER}( additive)?"),
    ("NETLAB", f" match community {NAME}"),
    ("NETLAB GUIDE", r" match ip address prefix-list ANNOUNCE-V4"),
    ("NETLAB", r" match ipv6 address prefix-list ANNOUNCE-V6"),
    ("NETLAB", r" match as-path FABRIC-LOCAL"),
)
BGP = (
    ("NETLAB AZURE", r"router bgp \d+"),
    ("NETLAB AZURE", r" router-id [\d.]+"),
    ("NETLAB AZURE", r" log-neighbor-changes"),
    ("AZURE", r" bestpath as-path multipath-relax"),
    ("AZURE", r" maximum-paths ebgp \d+"),
    ("NETLAB", r" template FABRIC"),
    ("NETLAB", r"  link-local-only-nexthop"),
    ("NETLAB AZURE", r" address-family ipv[46] unicast"),
    ("NETLAB AZURE", f"  network ({V4}|{V6})"),
    ("NETLAB AZURE", r" neighbor [\da-f.:]+"),
    ("NETLAB", r" neighbor interface ethernet1/1/\d+(:\d)?"),
    ("NETLAB", r'  description ".+"'),
    ("NETLAB", r"  inherit template FABRIC inherit-type ebgp"),
    ("NETLAB AZURE", r"  remote-as \d+"),
    ("NETLAB", r"  timers \d+ \d+"),
    ("NETLAB", r"  advertisement-interval 1"),
    ("NETLAB", r"  send-community standard"),
    ("NETLAB", r"  bfd"),
    ("NETLAB AZURE", r"  no shutdown"),
    ("NETLAB AZURE", r"  address-family ipv[46] unicast"),
    ("NETLAB AZURE", r"   activate"),
    ("NETLAB", r"   no activate"),
    ("NETLAB", f"   route-map FABRIC-(IN{CABLES} in|OUT{CABLES}-V[46] out)"),
)
EXTRA = (("NETLAB", r"ntp server 192\.0\.2\.53"),)  # the inventory's own line
BLOCKS = (SYSTEM, QOS, INTERFACES, POLICY, BGP, EXTRA)
