"""Small fabrics for labs: what validation.md 1.5 gives verdicts for, and every system's names."""

from __future__ import annotations

LEAF_SPINE = """\
fabric: ls4x2
topology: {kind: leaf-spine, leaves: 4, spines: 2}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-4]", nics: 1, speed: 100, netdevs: [eth1]}
"""
# SONiC's names of ports and unnumbered sessions: FRR stands in.
FAT_TREE = """\
fabric: ft4
topology: {kind: fat-tree, k: 4}
platforms: {default: {platform: sonic, model: generic}}
hosts: {names: "h[1-16]", nics: 1, speed: 100, netdevs: [eth1]}
addressing: {links: unnumbered}
"""
# Two pods of it: flows from one to the other choose twice, at the edge and at the aggregation.
TWO_PODS = FAT_TREE.replace("ft4", "hashing").replace("k: 4", "k: 4, pods: 2")
TWO_PODS = TWO_PODS.replace("h[1-16]", "h[1-8]")
RING = """\
fabric: ring
topology:
  kind: explicit
  switches:
    - {name: r0, tier: 0, endpoints: 1}
    - {name: r1, tier: 0, endpoints: 1}
    - {name: r2, tier: 0, endpoints: 1}
    - {name: r3, tier: 0, endpoints: 1}
    - {name: r4, tier: 0, endpoints: 1}
  cables: [{a: r0, b: r1}, {a: r1, b: r2}, {a: r2, b: r3}, {a: r3, b: r4}, {a: r4, b: r0}]
platforms: {default: {platform: frr, model: generic}}
suppress: [{rule: RCE501, reason: a ring on purpose}]
"""
DRAGONFLY = """\
fabric: df
topology: {kind: dragonfly, p: 1, a: 3, h: 1, g: 4}
platforms: {default: {platform: sonic, model: generic}}
hosts: {names: "h[1-12]", nics: 1, speed: 100, netdevs: [eth1]}
"""
# Two cables a pair, IPv6 alone, ports with slashes in their names.
DOUBLE = """\
fabric: double
topology: {kind: leaf-spine, leaves: 2, spines: 2, links: 2}
platforms: {default: {platform: arista_eos, model: arista-7060dx5-64s}}
hosts: {names: "h[1-2]", nics: 1, speed: 400, netdevs: [eth1], nic: connectx-7}
links: {speed: 400}
addressing: {family: ipv6}
"""
# Both families over links without addresses; a leaf a rail, and host ports in its VLAN.
RAIL = """\
fabric: rails
topology: {kind: rail, rails: 2, groups: 2, hosts_per_group: 1, spines: 2}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-2]", nics: 2, speed: 100, netdevs: [eth1, eth2]}
addressing: {family: dual, links: unnumbered}
"""
VLAN = """\
fabric: vlan
topology: {kind: leaf-spine, leaves: 2, spines: 2}
platforms: {default: {platform: sonic, model: generic}}
hosts: {names: "h[1-4]", nics: 1, speed: 100, port: vlan, netdevs: [eth1]}
"""
DRAGONFLY_PLUS = """\
fabric: dfp
topology: {kind: dragonfly-plus, p: 1, leaves: 2, spines: 2, h: 1, g: 3}
platforms: {default: {platform: sonic, model: generic}}
hosts: {names: "h[1-6]", nics: 1, speed: 100, netdevs: [eth1]}
"""
# Its way in leads nowhere: a push to a lab that looked at it would fail.
PUSHED = """\
fabric: pushed
topology: {kind: leaf-spine, leaves: 4, spines: 2}
platforms: {default: {platform: frr, model: generic}}
hosts: {names: "h[1-4]", nics: 1, speed: 100, netdevs: [eth1]}
management:
  addresses: {leaf-0: 192.0.2.10/24, leaf-1: 192.0.2.11/24, spine-0: 192.0.2.20/24}
connection: {user: nobody, key_file: /no/such/key, jump_host: 192.0.2.1}
"""
