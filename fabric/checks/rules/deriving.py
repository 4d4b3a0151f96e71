"""1xx, 2xx and 4xx ids raised while ports, addresses and text are derived."""

from __future__ import annotations

from fabric.checks.rules import INFO, WARNING, entry

ports_run_out = entry(
    "RCE101",
    title="the ports run out",
    what="A switch needs more ports than its model has; the message does the sum. "
    "Or there is room, but only if a cable that the lock keeps changed its port.",
    why="the cables left over would have no place",
    fix="a model with more ports, a breakout, fewer hosts per leaf or fewer uplinks",
    example="# leaf needs 40 x 400G down + 32 x 400G up = 72, has 64",
)
port_twice = entry(
    "RCE102",
    title="a port is used twice",
    what="Two cables name the same port.",
    why="one port takes one cable",
    fix="give one of the two another port",
    example="cables: [{a: l0, b: s0, a_port: Ethernet0}, {a: l0, b: s1, a_port: Ethernet0}]",
)
cage_speed = entry(
    "RCE103",
    title="a speed or breakout that the cage cannot do",
    what="The speed of a cable is none that the cage runs at, split or not.",
    why="the port would not come up",
    fix="another speed, or a model whose cages have it",
)
too_many_ports = entry(
    "RCE104",
    title="more logical ports than the switch carries",
    what="Split ports add up to more than the chip or its pipelines take.",
    why="the switch refuses the breakout",
    fix="fewer split cages on that switch",
)
no_port_facts = entry(
    "RCE107",
    title="lanes and port numbers are not known",
    what="The model is generic, or its SKU has no published port table: lanes come from the box.",
    why="a guessed lane disables the port, so the section is left out",
    fix="name the model, or record facts/<device>.json from the box",
    severity=INFO,
)
pool_too_small = entry(
    "RCE201",
    title="an address pool is too small",
    what="A pool holds fewer addresses, links or subnets than the fabric needs; the message names "
    "the prefix length that is enough.",
    why="addresses would be used twice",
    fix="a wider prefix under addressing.pools",
    example="# p2p pool 10.255.0.0/24 holds 128 links, 256 needed: use at least a /23",
)
pools_overlap = entry(
    "RCE202",
    title="pools overlap",
    what="Two pools, or a pool and the management network, share addresses.",
    why="the same address would be given out twice",
    fix="separate prefixes under addressing.pools",
)
asn_range = entry(
    "RCE203",
    title="AS numbers run out or are out of range",
    what="An AS number is outside 1 to 4294967294, reserved, or the range above "
    "addressing.asn.base is too short.",
    why="BGP would not start",
    fix="a base of 4200000000, which begins the private four-byte range",
)
asn_clash = entry(
    "RCE204",
    title="explicit AS numbers clash or are missing",
    what="With scheme explicit a switch has no number, two that must differ have one, or both ends "
    "of a cable have the same.",
    why="eBGP needs two numbers to a cable",
    fix="write asn: for each switch, or let another scheme number them",
)
no_gateway = entry(
    "RCE212",
    title="a management address without a gateway",
    what="A switch has a management address, and management.gateway is not set.",
    why="SONiC's model refuses a management address without a gateway of its family, so the "
    "section is left out",
    fix="set management.gateway",
    severity=WARNING,
)
bgp_unmarked = entry(
    "RCE390",
    title="BGP packets keep their own marking",
    what="In SONiC's unified routing mode frrcfgd writes FRR's configuration, which has no word "
    "for the DSCP of BGP packets: they leave with DSCP 48 (CS6).",
    why="they then share the CNP queue where CNP uses DSCP 48",
    fix="set sonic.routing_mode: split",
    severity=WARNING,
)
no_word = entry(
    "RCE391",
    title="a setting without a confirmed command",
    what="The design has a setting for which no source confirms a command of this switch system, "
    "or the command depends on a chip that is not known. It is not rendered; the message names it.",
    why="a guessed line is refused, or accepted and without effect",
    fix="as the finding says; a line of your own goes into extra of platforms",
    severity=WARNING,
)
not_as_designed = entry(
    "RCE392",
    title="the rendered text does not do what the design means",
    what="Each rendered config of a lossless system is read back into the chain of every port: "
    "DSCP → TC → queue and PG → PFC → buffer, ECN, scheduler, watchdog, MTU. What own templates or "
    "extra changed shows as a difference, with port, field, what was found and what was meant. The "
    "rules about chains then look at what the text says.",
    why="the switch does what its text says, while numbers and tables of the plan speak of the "
    "design",
    fix="correct your template or extra; what is meant goes into the inventory, where rules see it",
    example="pfc_enable left out in templates/sonic/config/blocks/maps.j2 beside the inventory",
)
wrong_in_silence = entry(
    "RCE393",
    title="the rendered text has what its system refuses or gets wrong in silence",
    what="Where own templates or extra are in force, the rendered configs are checked for what the "
    "system does not take (unknown tables, values out of range, names that do not exist) and for "
    "what it takes though it breaks lossless Ethernet: ECN thresholds without wred_green_enable, "
    "asymmetric PFC, a watchdog without action.",
    why="the switch refuses such a line, or takes it and drops lossless packets in silence",
    fix="correct your template or extra",
    example="pfc_asym: on in extra; wred_green_enable left out in blocks/queues.j2",
    severity=WARNING,
)
lock_misfit = entry(
    "RCE206",
    title="the lock does not fit the inventory",
    what="The lock file is broken, belongs to another fabric, or was cut from other pools.",
    why="going on would renumber a running fabric",
    fix="restore the lock from version control, or remove it to number the fabric anew",
)
section_left_out = entry(
    "RCE409",
    title="buffer pools of this hardware are not known",
    what="No published table gives all pools and profiles of this SKU, so the buffer section is "
    "left out: those of the box stay.",
    why="pool sizes belong to the SKU; a guessed one makes the switch refuse the configuration",
    fix="name a SKU with a published table, or record the box's BUFFER_POOL and BUFFER_PROFILE "
    "under buffers in facts/<device>.json",
    severity=WARNING,
)
