"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "AVD": "pyavd 6.4.0, schema and rendering of eos_cli_config_gen",
    "7388": "Arista 7388 DCQCN example in the Gaudi documentation",
    "BATFISH": "batfish grammar test arista_route_map_community, a vEOS 4.21 config",
    "LAB": "batfish/lab-validation snapshots/eos_ceos_bgp_unnumbered, a captured config",
}
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
GROUP = f"FABRIC{CABLES}(-V[46])?"
NAME, NUMBER, SECONDS = r"[\w.-]+", r"\d+", r"\d+(?:\.\d{1,3})?"
V4, V6 = r"[\d.]+/\d+", r"[\da-f:]+/\d+"
ECN = (
    r"      random-detect ecn minimum-threshold \d+ bytes maximum-threshold \d+ bytes "
    r"max-mark-probability \d+ weight 0"
)

SYSTEM = (
    ("AVD LAB", "service routing protocols model multi-agent"),
    ("AVD", f"hostname {NAME}"),
    ("AVD", f"vlan {NUMBER}"),
    ("AVD", f"mac address-table aging-time {NUMBER}"),
)
PROFILES = (
    ("AVD", f"qos profile {NAME}"),
    ("AVD 7388", r"   qos trust dscp"),
    ("AVD 7388", r"   priority-flow-control on"),
    ("AVD 7388", r"   priority-flow-control priority [0-7] no-drop"),
    ("AVD", r"   priority-flow-control pause watchdog"),
    ("AVD 7388", r"   uc-tx-queue [0-6]"),
    ("AVD", r"      no priority"),
    ("AVD", r"      priority strict"),
    ("AVD", f"      bandwidth percent {NUMBER}"),
    ("AVD", f"      shape rate {NUMBER} kbps"),
    ("AVD 7388", ECN),
    ("AVD 7388", r"      random-detect ecn count"),
)
INTERFACES = (
    ("AVD 7388", r"interface Ethernet\d+(/\d)?"),
    ("AVD", r"interface (Loopback0|Management1)"),
    ("AVD", r"   description (to .+|unused)"),
    ("AVD", r"   (no )?shutdown"),
    ("AVD 7388", r"   mtu 9214"),
    ("AVD 7388", r"   speed (10g|200g-4|400g-8)"),
    ("AVD 7388", r"   error-correction encoding reed-solomon"),
    ("AVD", r"   no error-correction encoding"),
    ("AVD LAB", r"   no switchport"),
    ("AVD", f"interface Port-Channel{NUMBER}"),
    ("AVD", f"   channel-group {NUMBER} mode active"),
    ("AVD", r"   lacp timer fast"),
    ("AVD", f"   port-channel min-links {NUMBER}"),
    ("AVD", f"   switchport access vlan {NUMBER}"),
    ("AVD", r"   switchport mode access"),
    ("AVD", r"   switchport"),
    ("AVD", r"   spanning-tree portfast"),
    ("AVD", f"interface Vlan{NUMBER}"),
    ("AVD", f"   arp aging timeout {NUMBER}"),
    ("AVD 7388", f"   ip address {V4}"),
    ("AVD LAB", r"   ipv6 enable"),
    ("AVD", f"   ipv6 address {V6}"),
    ("AVD", r"   ipv6 nd ra disabled"),
    ("AVD 7388", f"   service-profile {NAME}"),
)
ROUTING = (
    ("AVD", r"ip routing"),
    ("AVD LAB", r"ip routing ipv6 interfaces"),
    ("AVD LAB", r"ipv6 unicast-routing"),
    ("AVD", r"ip hardware fib load-balance distribution dynamic"),
    ("AVD", f"ip route {V4} Null0"),
    ("AVD", f"ipv6 route {V6} Null0"),
)
QOS = (
    ("AVD 7388", r"qos map dscp( \d+)+ to traffic-class [0-7]"),
    ("AVD", r"qos map traffic-class [0-6] to tx-queue [0-6]"),
    ("AVD", f"priority-flow-control pause watchdog default timeout {SECONDS}"),
    ("AVD", f"priority-flow-control pause watchdog default recovery-time {SECONDS}"),
    ("AVD", f"priority-flow-control pause watchdog default polling-interval {SECONDS}"),
    ("AVD", r"priority-flow-control pause watchdog action (drop|notify-only)"),
)
POLICY = (
    ("AVD", r"ip as-path access-list FABRIC-LOCAL permit \^\$ any"),
    ("AVD", r"ip prefix-list ANNOUNCE-V4"),
    ("AVD", f"   seq {NUMBER} permit {V4}"),
    ("AVD", r"ip community-list FABRIC-[A-Z-]+ permit \d+:\d+"),
    ("AVD", f"route-map FABRIC-(IN|OUT){CABLES} (permit|deny) {NUMBER}"),
    ("AVD BATFISH", r"   match community FABRIC-[A-Z-]+"),
    ("AVD BATFISH", r"   set community \d+:\d+( additive)?"),
    ("AVD", r"ipv6 prefix-list ANNOUNCE-V6"),
    ("AVD", f"   seq {NUMBER} permit {V6}"),
    ("AVD", r"   match ip address prefix-list ANNOUNCE-V4"),
    ("AVD", r"   match ipv6 address prefix-list ANNOUNCE-V6"),
    ("AVD", r"   match as-path FABRIC-LOCAL"),
)
BGP = (
    ("AVD LAB", f"router bgp {NUMBER}"),
    ("AVD LAB", r"   router-id [\d.]+"),
    ("AVD LAB", r"   no bgp default ipv4-unicast"),
    ("AVD LAB", f"   maximum-paths {NUMBER} ecmp {NUMBER}"),
    ("AVD LAB", f"   neighbor {GROUP} peer group"),
    ("AVD", r"   neighbor FABRIC bfd"),
    ("AVD", f"   neighbor {GROUP} timers {NUMBER} {NUMBER}"),
    ("AVD", f"   neighbor {GROUP} send-community standard"),
    ("AVD", f"   neighbor [\\d.]+ peer group FABRIC{CABLES}-V4"),
    ("AVD", f"   neighbor [\\d.]+ remote-as {NUMBER}"),
    ("AVD", r"   neighbor [\d.]+ description .+"),
    (
        "AVD LAB",
        f"   neighbor interface Ethernet\\d+/\\d peer-group FABRIC{CABLES} remote-as {NUMBER}",
    ),
    ("AVD", r"   neighbor [\da-f:]+:[\da-f:]* peer group FABRIC-V6"),
    ("AVD", f"   neighbor [\\da-f:]+:[\\da-f:]* remote-as {NUMBER}"),
    ("AVD", r"   neighbor [\da-f:]+:[\da-f:]* description .+"),
    ("AVD LAB", r"   address-family ipv4"),
    ("AVD LAB", f"      neighbor {GROUP} activate"),
    ("AVD", f"      neighbor {GROUP} route-map FABRIC-(IN{CABLES} in|OUT{CABLES} out)"),
    ("AVD LAB", f"      neighbor FABRIC{CABLES} next-hop address-family ipv6 originate"),
    ("AVD LAB", f"      network {V4}"),
    ("AVD", r"   address-family ipv6"),
    ("AVD", r"      neighbor FABRIC-V6 activate"),
    ("AVD", r"      neighbor FABRIC-V6 route-map FABRIC-(IN in|OUT out)"),
    ("AVD", f"      network {V6}"),
)
EXTRA = (("AVD", r"ntp server 192\.0\.2\.53"),)  # the inventory's own line

BLOCKS = (SYSTEM, PROFILES, INTERFACES, ROUTING, QOS, POLICY, BGP, EXTRA)
