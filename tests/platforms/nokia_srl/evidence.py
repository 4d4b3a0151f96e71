"""Every path that is rendered, and where it was read; sources as in SOURCES."""

from __future__ import annotations

SOURCES = {
    "YANG": "nokia/srlinux-yang-models v25.3, srl_nokia: names, types, ranges, what needs what",
    "NETLAB": "ipspace/netlab templates of SR Linux, which run in its labs",
    "NAPALM": "napalm-srlinux: a running configuration as JSON, with module prefixes",
    "QOS": "SR Linux QoS guide 24.10 (named classes, queues, ECN) and 25.10 (PFC)",
    "EDA": "an AI fabric of srl-labs style on 25.10: paths of buffers, ECN, PFC and schedulers",
}
_AF = "/network-instance/protocols/bgp/afi-safi"
_GROUP = "/network-instance/protocols/bgp/group"
_SLOPE = "/qos/buffer-management/queue-management-profile/wred/wred-slope"
_PFC = "/qos/pfc-mapping-profile"
_LACP = "/interface/lag/lacp"
_V6 = "/interface/subinterface/ipv6"

INTERFACES = (
    ("YANG NETLAB NAPALM", "/interface/(name|description|admin-state|mtu)"),
    ("YANG", "/interface/breakout-mode/(num-breakout-ports|breakout-port-speed)"),
    ("YANG", "/interface/ethernet/(aggregate-id|port-speed)"),
    ("YANG", "/interface/lag/(lag-type|min-links)"),
    ("YANG", f"{_LACP}/(interval|lacp-mode)"),
    ("YANG NETLAB NAPALM", "/interface/subinterface/(index|admin-state|type|ip-mtu)"),
    ("YANG NETLAB", "/interface/subinterface/ipv[46]/(admin-state|address/ip-prefix)"),
    ("YANG NETLAB", f"{_V6}/router-advertisement/router-role/admin-state"),
    ("YANG NETLAB", f"{_V6}/router-advertisement/router-role/(min|max)-advertisement-interval"),
)
ROUTING = (
    ("YANG NETLAB NAPALM", "/network-instance/(name|type|admin-state|interface/name)"),
    ("YANG NETLAB", "/network-instance/ip-forwarding/receive-ipv4-check"),
    ("YANG NETLAB", "/network-instance/next-hop-groups/group/(name|blackhole)"),
    ("YANG NETLAB", "/network-instance/static-routes/route/(prefix|next-hop-group)"),
    ("YANG NETLAB", "/bfd/subinterface/(id|admin-state)"),
)
BGP = (
    (
        "YANG NETLAB NAPALM",
        "/network-instance/protocols/bgp/(admin-state|autonomous-system|router-id)",
    ),
    ("YANG NETLAB NAPALM", f"{_AF}/(afi-safi-name|admin-state)"),
    ("YANG EDA", f"{_AF}/multipath/(allow-multiple-as|ebgp/maximum-paths)"),
    ("YANG NETLAB", f"{_GROUP}/(group-name|admin-state|(ex|im)port-policy)"),
    ("YANG", f"{_GROUP}/timers/(hold-time|keepalive-interval)"),
    ("YANG", f"{_GROUP}/failure-detection/enable-bfd"),
    ("YANG NETLAB", f"{_GROUP}/afi-safi/(afi-safi-name|admin-state)"),
    ("YANG NETLAB", f"{_GROUP}/afi-safi/ipv4-unicast/(advertise|receive)-ipv6-next-hops"),
    (
        "YANG NETLAB",
        "/network-instance/protocols/bgp/neighbor/(peer-address|peer-as|peer-group|description)",
    ),
    (
        "YANG NETLAB",
        (
            "/network-instance/protocols/bgp/dynamic-neighbors/interface/"
            "(interface-name|peer-group|allowed-peer-as)"
        ),
    ),
)
POLICY = (
    ("YANG NETLAB", "/routing-policy/prefix-set/(name|prefix/(ip-prefix|mask-length-range))"),
    ("YANG NETLAB", "/routing-policy/community-set/(name|member)"),
    ("YANG NETLAB NAPALM", "/routing-policy/policy/(name|default-action/policy-result)"),
    ("YANG", "/routing-policy/policy/default-action/bgp/communities/(add|replace)"),
    ("YANG NETLAB", "/routing-policy/policy/statement/(name|action/policy-result)"),
    ("YANG NETLAB", "/routing-policy/policy/statement/match/(prefix/prefix-set|protocol)"),
    ("YANG NETLAB", "/routing-policy/policy/statement/match/bgp/community-set"),
)
QOS = (
    ("YANG QOS", "/qos/explicit-congestion-notification"),
    ("YANG QOS EDA", "/qos/queues/queue/(name|queue-index)"),
    ("YANG", "/qos/queues/pfc-queue/(pfc-queue-name|queue-index)"),
    ("YANG QOS", "/qos/forwarding-classes/forwarding-class/(name|output/unicast-queue)"),
    ("YANG QOS", "/qos/classifiers/dscp-policy/(name|dscp/(value|forwarding-class))"),
    ("YANG QOS", f"{_PFC}/name"),
    ("YANG QOS EDA", f"{_PFC}/received-pfc-pause-frames/deadlock/(detection|recovery)-timer"),
    ("YANG QOS EDA", f"{_PFC}/received-pfc-pause-frames/deadlock/enable"),
    (
        "YANG",
        f"{_PFC}/received-pfc-pause-frames/queue/(queue-name|pfc-pause-frame-priority|enable-pfc)",
    ),
    (
        "YANG",
        (
            f"{_PFC}/received-traffic/unicast-mapping/pfc-queue/"
            "(pfc-queue-name|forwarding-class|pfc-pause-frame-priority)"
        ),
    ),
    ("YANG", "/qos/scheduler-policies/scheduler-policy/(name|scheduler/(sequence|priority))"),
    (
        "YANG EDA",
        (
            "/qos/scheduler-policies/scheduler-policy/scheduler/input/"
            "(id|queue-name|weight|peak-rate-percent)"
        ),
    ),
    ("YANG EDA", "/qos/linecard/(slot|forwarding-complex/name)"),
    ("YANG EDA", "/qos/linecard/forwarding-complex/input/pfc-buffer-reservation"),
    ("YANG QOS EDA", "/qos/buffer-management/queue-management-profile/(name|weight-factor)"),
    ("YANG QOS EDA", f"{_SLOPE}/(traffic-type|drop-probability|enable-ecn|slope-enabled)"),
    ("YANG QOS EDA", f"{_SLOPE}/((min|max)-threshold|max-drop-probability-percent)"),
    (
        "YANG QOS EDA",
        (
            "/qos/buffer-management/buffer-allocation-profile/"
            "(name|queues/queue/(queue-name|maximum-burst-size))"
        ),
    ),
    (
        "YANG EDA",
        (
            "/qos/buffer-management/buffer-allocation-profile/queues/pfc-queue/"
            "(pfc-queue-name|maximum-burst-size|maximum-pfc-reserved-share-bytes)"
        ),
    ),
    ("YANG", "/qos/interfaces/interface/(interface-id|interface-ref/(interface|subinterface))"),
    ("YANG EDA", "/qos/interfaces/interface/pfc/(pfc-mapping-profile|pfc-enable)"),
    ("YANG QOS", "/qos/interfaces/interface/input/classifiers/dscp-policy"),
    ("YANG", "/qos/interfaces/interface/input/pfc-buffer-allocation-profile"),
    ("YANG EDA", "/qos/interfaces/interface/output/buffer-allocation-profile"),
    ("YANG EDA", "/qos/interfaces/interface/output/scheduler/scheduler-policy"),
    (
        "YANG",
        "/qos/interfaces/interface/output/queues/queue/(queue-name|queue-management-profile)",
    ),
)
SYSTEM = (
    ("YANG", "/system/name/host-name"),
    ("YANG NAPALM", "/system/lldp/admin-state"),
    ("YANG", "/system/load-balancing/hash-options/hash-seed"),
    ("NAPALM", "/system/ntp/(admin-state|network-instance)"),  # the inventory's own value
)

BLOCKS = (INTERFACES, ROUTING, BGP, POLICY, QOS, SYSTEM)
