"""Every form of line that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "CMD": "CE6800 and CE8800 V300R023C00 command reference: the page of that command",
    "EXAMPLE": "the configuration guide of that release: configuration scripts of its examples",
    "SPLIT": "the same command reference, page port split: 4*25GE; 2*200GE and 4*100GE of 400GE",
    "FLAG": "the configuration guide: a configuration file may hold number signs",
}
CABLES = "(-LOCAL|-GLOBAL|-LEAF-SPINE)?"
NAME, NUMBER = r"[\w.-]+", r"\d+"
IP, MASK = r"\d+(?:\.\d+){3}", r"255\.\d+\.\d+\.\d+"
V6 = r"[\da-f:]+"
PORT = r"(400|100|25)GE1/0/\d+(:[1-4])?"
QUEUES = r"\d( to \d)?( \d( to \d)?)*"

SYSTEM = (
    ("FLAG", r" ?#"),
    ("CMD EXAMPLE", f"sysname {NAME}"),
    ("CMD EXAMPLE", r"lldp enable"),
    ("CMD", r"set priority (ipv6 )?dscp \d+"),
    ("CMD EXAMPLE", r"bfd"),
    ("CMD EXAMPLE", r"vlan batch \d+( to \d+)?"),
    ("CMD", f"mac-address aging-time {NUMBER}"),
    ("SPLIT", r"port split dimension interface 400GE1/0/\d split-type (2\*200|4\*100)GE"),
    ("CMD", r"load-balance ecmp"),
    ("CMD", r" ecmp (underlay )?seed \d+"),
    ("EXAMPLE", r"return"),
)
QOS = (
    ("CMD EXAMPLE", r"qos buffer headroom-pool size \d+ kbytes slot 1"),
    ("CMD", r"dcb pfc deadlock-detect interval (10|100|500|1000)"),
    ("CMD", r"dcb pfc deadlock-(detect|recovery) timer \d+"),
    ("CMD", r"dcb pfc deadlock recovery-behavior (discard|forwarding) slot 1"),
    ("CMD EXAMPLE", r"dcb pfc"),
    ("CMD EXAMPLE", r" priority \d( \d)*"),
    ("CMD", r" priority \d deadlock-(detect|recovery) time \d+"),
    ("CMD EXAMPLE", r"dcb pfc dscp-mapping enable slot 1"),
    ("CMD EXAMPLE", r"diffserv domain ROCE"),
    ("CMD EXAMPLE", r" ip-dscp-inbound \d+ phb (be|af[1-4]|ef|cs[67]) green"),
    ("CMD EXAMPLE", r"drop-profile ROCE-\d+-\d+-\d+"),
    ("CMD", r" ecn buffer-size low-limit \d+ high-limit \d+ discard-percentage \d+"),
    ("CMD", r"qos ecn enable"),
)
INTERFACES = (
    ("CMD EXAMPLE", f"interface {PORT}"),
    ("EXAMPLE", r"interface (LoopBack0|MEth0/0/0|Vlanif\d+)"),
    ("CMD EXAMPLE", r" (undo )?portswitch"),
    ("CMD", r" description (to .+|unused)"),
    ("CMD", r" (undo )?shutdown"),
    ("CMD", r" mtu \d+"),
    ("CMD EXAMPLE", f" ip address {IP} {MASK}"),
    ("CMD EXAMPLE", r" ipv6 enable"),
    ("CMD", r" ipv6 mtu \d+"),
    ("CMD EXAMPLE", f" ipv6 address {V6}/\\d+"),
    ("CMD", r" jumboframe enable \d+"),
    ("CMD", r" speed 40000"),
    ("CMD", r" fec mode rs"),
    ("CMD", r" port link-type access"),
    ("CMD EXAMPLE", r" port default vlan \d+"),
    ("CMD", r" stp edged-port enable"),
    ("CMD EXAMPLE", r" trust dscp"),
    ("CMD EXAMPLE", r" trust upstream ROCE"),
    ("CMD EXAMPLE", r" dcb pfc enable mode manual"),
    ("CMD", r" dcb pfc buffer \d hdrm \d+ kbytes"),
    ("CMD EXAMPLE", f" qos (pq|drr) {QUEUES}"),
    ("CMD", r" qos queue \d drr weight \d+"),
    ("CMD", r" qos queue \d shaping percent cir \d+ pir \d+"),
    ("CMD EXAMPLE", r" qos queue \d wred ROCE-\d+-\d+-\d+"),
    ("CMD EXAMPLE", r" qos queue \d ecn"),
    ("CMD", r" arp timeout \d+"),
)
POLICY = (
    ("CMD EXAMPLE", f"ip route-static {IP} {MASK} NULL0"),
    ("CMD EXAMPLE", f"ipv6 route-static {V6} \\d+ NULL0"),
    ("CMD", r"ip as-path-filter FABRIC-LOCAL index 10 permit \^\$"),
    ("CMD", r"ip community-filter basic FABRIC-[A-Z-]+ index 10 permit \d+:\d+"),
    ("CMD EXAMPLE", f"ip ip-prefix ANNOUNCE-V4 index \\d+ permit {IP} \\d+"),
    ("CMD", f"ip ipv6-prefix ANNOUNCE-V6 index \\d+ permit {V6} \\d+"),
    ("CMD EXAMPLE", f"route-policy FABRIC-(IN{CABLES}|OUT{CABLES}-V[46]) (permit|deny) node \\d+"),
    ("CMD EXAMPLE", r" apply community \d+:\d+( additive)?"),
    ("CMD", r" if-match community-filter FABRIC-[A-Z-]+"),
    ("CMD", r" if-match ip-prefix ANNOUNCE-V4"),
    ("CMD", r" if-match ipv6 address prefix-list ANNOUNCE-V6"),
    ("CMD", r" if-match as-path-filter FABRIC-LOCAL"),
)
BGP = (
    ("CMD EXAMPLE", f"bgp {NUMBER}"),
    ("CMD EXAMPLE", f" router-id {IP}"),
    ("CMD EXAMPLE", f" peer ({IP}|{V6}) as-number \\d+"),
    ("CMD", f" peer ({IP}|{V6}) timer keepalive \\d+ hold \\d+"),
    ("CMD EXAMPLE", f" peer ({IP}|{V6}) bfd enable"),
    ("CMD EXAMPLE", r" ipv[46]-family unicast"),
    ("CMD EXAMPLE", f"  network ({IP} {MASK}|{V6} \\d+)"),
    ("CMD EXAMPLE", r"  maximum load-balancing \d+"),
    ("CMD", r"  load-balancing as-path-relax"),
    ("CMD EXAMPLE", f"  peer ({IP}|{V6}) enable"),
    (
        "CMD EXAMPLE",
        f"  peer ({IP}|{V6}) route-policy FABRIC-(IN{CABLES} import|OUT{CABLES}-V[46] export)",
    ),
    ("CMD EXAMPLE", f"  peer ({IP}|{V6}) advertise-community"),
)
EXTRA = (("EXAMPLE", r"ntp server 192\.0\.2\.53"),)  # the inventory's own line

BLOCKS = (SYSTEM, QOS, INTERFACES, POLICY, BGP, EXTRA)
