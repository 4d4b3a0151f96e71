"""Every form of line that is rendered, and where it was read; sources as in SOURCES.

The ``replace:`` tag before a statement is LOAD's.
"""

from __future__ import annotations

SOURCES = {
    "JVD": "Juniper/jvd data_center/aidc/aiml_multitenancy_backend, configs of QFX5240-64OD",
    "JVD-A": "Juniper/jvd, 3-stage design with IPv6 underlay, appendix on BGP unnumbered",
    "JVD-5": "Juniper/jvd data_center/adc/5stage_evpn_vxlan, configs of QFX5130-32CD",
    "EVO-Y": "Juniper/yang 24.4R1-EVO: conf-class-of-service, conf-policy-options",
    "DOC": "Juniper documentation, statement pages (PFC, watchdog, cable-length, dscp-ipv6, BGP)",
    "LOAD": "Juniper documentation: loading configuration files (load replace)",
}
NUMBER, NAME = r"\d+", r"[\w.-]+"
PORT = r"et-0/0/\d+(:\d+)?"
V4, V6 = r"[\d.]+/\d+", r"[\da-f:]+/\d+"
CLASS = r"(best-effort|roce|roce-4|cnp|network-control)"
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
TAG = "replace: "

SYSTEM = (
    ("JVD", r"system \{"),
    ("JVD", f"host-name {NAME};"),
    ("JVD", r"chassis \{"),
    ("JVD", r"fpc 0 \{"),
    ("JVD", r"traffic-manager \{"),
    ("JVD", r"buffer-monitor-enable;"),
)
INTERFACES = (
    ("JVD", r"interfaces \{"),
    ("JVD LOAD", f"{TAG}{PORT} \\{{"),
    ("JVD", r'description ".+";'),
    ("JVD", r"number-of-sub-ports [24];"),
    ("JVD JVD-5 DOC", r"speed (100|400)g;"),
    ("DOC", r"disable;"),
    ("JVD", r"mtu 9216;"),
    ("JVD", r"unit 0 \{"),
    ("JVD", r"family inet6? \{"),
    ("JVD", r"family inet6?;"),
    ("JVD", f"address {V4};"),
    ("JVD", f"address {V6};"),
    ("JVD LOAD", r"replace: re0:mgmt-0 \{"),
    ("JVD", r"lo0 \{"),
    ("JVD LOAD", r"replace: unit 0 \{"),
)
FORWARDING = (
    ("JVD", r"forwarding-options \{"),
    ("JVD LOAD", r"replace: (hash-key|enhanced-hash-key) \{"),
    ("JVD", r"layer-[34];"),
    ("JVD", r"(ecmp-dlb|flowlet|reassignment|ether-type) \{"),
    ("JVD", r"inactivity-interval 128;"),
    ("JVD", r"flowset-table-size 2048;"),
    ("JVD", r"(prob-threshold 3|quality-delta 6|sampling-rate 1000000);"),
    ("JVD", r"ipv[46];"),
)
POLICY = (
    ("JVD", r"policy-options \{"),
    ("JVD-5 EVO-Y LOAD", r"replace: prefix-list ANNOUNCE-V[46] \{"),
    ("JVD-5", f"{V4};"),
    ("EVO-Y", f"{V6};"),
    ("JVD LOAD", f"replace: policy-statement FABRIC-(ECMP|(IN|OUT){CABLES}) \\{{"),
    ("JVD", r"(then|from) \{"),
    ("JVD", r"load-balance per-packet;"),
    ("JVD EVO-Y", r"term (tag|denied|announced-v[46]|learned|rest) \{"),
    ("JVD EVO-Y", r"prefix-list ANNOUNCE-V[46];"),
    ("JVD", r"then (accept|reject);"),
    ("JVD", r"from protocol bgp;"),
    ("JVD", r"protocol bgp;"),
    ("JVD", r"community FABRIC-[A-Z-]+;"),
    ("JVD EVO-Y", r"community (add|set) FABRIC-[A-Z-]+;"),
    ("JVD", r"accept;"),
    ("JVD LOAD", r"replace: community FABRIC-[A-Z-]+ members \d+:\d+;"),
    ("JVD-A LOAD", f"replace: as-list FABRIC{CABLES} members \\d+(-\\d+)?;"),
)
CLASSES = (
    ("JVD LOAD", r"replace: class-of-service \{"),
    ("JVD", r"classifiers \{"),
    ("JVD", r"dscp ROCE \{"),
    ("EVO-Y DOC", r"dscp-ipv6 ROCE \{"),
    ("JVD JVD-5", f"forwarding-class {CLASS} \\{{"),
    ("JVD JVD-5", r"loss-priority low code-points \[( [01]{6})+ \];"),
    ("JVD", r"drop-profiles \{"),
    ("JVD", r"ROCE-ECN \{"),
    ("JVD", r"interpolate \{"),
    ("JVD", r"fill-level \[ \d+ \d+ \];"),
    ("JVD", r"drop-probability \[ 0 \d+ \];"),
    ("JVD", r"(shared-buffer|dedicated-buffer|ingress|egress) \{"),
    ("JVD", r"buffer-partition (lossless|lossless-headroom|lossy) \{"),
    ("JVD", f"percent {NUMBER};"),
    ("JVD", r"dynamic-threshold 10;"),
    ("JVD", r"forwarding-classes \{"),
    ("JVD JVD-5", f"class {CLASS} queue-num [0-7];"),
    ("JVD DOC", r"class (roce|roce-4) queue-num [0-7] no-loss pfc-priority [0-7];"),
)
PAUSE = (
    ("JVD", r"congestion-notification-profile \{"),
    ("JVD", r"ROCE-\d+M \{"),
    ("JVD DOC", r"pfc-watchdog \{"),
    ("EVO-Y DOC", f"(poll-interval|detection|recovery) {NUMBER};"),
    ("EVO-Y", r"watchdog-action (drop|forward);"),
    ("JVD", r"(input|output|dscp|ieee-802\.1) \{"),
    ("EVO-Y DOC", f"cable-length {NUMBER};"),
    ("JVD", r"code-point [01]{6} \{"),
    ("JVD", r"code-point [01]{3} \{"),
    ("JVD", r"pfc;"),
    ("EVO-Y", r"mru 9216;"),
    ("JVD DOC", r"flow-control-queue [0-7];"),
    ("JVD", f"{PORT} \\{{"),
    ("JVD", r"congestion-notification-profile ROCE-\d+M;"),
)
SCHEDULING = (
    ("JVD", r"(scheduler-maps|schedulers) \{"),
    ("JVD", r"scheduler-map ROCE-\d+G;"),
    ("JVD", r"dscp ROCE;"),
    ("EVO-Y DOC", r"dscp-ipv6 ROCE;"),
    ("JVD", r"ROCE-\d+G(-[0-7])? \{"),
    ("JVD", f"forwarding-class {CLASS} scheduler ROCE-\\d+G-[0-7];"),
    ("JVD JVD-5", f"transmit-rate percent {NUMBER};"),
    ("JVD-5", r"priority low;"),
    ("JVD JVD-5", r"priority strict-high;"),
    ("JVD-5", r"shaping-rate \d+g;"),
    ("JVD", r"drop-profile-map loss-priority any protocol any drop-profile ROCE-ECN;"),
    ("JVD", r"explicit-congestion-notification;"),
)
ROUTING = (
    ("JVD", r"routing-options \{"),
    ("JVD", r"router-id [\d.]+;"),
    ("JVD", f"autonomous-system {NUMBER};"),
    ("DOC", r"rib inet6\.0 \{"),
    ("JVD", r"static \{"),
    ("JVD-5 LOAD", f"replace: route ({V4}|{V6}) discard;"),
    ("JVD LOAD", r"replace: forwarding-table \{"),
    ("JVD", r"export FABRIC-ECMP;"),
    ("JVD", r"ecmp-fast-reroute;"),
)
PROTOCOLS = (
    ("JVD", r"(protocols|bgp) \{"),
    ("JVD", r"router-advertisement \{"),
    ("JVD LOAD", f"replace: interface {PORT}\\.0 \\{{"),
    ("JVD", r"(max-advertisement-interval 30|min-advertisement-interval 10);"),
    ("JVD-A", f"interface {PORT}\\.0;"),
    ("JVD LOAD", f"replace: group FABRIC{CABLES}(-V[46])? \\{{"),
    ("JVD", r"type external;"),
    ("JVD", r"multipath \{"),
    ("JVD", r"multiple-as;"),
    ("DOC", f"hold-time {NUMBER};"),
    ("JVD", f"(import FABRIC-IN|export FABRIC-OUT){CABLES};"),
    ("JVD", r"unicast;"),
    ("JVD-A", r"unicast \{"),
    ("JVD-A", r"extended-nexthop;"),
    ("JVD", r"bfd-liveness-detection \{"),
    ("JVD", r"(minimum-interval 1000|multiplier 3);"),
    ("JVD", r"neighbor ([\d.]+|[\da-f:]+) \{"),
    ("JVD", r"local-address ([\d.]+|[\da-f:]+);"),
    ("JVD", f"peer-as {NUMBER};"),
    ("JVD-A", f"dynamic-neighbor FABRIC{CABLES} \\{{"),
    ("JVD-A", r"peer-auto-discovery \{"),
    ("JVD-A", r"ipv6-nd;"),
    ("JVD-A", f"peer-as-list FABRIC{CABLES};"),
    ("JVD LOAD", r"replace: lldp \{"),
    ("JVD", r"port-id-subtype interface-name;"),
    ("JVD", r"port-description-type interface-description;"),
    ("JVD", r"neighbour-port-info-display port-id;"),
    ("JVD", r"interface all;"),
)
EXTRA = (("JVD-5", r"system \{ ntp \{ server 192\.0\.2\.53; \} \}"),)  # the inventory's own line

BLOCKS = (
    SYSTEM, INTERFACES, FORWARDING, POLICY, CLASSES, PAUSE, SCHEDULING, ROUTING, PROTOCOLS, EXTRA,
)  # fmt: skip
