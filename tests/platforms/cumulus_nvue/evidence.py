"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "QOS": "CumulusNetworks/docs content/cumulus-linux-514, Quality of Service",
    "QOSREF": "CumulusNetworks/docs content/nvue-reference, Set and Unset Commands, QoS",
    "NEW56": "CumulusNetworks/docs content/cumulus-linux-56, What's New: ranges of new commands",
    "PORTS": "CumulusNetworks/docs content/cumulus-linux-514, Switch Port Attributes",
    "IFACE": "CumulusNetworks/docs, Interface Configuration and Management",
    "BOND": "CumulusNetworks/docs, Bonding, and nvue-reference, Bond",
    "BRIDGE": "CumulusNetworks/docs, VLAN-aware Bridge Mode; nvue-reference, Bridge",
    "ARP": "CumulusNetworks/docs, Address Resolution Protocol",
    "ECMP": "CumulusNetworks/docs content/cumulus-linux-514, Equal Cost Multipath Load Sharing",
    "BGP": "CumulusNetworks/docs content/cumulus-linux-514, Basic and Optional BGP Configuration",
    "BGPREF": "CumulusNetworks/docs content/nvue-reference, BGP",
    "BFD": "CumulusNetworks/docs content/cumulus-linux-514, Bidirectional Forwarding Detection",
    "STATIC": "CumulusNetworks/docs content/cumulus-linux-514, Static Routing",
    "POLICY": "CumulusNetworks/docs content/nvue-reference, Router Policy",
    "START": "CumulusNetworks/docs, Quick Start Guide",
    "SHOWN": "`nv config show -o commands` of a 5.1 switch in a lab guide of the vendor",
    "SCRIPT": "a file of nv set lines that NVIDIA publishes (core-02, 2026-04, MIT)",
}
NAME, NUMBER = r"[\w.-]+", r"\d+"
V4, V6 = r"[\d.]+/\d+", r"[\da-f:]+/\d+"
PORT = r"nv set interface swp\d+(s\d+)?"
BOND, VLAN = f"nv set interface bond{NUMBER}", f"nv set interface vlan{NUMBER}"
CABLES = "(-GLOBAL|-LEAF-SPINE)?"
BGP_OF = r"nv set vrf default router bgp"
NEIGHBOR = rf"{BGP_OF} neighbor (swp\d+|[\d.]+|[\da-f:]+)"
UNICAST = "address-family ipv[46]-unicast"
POLICY_OF = "nv set router policy"

