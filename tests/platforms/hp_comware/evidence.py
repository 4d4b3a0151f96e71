"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "CR": "Comware 7 command reference, as stored in grayfalcon666/netmiko-h3c-skill",
    "PFC": "H3C, Configuring PFC (2024)",
    "BGP": "H3C, BGP overview (2024): load balancing criteria",
    "FIELD": "published port script for 400G ports of H3C",
    "SEEN": "ntc-templates hp_comware: names and MTU of ports as boxes print them",
}
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
NAME, NUMBER = r"[\w.-]+", r"\d+"
V4, MASK, V6 = r"\d+\.\d+\.\d+\.\d+", r"255\.\d+\.\d+\.\d+", r"[\da-f:]+"
PEER = rf"peer ({V4}|{V6})"

SYSTEM = (
    ("CR", f" sysname {NAME}"),
    ("CR", r" lldp global enable"),
)
QOS = (
    ("CR", r"qos map-table (dscp-lp|dscp-dot1p|dot1p-lp)"),
    ("CR", r" import \d+ export [0-7]"),
)
INTERFACES = (
    ("SEEN FIELD", r"interface (Four)?HundredGigE1/0/\d+"),
    ("CR", r"interface LoopBack0"),
    ("CR", r" port link-mode route"),
    ("CR", r" description (to .+|unused)"),
    ("CR", r" (undo )?shutdown"),
    ("CR SEEN", r" mtu 9008"),
    ("CR", f" ip address {V4} {MASK}"),
    ("CR", rf" ipv6 address {V6}/\d+"),
    ("PFC CR", r" priority-flow-control enable"),
    ("PFC CR", r" priority-flow-control no-drop dot1p [0-7,]+"),
    ("CR FIELD", r" qos trust dscp"),
    ("CR FIELD", r" qos wfq byte-count"),
    ("CR", r" qos wfq [0-7] group 1 byte-count \d+"),
    ("CR", r" qos wfq [0-7] group sp"),
    ("CR", rf" ip route-static {V4} \d+ NULL0"),
    ("CR", rf" ipv6 route-static {V6} \d+ NULL0"),
)
POLICY = (
    ("CR", r" ip as-path 64 permit \^\$"),
    ("CR", f" ip community-list basic {NAME} permit 64999:{NUMBER}"),
    ("CR", rf" ip prefix-list ANNOUNCE-V4 index {NUMBER} permit {V4} \d+"),
    ("CR", rf" ipv6 prefix-list ANNOUNCE-V6 index {NUMBER} permit {V6} \d+"),
    ("CR", f"route-policy FABRIC-IN{CABLES} permit node 10"),
    ("CR", f"route-policy FABRIC-OUT{CABLES}-V[46] (permit node (10|30)|deny node (5|20))"),
    ("CR", f" apply community 64999:{NUMBER}( additive)?"),
    ("CR", f" if-match community name {NAME}"),
    ("CR", r" if-match ip address prefix-list ANNOUNCE-V4"),
    ("CR", r" if-match ipv6 address prefix-list ANNOUNCE-V6"),
    ("CR", r" if-match as-path 64"),
)
BGP = (
    ("CR", r"bgp \d+"),
    ("CR", f" router-id {V4}"),
    ("CR", rf" {PEER} as-number \d+"),
    ("CR", rf" {PEER} description .+"),
    ("CR", rf" {PEER} timer keepalive \d+ hold \d+"),
    ("CR", rf" {PEER} bfd"),
    ("CR", r" address-family ipv[46] unicast"),
    ("CR", r"  balance \d+"),
    ("BGP", r"  balance as-path-relax"),
    ("CR", f"  network {V4} {MASK}"),
    ("CR", rf"  network {V6} \d+"),
    ("CR", rf"  {PEER} enable"),
    ("CR", rf"  {PEER} route-policy FABRIC-(IN{CABLES} import|OUT{CABLES}-V[46] export)"),
    ("CR", rf"  {PEER} advertise-community"),
)
EXTRA = (("CR", r" ntp-service enable"),)  # the inventory's own line
BLOCKS = (SYSTEM, QOS, INTERFACES, POLICY, BGP, EXTRA)
