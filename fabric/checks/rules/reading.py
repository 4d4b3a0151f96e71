"""0xx: raised while the inventory is read. Declared here so that each can be explained."""

from __future__ import annotations

from fabric.checks.rules import entry
from fabric.model.finding import Severity

_NOTHING = "nothing is written until the inventory is right"

unreadable = entry(
    "RCE001",
    title="a file cannot be read",
    what="The inventory, or a file that it names, is missing, empty, binary, in another encoding, "
    "too large, or not readable.",
    why=_NOTHING,
    fix="correct the path or the permissions; save the file as UTF-8",
)
syntax = entry(
    "RCE002",
    title="YAML or JSON syntax error",
    what="The text is not valid YAML (observed facts: JSON), uses a tag, nests too deeply, or "
    "names an anchor that does not exist.",
    why=_NOTHING,
    fix="correct the line named; usual causes: indentation, a missing colon, an open quote",
    example="topology: {kind: leaf-spine, leaves: 4",
)
misread_value = entry(
    "RCE003",
    title="a value that YAML reads as something else",
    what="YAML 1.1 turns some words into other things: NO into false, 52:54:00:12:34:56 into a "
    "number of base 60, 010 into 8, 65000.10 into 65000.1. None is text, not nothing.",
    why="the fabric would be built from a value that nobody wrote",
    fix="put the value in quotes",
    example="mac: 52:54:00:12:34:56      # read as 41135085296",
)
duplicate_key = entry(
    "RCE004",
    title="a key stands twice",
    what="One mapping holds the same key twice. YAML readers keep the last one in silence.",
    why="the first definition would be lost without a word",
    fix="remove or rename one of the two; both lines are named",
    example="""\
leaf-1: {asn: 65001}
leaf-1: {asn: 65003}""",
)
unknown_key = entry(
    "RCE005",
    title="an unknown key",
    what="A key is not part of the inventory at that place.",
    why="a mistyped key would leave its default in force",
    fix="use the nearest known key that the message names; `fabric schema` prints them all",
    example="topology: {kind: leaf-spine, leafs: 4, spines: 2}",
)
wrong_value = entry(
    "RCE006",
    title="a value of the wrong type, or out of range",
    what="A value has another type than its key takes, lies outside its range, or is none of the "
    "words allowed.",
    why=_NOTHING,
    fix="write the value as the message shows",
    example="roce: {dscp: 64}            # 0 to 63",
)
missing_key = entry(
    "RCE007",
    title="a key is missing",
    what="A mapping lacks a key that has no default.",
    why=_NOTHING,
    fix="add the key",
    example="topology: {kind: leaf-spine, leaves: 4}       # spines",
)
recursive_anchor = entry(
    "RCE008",
    title="an anchor contains itself",
    what="A YAML alias stands inside the value of its own anchor.",
    why="the value would never end",
    fix="write the value out",
    example="a: &x [*x]",
)
unknown_name = entry(
    "RCE009",
    title="an unknown name",
    what="A model, platform, preset, NIC, server or topology kind that is neither shipped nor "
    "beside the inventory.",
    why="nothing is guessed about hardware that is not described",
    fix="use the nearest known name that the message gives, or describe your own in a YAML beside "
    "the inventory",
    example="platforms: {default: {model: nvidia-sn37000}}",
)
not_built = entry(
    "RCE010",
    title="not built yet",
    what="The inventory asks for something that the schema knows and the program cannot do yet.",
    why="a plan without it would not be the fabric that was asked for",
    fix="leave it out, or use what the message names instead",
)
impossible_topology = entry(
    "RCE011",
    title="topology parameters that make no fabric",
    what="Counts that contradict each other or the kind: an odd k, no spines, more pods than k.",
    why=_NOTHING,
    fix="correct the parameter named",
    example="topology: {kind: fat-tree, k: 7}",
)
device_name = entry(
    "RCE012",
    title="a device name that does not exist, or exists twice",
    what="A cable, a selector or a host group names a switch that the topology has not, or two "
    "devices bear one name.",
    why="configs, addresses and cables are found by name",
    fix="use one of the names that the message lists",
)
impossible_cable = entry(
    "RCE013",
    title="a cable that cannot exist",
    what="A cable leads back to its own switch, has no length, no count or no speed, or joins "
    "ports of different speeds.",
    why=_NOTHING,
    fix="correct the cable named",
    example="cables: [{a: l0, b: l0}]",
)
no_such_port = entry(
    "RCE014",
    title="a port that the switch does not have",
    what="A cable names a port by a name that the model has not, under the naming of its system.",
    why="the cable would lead nowhere",
    fix="use a name that `fabric show ports DEVICE` lists",
)
suppression = entry(
    "RCE015",
    title="a suppression that does not work",
    what="A suppression names a rule that does not exist (error), gives no reason (error), is past "
    "its date (warning), or matches no finding (info).",
    why="a finding that was accepted once must not stay hidden for other reasons",
    fix="correct the rule id, or remove the suppression",
    example='suppress: [{rule: RCE999, subject: "*", reason: "seen in the lab"}]',
)
too_many_hosts = entry(
    "RCE016",
    title="more hosts than the fabric takes",
    what="The host groups have more NICs than the leaves have ports for hosts.",
    why="the hosts left over would have no place",
    fix="fewer hosts, more leaves, or a higher hosts_per_edge",
)
cable_list = entry(
    "RCE017",
    title="a fault in the cable list",
    what="A row of the CSV file names an unknown device, lacks a port, or uses one twice. All rows "
    "are reported at once, with row and column.",
    why="a list that does not describe the cables gives configs for another fabric",
    fix="correct the rows named",
)
secret = entry(
    "RCE018",
    title="a secret in the inventory",
    what="A value looks like a password, a key or a token. The message never repeats it.",
    why="inventories and plans are made to be committed and passed round",
    fix="name the secret instead: password_env, password_command, keyring_service or key_file",
)
bad_range = entry(
    "RCE019",
    title="a range that cannot be read",
    what="A range such as leaf-[1-32] is malformed, empty or counts down.",
    why="the names that it stands for cannot be told",
    fix="write name-[first-last], first not above last",
)
impossible_classes = entry(
    "RCE020",
    title="classes that no configuration can honour",
    what="The traffic classes contradict each other: a DSCP or a queue in two classes, more than "
    "eight classes, a lossless priority 0, CNP or network control on a lossless priority, PFC "
    "priorities that are not those of the lossless classes, or, where RoCE rises on the way, a "
    "raised class that collides with another or a further lossless class that does not rise.",
    why="CNP in a paused class stops congestion feedback exactly when it is needed, and a lossless "
    "default class pauses everything that nobody marked",
    fix="give each class its own DSCP and priority; keep 0, 6 and 7 lossy",
    example="roce: {dscp: 26, priority: 3, pfc: {priorities: [0, 1, 2, 3, 4, 5, 6, 7]}}",
)
mtu_pair = entry(
    "RCE021",
    title="MTUs that contradict each other",
    what="The host MTU is above the switch ports', the RDMA MTU does not fit the host's, or the "
    "switch MTU is above what the system takes.",
    why="pings and small messages work, large ones are dropped at the first port that is smaller",
    fix="rdma + headers <= host <= switch",
    example="roce: {mtu: {host: 9216, switch: 9100}}",
)
beyond_the_system = entry(
    "RCE023",
    title="something that the switch system cannot do",
    what="The inventory asks for unnumbered links, BFD or a load-balancing mode that no source "
    "confirms on a system in use, for spraying to NICs that want packets in order, or for a "
    "topology on whose cables RoCE must rise to another class with a system that has the same maps "
    "on every port.",
    why="it would not be configured at all, resend everything that arrives out of order, or leave "
    "a PFC deadlock possible",
    fix="use what the message names, or another system",
    example="load_balancing: spray",
)
broken_template = entry(
    "RCE024",
    title="a template that cannot be rendered",
    what="A template has a fault (of your own folder beside the inventory, or a shipped one), or "
    "says that its system cannot do what the inventory asks for.",
    why="half a configuration is worse than none; nothing was written",
    fix="correct the line named, or remove your own file: the shipped one takes its place",
    example="{{ nope.x }} in templates/sonic/config/blocks/watchdog.j2",
)
own_templates = entry(
    "RCE025",
    severity=Severity.WARNING,
    title="own templates in force",
    what="The folder templates/ beside the inventory holds files: those of a shipped name take "
    "its place, others are additions.",
    why="rules and tables speak of the design; of what own templates write only the QoS of the "
    "ports is read back (RCE392)",
    fix="compare with `fabric show config DEVICE`, and keep the changes small",
    example="templates/sonic/config/blocks/watchdog.j2 beside the inventory",
)
contradicting_observations = entry(
    "RCE026",
    title="observed facts that contradict each other",
    what="In a file of observed facts one port has two far ends, the two ends of a cable see "
    "different switches, or an alias belongs to a port that nothing else mentions.",
    why="a proof on cables that are not there proves nothing",
    fix="take the LLDP tables again, all at once; list management ports under ignored_ports",
    example='{"local_port": "Ethernet0", "remote_host": "spine-0", "remote_port": "Ethernet4"}  '
    "# spine-0 Ethernet4 sees leaf-7",
)
faulty_matrix = entry(
    "RCE027",
    title="a fault in a traffic matrix",
    what="A file named with --matrix has columns that are not known or missing, a name that no "
    "host and no NIC has, an amount that is no number from 0, a pair that stands twice, a NIC "
    "that sends to itself, or nothing at all. Row and column are named.",
    why="a throughput of another traffic than the one that is meant",
    fix="correct the rows named; docs/bandwidth.md says what stands in the file",
    example="gpu-1,gpu-1,100            # from,to,gbps",
)
contradicting_values = entry(
    "RCE022",
    title="values of the RoCE policy that contradict each other",
    what="Kmin not below Kmax, a watchdog that polls more rarely than it detects, or weights that "
    "do not add up to 100.",
    why="no switch takes such values",
    fix="correct the value named",
    example="roce: {ecn: {kmin_bytes: 800000, kmax_bytes: 400000}}",
)