SYSTEM = (
    ("START", f"nv set system hostname {NAME}"),
    ("ECMP", f"nv set system forwarding hash-seed {NUMBER}"),
    ("SHOWN SCRIPT", r"nv set interface eth0 type eth"),
    ("SHOWN", r"nv set interface eth0 ip vrf mgmt"),
    ("START SHOWN", f"nv set interface eth0 ip address {V4}"),
    ("START", r"nv set interface eth0 ip gateway [\d.]+"),
    ("ARP NEW56", f"nv set system global arp base-reachable-time {NUMBER}"),
    ("BRIDGE", f"nv set bridge domain br_default ageing {NUMBER}"),
    ("BRIDGE SCRIPT", f"nv set bridge domain br_default vlan {NUMBER}"),
)
QOS = (
    ("QOS", r"nv set qos mapping default-global trust l3"),
    ("QOS QOSREF", r"nv set qos mapping default-global dscp \d+(,\d+)* switch-priority [0-7]"),
    (
        "QOS",
        r"nv set qos egress-queue-mapping default-global switch-priority [0-7] traffic-class [0-7]",
    ),
    ("QOS", r"nv set qos traffic-pool default-loss(y|less) memory-percent 50"),
    ("QOS", r"nv set qos congestion-control default-global traffic-class 0 ecn disable"),
    ("QOS NEW56", f"nv set qos pfc-watchdog polling-interval {NUMBER}"),
    ("QOS NEW56", f"nv set qos pfc-watchdog robustness {NUMBER}"),
)
PROFILES = (
    ("QOS", f"nv set qos pfc {NAME} switch-priority [0-7](,[0-7])*"),
    ("QOS", f"nv set qos pfc {NAME} [tr]x enable"),
    ("QOS QOSREF", f"nv set qos pfc {NAME} cable-length {NUMBER}"),
    ("QOSREF", f"nv set qos congestion-control {NAME} traffic-class [0-7] ecn enable"),
    ("QOSREF", f"nv set qos congestion-control {NAME} traffic-class [0-7] red disable"),
    ("QOS", f"nv set qos congestion-control {NAME} traffic-class [0-7] min-threshold {NUMBER}"),
    ("QOS", f"nv set qos congestion-control {NAME} traffic-class [0-7] max-threshold {NUMBER}"),
    ("QOS", f"nv set qos congestion-control {NAME} traffic-class [0-7] probability {NUMBER}"),
    ("QOS", f"nv set qos egress-shaper {NAME} traffic-class [0-7] max-rate {NUMBER}"),
    ("QOS", f"nv set qos egress-scheduler {NAME} traffic-class [0-7] mode (dwrr|strict)"),
    ("QOS", f"nv set qos egress-scheduler {NAME} traffic-class [0-7] bw-percent {NUMBER}"),
)
INTERFACES = (
    ("SHOWN SCRIPT", f"{PORT} type swp"),
    ("PORTS SCRIPT", r"nv set interface swp\d+ link breakout [248]x( lanes-per-port [1248])?"),
    ("IFACE SCRIPT", rf"{PORT} description '(to {NAME} {NAME}|unused)'"),
    ("PORTS SCRIPT", f"{PORT} link state (up|down)"),
    ("PORTS", f"{PORT} link mtu {NUMBER}"),
    ("PORTS", f"{PORT} link speed {NUMBER}G"),
    ("PORTS", f"{PORT} link fec (rs|off)"),
    ("IFACE", f"{PORT} ip address ({V4}|{V6})"),
    ("BRIDGE SHOWN SCRIPT", f"{PORT} bridge domain br_default access {NUMBER}"),
    ("SHOWN", f"{PORT} bridge domain br_default stp admin-edge on"),
    ("QOS", f"({PORT}|{BOND}) qos pfc profile {NAME}"),
    ("QOS QOSREF", f"({PORT}|{BOND}) qos congestion-control profile {NAME}"),
    ("QOS QOSREF", f"({PORT}|{BOND}) qos egress-scheduler profile {NAME}"),
    ("QOS QOSREF", f"({PORT}|{BOND}) qos egress-shaper profile {NAME}"),
    ("QOS NEW56 SCRIPT", f"{PORT} qos pfc-watchdog state enable"),
)
LOGICAL = (
    ("SHOWN SCRIPT", f"{BOND} type bond"),
    ("IFACE", f"{BOND} description 'to {NAME} {NAME}'"),
    ("BOND SHOWN", f"{BOND} bond mode lacp"),
    ("BOND", f"{BOND} bond lacp-rate fast"),
    ("BOND SHOWN SCRIPT", rf"{BOND} bond member swp\d+(s\d+)?"),
    ("PORTS SHOWN", f"{BOND} link mtu {NUMBER}"),
    ("SHOWN SCRIPT", f"{BOND} bridge domain br_default access {NUMBER}"),
    ("SHOWN", f"{BOND} bridge domain br_default stp admin-edge on"),
    ("IFACE", f"{BOND} ip address ({V4}|{V6})"),
    ("SHOWN", f"{VLAN} type svi"),
    ("SHOWN", f"{VLAN} vlan {NUMBER}"),
    ("SHOWN", f"{VLAN} ip address {V4}"),
    ("SHOWN SCRIPT", r"nv set interface lo type loopback"),
    ("IFACE SHOWN", f"nv set interface lo ip address ({V4}|{V6})"),
)
POLICY = (
    ("POLICY", f"{POLICY_OF} as-path-list FABRIC-LEARNED rule {NUMBER} action permit"),
    ("POLICY", rf"{POLICY_OF} as-path-list FABRIC-LEARNED rule {NUMBER} aspath-exp \^\d+_"),
    ("POLICY", f"{POLICY_OF} community-list FABRIC-[A-Z-]+ rule 10 action permit"),
    ("POLICY", rf"{POLICY_OF} community-list FABRIC-[A-Z-]+ rule 10 community \d+:\d+"),
    ("POLICY", f"{POLICY_OF} prefix-list ANNOUNCE-V[46] type ipv[46]"),
    ("POLICY", f"{POLICY_OF} prefix-list ANNOUNCE-V[46] rule {NUMBER} action permit"),
    ("POLICY", f"{POLICY_OF} prefix-list ANNOUNCE-V[46] rule {NUMBER} match ({V4}|{V6})"),
    ("POLICY", f"{POLICY_OF} route-map FABRIC-(IN|OUT){CABLES} rule {NUMBER} action permit"),
    ("POLICY", f"{POLICY_OF} route-map FABRIC-OUT{CABLES} rule 5 action deny"),
    ("POLICY", rf"{POLICY_OF} route-map FABRIC-IN{CABLES} rule 10 set community \d+:\d+"),
    ("POLICY", f"{POLICY_OF} route-map FABRIC-OUT{CABLES} rule 5 match community-list {NAME}"),
    ("POLICY", f"{POLICY_OF} route-map FABRIC-OUT{CABLES} rule {NUMBER} match type ipv[46]"),
    (
        "POLICY",
        f"{POLICY_OF} route-map FABRIC-OUT{CABLES} rule {NUMBER} match ip-prefix-list {NAME}",
    ),
    ("POLICY", f"{POLICY_OF} route-map FABRIC-OUT{CABLES} rule 30 match as-path-list {NAME}"),
)
BGP = (
    ("STATIC", f"nv set vrf default router static ({V4}|{V6}) via blackhole"),
    ("BGP SHOWN", r"nv set router bgp enable on"),
    ("BGP", f"nv set router bgp autonomous-system {NUMBER}"),
    ("BGP", r"nv set router bgp router-id [\d.]+"),
    ("SHOWN", f"{BGP_OF} enable on"),
    ("BGP", f"{BGP_OF} path-selection multipath aspath-ignore on"),
    ("BGP SHOWN", f"{BGP_OF} {UNICAST} enable on"),
    ("BGP BGPREF", f"{BGP_OF} {UNICAST} multipaths ebgp {NUMBER}"),
    ("BGP", f"{BGP_OF} {UNICAST} network ({V4}|{V6})"),
    ("BGP SHOWN", f"{NEIGHBOR} type (un)?numbered"),
    ("BGP", f"{NEIGHBOR} remote-as {NUMBER}"),
    ("BGPREF", f'{NEIGHBOR} description "{NAME} {NAME}"'),
    ("BGP", f"{NEIGHBOR} timers (keepalive|hold) {NUMBER}"),
    ("BFD BGPREF", f"{NEIGHBOR} bfd enable on"),
    ("BGP BGPREF", f"{NEIGHBOR} {UNICAST} enable (on|off)"),
    ("BGPREF", f"{NEIGHBOR} {UNICAST} policy inbound route-map FABRIC-IN{CABLES}"),
    ("BGPREF", f"{NEIGHBOR} {UNICAST} policy outbound route-map FABRIC-OUT{CABLES}"),
    ("BGPREF", f"{NEIGHBOR} {UNICAST} community-advertise regular on"),
)
EXTRA = (("SHOWN", r"nv set service ntp mgmt server 192\.0\.2\.53"),)  # the inventory's own line

BLOCKS = (SYSTEM, QOS, PROFILES, INTERFACES, LOGICAL, POLICY, BGP, EXTRA)
