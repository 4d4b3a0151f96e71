"""7xx: NICs and the paths their connections spread over."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from fabric.checks.hosts import about_hosts, qps_elsewhere, qps_of
from fabric.checks.rules import ERROR, WARNING, Found, rule, some
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts

_NEEDS = ("host_groups",)
_LEAST_RATE = 0.8  # our choice: four QPs reach it whatever the number of paths
_MOST_QPS = 128


def mean_rate(paths: int, qps: int) -> float:
    """Mean rate of a NIC pair over one hashing tier, in parts of line rate.

    As many hosts as ``paths`` each send one connection of ``qps`` QPs, each QP capped at its
    share: E[min(1, X/Q)] with X binomial(paths·Q, 1/paths). Exact for a two-leaf fabric; more
    tiers make it lower, more connections higher.
    """
    flows = paths * qps
    lost = sum(
        (1 - x / qps) * comb(flows, x) * (1 / paths) ** x * (1 - 1 / paths) ** (flows - x)
        for x in range(qps)
    )
    return 1 - lost


@rule(
    "RCE702",
    title="too few QPs to spread over the equal paths",
    severity=WARNING,
    needs=("host_groups", "topology"),
    why="each QP is one UDP source port, so one path at each tier: few QPs collide on some uplinks "
    "while others are idle",
    fix="set qps_per_connection under hosts (NCCL_IB_QPS_PER_CONNECTION)",
    example="""\
hosts: {count: 64, qps_per_connection: 1}""",
)
def few_qps(facts: Facts) -> Iterator[Found]:
    """Work out what random hashing leaves of line rate for the QPs of one connection.

    Closed form for one hashing tier with the uplinks of the group's leaves; below 80 % (our
    choice) is a finding. Only for the mode ecmp. Several tiers, and a rate of your own as target,
    are RCE602's.
    """
    if facts.intent.load_balancing != "ecmp":
        return
    paths_of = _paths_by_group(facts)
    for group in facts.host_groups:
        paths = paths_of.get(group.name, 0)
        qps = qps_of(group)
        if paths < 2 or mean_rate(paths, qps) >= _LEAST_RATE:  # noqa: PLR2004 — a choice takes two
            continue
        enough = next(q for q in range(qps, _MOST_QPS) if mean_rate(paths, q) >= _LEAST_RATE)
        yield about_hosts(
            facts,
            group,
            f"{qps} QP{'s' if qps > 1 else ''} per connection over {paths} equal uplinks leave "
            f"{100 * mean_rate(paths, qps):.0f} % of line rate on average",
            fix=f"set qps_per_connection: {enough} ({100 * mean_rate(paths, enough):.0f} %)"
            f"{qps_elsewhere(group)}",
            evidence=("closed form for one hashing tier and one connection per NIC; not a bound",),
        )


def _paths_by_group(facts: Facts) -> dict[str, int]:
    """The most uplinks of a leaf of each group's hosts."""
    group_of = {host.name: host.group for host in facts.topology.hosts}
    ways: dict[str, int] = {}
    found: dict[str, int] = {}
    for link in facts.topology.host_links:
        leaf, group = link.b.device, group_of[link.a.device]
        if leaf not in ways:
            ways[leaf] = sum(map(len, facts.uplinks(leaf).values()))
        found[group] = max(found.get(group, 0), ways[leaf])
    return found


@rule(
    "RCE710",
    title="a willing NIC faces a switch that speaks no DCBX",
    severity=ERROR,
    needs=("host_groups", "topology", "hardware"),
    why="a willing NIC waits for the switch to say by DCBX which priorities have PFC; no switch "
    "here is given DCBX, so the NIC keeps its own defaults, PFC usually off among them, and what "
    "the host sets does not stick",
    fix="leave dcbx out (static): DCBX of the firmware off, lldpad stopped, the host script sets "
    "what the switches have; or accept this where extra gives the switches DCBX",
    example="""\
hosts: {count: 64, nic: connectx-7, dcbx: firmware}""",
)
def willing(facts: Facts) -> Iterator[Found]:
    """Look for groups whose DCBX is willing on switches that have PFC: these are all static."""
    group_of = {host.name: host.group for host in facts.topology.hosts}
    lossless = set(facts.lossless_switches)
    leaves: dict[str, dict[str, None]] = {}
    for link in facts.topology.host_links:
        if link.b.device in lossless:
            leaves.setdefault(group_of[link.a.device], {})[link.b.device] = None
    for group in facts.host_groups:
        if group.dcbx == "static" or group.name not in leaves:
            continue
        who = "lldpad" if group.dcbx == "lldpad" else "the NIC's firmware"
        static = list(leaves[group.name])
        systems = dict.fromkeys(facts.hardware[leaf].platform.name for leaf in static)
        yield about_hosts(
            facts,
            group,
            f"DCBX is willing ({who} follows the switch), {facts.who(static)} "
            f"({', '.join(systems)}) is configured statically and sends none",
            group.dcbx,
            evidence=some(static),
        )


@rule(
    "RCE706",
    title="the NIC does not come at this speed",
    severity=WARNING,
    needs=_NEEDS,
    why="a NIC faster than its port is bought for nothing, one slower does not link up",
    fix="correct hosts.speed, or choose a NIC that has the speed",
    example="""\
hosts: {count: 64, nic: connectx-6, speed: 400}""",
)
def nic_speed(facts: Facts) -> Iterator[Found]:
    """Compare the speed of each group with those that its NIC comes with; above all is an error."""
    for group in facts.host_groups:
        speeds = group.nic.speeds_gbps
        if group.nic.generic or not speeds or group.speed_gbps in speeds:
            continue
        above = group.speed_gbps > max(speeds)
        yield about_hosts(
            facts,
            group,
            f"{group.nic.name} comes with ports of {', '.join(map(speed_text, speeds))}, the "
            f"inventory says {speed_text(group.speed_gbps)}",
            severity=ERROR if above else WARNING,
        )
