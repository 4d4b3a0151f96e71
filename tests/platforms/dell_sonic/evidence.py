"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "DELL": "dellemc.enterprise_sonic 4.1.0: running configs in plugins/modules and module options",
    "RENDER": "Dell's renderers: show_config_qos.py, show_config_qos_map.py, show_config_bgp.py",
    "Z9664F": "configuration of a Z9664F-O64 in the MI300X networking guide",
    "SPYTEST": "sonic-net/sonic-mgmt spytest/apis, which drive real boxes over this CLI",
    "HLD": "Broadcom's designs: lossless buffers for 4.1, port breakout, ECMP hash",
    "GUIDE": "the SONiC Industry Standard CLI Reference Guide, generated from the command tree",
}
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
NAME, NUMBER = r"[\w.-]+", r"\d+"
CODES = r"\d+(-\d+)?(,\d+(-\d+)?)*"
V4, V6 = r"[\d.]+/\d+", r"[\da-f:]+/\d+"

LEAVING = (("SPYTEST", r" {1,3}exit"),)
SYSTEM = (
    ("DELL GUIDE", f"hostname {NAME}"),
    ("DELL HLD GUIDE", f"ip load-share hash seed {NUMBER}"),
    ("DELL HLD", r"ip load-share hash ipv4 ipv4-(src-ip|dst-ip|ip-proto|l4-(src|dst)-port)"),
    ("HLD GUIDE", r"ip load-share hash ipv6 ipv6-(src-ip|dst-ip|next-hdr|l4-(src|dst)-port)"),
    ("HLD GUIDE", r"interface breakout port 1/\d+ mode 2x200G"),
)
MAPS = (
    ("RENDER SPYTEST Z9664F", r"qos map dscp-tc FABRIC"),
    ("RENDER SPYTEST Z9664F", f" dscp {CODES} traffic-class [0-7]"),
    ("RENDER SPYTEST Z9664F", r"qos map tc-queue FABRIC(-RISE)?"),
    ("RENDER SPYTEST Z9664F", f" traffic-class {CODES} queue [0-7]"),
    ("RENDER SPYTEST Z9664F", r"qos map tc-pg FABRIC"),
    ("RENDER SPYTEST Z9664F", f" traffic-class {CODES} priority-group [347]"),
    ("RENDER SPYTEST", r"qos map tc-dscp FABRIC-RISE"),
    ("RENDER SPYTEST", f" traffic-class {CODES} dscp {NUMBER}"),
    ("RENDER SPYTEST Z9664F", r"qos map pfc-priority-queue FABRIC"),
    ("RENDER SPYTEST Z9664F", r" pfc-priority [0-7] queue [0-7]"),
)
QUEUES = (
    ("RENDER DELL Z9664F", f"qos wred-policy FABRIC-{NUMBER}-{NUMBER}-{NUMBER}"),
    (
        "RENDER HLD Z9664F",
        r" green minimum-threshold \d+ maximum-threshold \d+ drop-probability \d+",
    ),
    ("SPYTEST Z9664F", r" ecn green"),
    ("RENDER Z9664F", r"qos scheduler-policy FABRIC-\d+G"),
    ("RENDER Z9664F", r" queue [0-7]"),
    ("RENDER Z9664F", r"  type (dwrr|strict)"),
    ("RENDER Z9664F", f"  weight {NUMBER}"),
    ("RENDER DELL", r"  meter-type bytes"),
    ("RENDER DELL", f"  (cir|pir) {NUMBER}"),
    ("RENDER SPYTEST HLD", f"priority-flow-control watchdog polling-interval {NUMBER}"),
    ("RENDER HLD", r"priority-flow-control watchdog counter-poll"),
)
POLICY = (
    ("DELL", f"ip prefix-list ANNOUNCE-V4 seq {NUMBER} permit {V4}"),
    ("DELL", f"ipv6 prefix-list ANNOUNCE-V6 seq {NUMBER} permit {V6}"),
    ("SPYTEST", r"bgp community-list standard FABRIC-[A-Z-]+ permit \d+:\d+"),
    ("DELL GUIDE", f"route-map FABRIC-(IN|OUT){CABLES} (permit|deny) {NUMBER}"),
    ("DELL", r" match community FABRIC-[A-Z-]+"),
    ("DELL", r" set community \d+:\d+( additive)?"),
    ("DELL", r" match ip address prefix-list ANNOUNCE-V4"),
    ("DELL", r" match ipv6 address prefix-list ANNOUNCE-V6"),
)
INTERFACES = (
    ("Z9664F GUIDE", r"interface Loopback 0"),
    ("DELL Z9664F", r"interface Eth1/\d+(/\d+)?"),
    ("DELL", r"interface Vlan\d+"),
    ("DELL SPYTEST", r"interface PortChannel\d+"),
    ("DELL Z9664F", r' description "[^"]+"'),
    ("DELL SPYTEST", f" min-links {NUMBER}"),
    ("DELL SPYTEST", r" fast_rate"),
    ("DELL Z9664F", r" mtu 9216"),
    ("DELL Z9664F", r" speed (10|100|200|400)000"),
    ("DELL Z9664F", r" fec RS"),
    ("SPYTEST", r" fec none"),
    ("DELL", r" (no )?shutdown"),
    ("DELL SPYTEST", f" channel-group {NUMBER}"),
    ("Z9664F", f" switchport access Vlan {NUMBER}"),
    ("DELL Z9664F", f" ip address {V4}"),
    ("DELL Z9664F", r" ipv6 enable"),
    ("DELL", f" ipv6 address {V6}"),
    ("RENDER DELL Z9664F", r" queue [0-7] wred-policy FABRIC-\d+-\d+-\d+"),
    ("RENDER DELL Z9664F", r" scheduler-policy FABRIC-\d+G"),
    ("DELL", r" cable-length (5|40|300)m"),
    ("RENDER DELL Z9664F", r" qos-map (dscp-tc|tc-pg|pfc-priority-queue) FABRIC"),
    ("RENDER DELL Z9664F", r" qos-map tc-queue FABRIC(-RISE)?"),
    ("RENDER DELL", r" qos-map tc-dscp FABRIC-RISE"),
    ("RENDER DELL Z9664F", r" priority-flow-control priority [34]"),
    ("RENDER DELL Z9664F", r" priority-flow-control watchdog action (drop|alert)"),
    ("DELL Z9664F SPYTEST", f" priority-flow-control watchdog on detect-time {NUMBER}"),
    ("RENDER DELL Z9664F", f" priority-flow-control watchdog restore-time {NUMBER}"),
)
ROUTING = (
    ("DELL", f"ip route {V4} blackhole"),
    ("SPYTEST GUIDE", f"ipv6 route {V6} blackhole"),
)
BGP = (
    ("DELL RENDER", f"router bgp {NUMBER}"),
    ("DELL", r" router-id [\d.]+"),
    ("DELL", r" network import-check"),
    ("SPYTEST GUIDE", r" bestpath as-path multipath-relax"),
    ("DELL GUIDE", r" {1,2}address-family ipv[46] unicast"),
    ("DELL SPYTEST", f"  maximum-paths {NUMBER}"),
    ("DELL RENDER", f"  network ({V4}|{V6})"),
    ("DELL RENDER", r" neighbor (interface Eth1/\d+(/\d+)?|[\d.]+|[\da-f:]+)"),
    ("DELL SPYTEST", f"  remote-as {NUMBER}"),
    ("DELL", r'  description "[^"]+"'),
    ("DELL", f"  timers {NUMBER} {NUMBER}"),
    ("DELL", r"  bfd"),
    ("DELL", r"  capability extended-nexthop"),
    ("DELL GUIDE", r"   activate"),
    ("DELL", f"   route-map FABRIC-(IN{CABLES} in|OUT{CABLES} out)"),
    ("DELL SPYTEST", r"   send-community both"),
)
EXTRA = (("GUIDE", r"ntp server 192\.0\.2\.53"),)  # the inventory's own line

BLOCKS = (LEAVING, SYSTEM, MAPS, QUEUES, POLICY, INTERFACES, ROUTING, BGP, EXTRA)
