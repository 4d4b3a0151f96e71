"""7xx: hosts, NICs and NCCL."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, WARNING, Found, rule, some
from fabric.model.units import speed_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.finding import Severity
    from fabric.model.intent import HostGroup

_NEEDS = ("host_groups",)
_LEAST_RATE = 0.8  # our choice: four QPs reach it whatever the number of paths
_MOST_QPS = 128  # NCCL_IB_QPS_PER_CONNECTION
_CLASS_BYTES = (
    "NCCL_IB_TC",
    "NCCL_IB_FIFO_TC",
    "UCX_IB_TRAFFIC_CLASS",
    "NVSHMEM_IB_TRAFFIC_CLASS",
)
_DIAGNOSES = {
    "NCCL_SHM_DISABLE": "PCIe servers loop through the NIC, which halves the network's rate",
    "NCCL_P2P_DISABLE": "NVLink is off, so all_reduce inside a server drops several times over and "
    "the network's figure with it",
}
_GID_INDEXES = ("NCCL_IB_GID_INDEX", "NVSHMEM_IB_GID_INDEX", "UCX_IB_GID_INDEX", "MC_GID_INDEX")
_AUTOMATIC = ("-1", "auto")


def _found(  # noqa: PLR0913 — one finding has this many parts
    facts: Facts,
    group: HostGroup,
    message: str,
    key: str = "",
    *,
    fix: str = "",
    why: str = "",
    severity: Severity | None = None,
    evidence: tuple[str, ...] = (),
) -> Found:
    return Found(
        group.name,
        f"{facts.hosts_text(group.name)}: {message}",
        evidence,
        severity,
        why,
        fix,
        keys=(key,) if key else (),
        location=group.location,
    )


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
    choice) is a finding. Only for the mode ecmp.
    """
    if facts.intent.load_balancing != "ecmp":
        return
    paths_of = _paths_by_group(facts)
    for group in facts.host_groups:
        paths = paths_of.get(group.name, 0)
        qps = group.qps_per_connection
        if paths < 2 or mean_rate(paths, qps) >= _LEAST_RATE:  # noqa: PLR2004 — a choice takes two
            continue
        enough = next(q for q in range(qps, _MOST_QPS) if mean_rate(paths, q) >= _LEAST_RATE)
        yield _found(
            facts,
            group,
            f"{qps} QP{'s' if qps > 1 else ''} per connection over {paths} equal uplinks leave "
            f"{100 * mean_rate(paths, qps):.0f} % of line rate on average",
            fix=f"set qps_per_connection: {enough} ({100 * mean_rate(paths, enough):.0f} %)",
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
    "RCE703",
    title="a diagnosis switch of NCCL is left on",
    severity=WARNING,
    needs=_NEEDS,
    why="NCCL_SHM_DISABLE and NCCL_P2P_DISABLE are steps of a diagnosis: left on, they slow every "
    "job and make the network look slow",
    fix="remove the variable from hosts.env",
    example="""\
hosts: {count: 64, env: {NCCL_P2P_DISABLE: "1"}}""",
)
def diagnosis(facts: Facts) -> Iterator[Found]:
    """Look for NCCL_SHM_DISABLE and NCCL_P2P_DISABLE in the groups' variables."""
    for group in facts.host_groups:
        for name, value in group.env:
            if name in _DIAGNOSES and value.strip() not in {"0", ""}:
                yield _found(facts, group, f"{name}={value} is left on: {_DIAGNOSES[name]}", name)


@rule(
    "RCE704",
    title="a traffic class variable disagrees with the plan",
    severity=ERROR,
    needs=("host_groups", "class_map"),
    why="the variable is the whole traffic class byte, DSCP x 4: with another DSCP the traffic "
    "leaves the lossless class at the first switch",
    fix="remove it from hosts.env: the plan sets it",
    example="""\
roce: {dscp: 26}
hosts: {count: 64, env: {NCCL_IB_TC: "26"}}    # DSCP 6; 104 is DSCP 26""",
)
def traffic_class(facts: Facts) -> Iterator[Found]:
    """Divide NCCL_IB_TC and its equivalents by four and compare with the RoCE DSCP."""
    dscp = facts.roce.dscp
    for group in facts.host_groups:
        for name, value in group.env:
            if name not in _CLASS_BYTES or value.strip() in _AUTOMATIC:
                continue
            given = _number(value)
            if given is not None and given >> 2 == dscp:
                continue
            marks = "is not a number" if given is None else f"marks DSCP {given >> 2}"
            yield _found(
                facts,
                group,
                f"{name}={value} {marks}, the plan uses DSCP {dscp}",
                name,
                fix=f"remove it from hosts.env (the plan sets {dscp * 4}), or write {dscp * 4} or "
                f"{dscp * 4 + 2} (with ECT)",
            )


def _number(text: str) -> int | None:
    """Decimal or with 0x, as NCCL reads it."""
    digits = text.strip().lower()
    try:
        return int(digits, 16 if digits.startswith("0x") else 10)
    except ValueError:
        return None


@rule(
    "RCE705",
    title="a fixed GID index",
    severity=WARNING,
    needs=_NEEDS,
    why="the index of the RoCE v2 address differs between hosts, and moves with VLANs, VFs and "
    "containers; a wrong one is link-local or RoCE v1 and does not cross a router",
    fix="remove it from hosts.env: the plan lets NCCL choose by version, family and prefix",
    example="""\
hosts: {count: 64, env: {NCCL_IB_GID_INDEX: "3"}}""",
)
def gid_index(facts: Facts) -> Iterator[Found]:
    """Look for a GID index in the groups' variables."""
    for group in facts.host_groups:
        for name, value in group.env:
            if name in _GID_INDEXES and value.strip() not in _AUTOMATIC:
                usual = " (usually link-local)" if value.strip() in {"0", "1"} else ""
                yield _found(
                    facts, group, f"{name}={value} pins one GID index on every host{usual}", name
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
        yield _found(
            facts,
            group,
            f"{group.nic.name} comes with ports of {', '.join(map(speed_text, speeds))}, the "
            f"inventory says {speed_text(group.speed_gbps)}",
            severity=ERROR if above else WARNING,
        )


@rule(
    "RCE707",
    title="NCCL_IB_HCA is not an exact list",
    severity=WARNING,
    needs=_NEEDS,
    why="without = a name is a prefix, mlx5_1 also takes mlx5_10 to mlx5_19: storage NICs join the "
    "job; a list that matches nothing falls back to TCP without an error",
    fix="remove it from hosts.env (the plan writes the exact list), or put = first, or ^= to "
    "exclude",
    example="""\
hosts: {count: 64, env: {NCCL_IB_HCA: "mlx5_0,mlx5_1"}}      # exact: "=mlx5_0,mlx5_1" """,
)
def hca_list(facts: Facts) -> Iterator[Found]:
    """Look at the form of NCCL_IB_HCA: exact (= or ^=) or a prefix; =^ matches nothing."""
    for group in facts.host_groups:
        value = dict(group.env).get("NCCL_IB_HCA", "").strip()
        if value.startswith("=^"):
            text = f"NCCL_IB_HCA={value} matches nothing: ^ comes first, then ="
            yield _found(facts, group, text, "matches nothing", severity=ERROR)
        elif value and not value.startswith(("=", "^=")):
            yield _found(
                facts,
                group,
                f"NCCL_IB_HCA={value} is a list of prefixes, not of names",
                "prefix",
                evidence=some(_also_matched(value)),
            )


def _also_matched(value: str) -> Iterator[str]:
    for item in value.removeprefix("^").split(","):
        name = item.split(":")[0].strip()
        if name[-1:].isdigit():
            yield f"{name} also matches {name}0 to {name}9"


@rule(
    "RCE709",
    title="NCCL is told to use TCP",
    severity=ERROR,
    needs=_NEEDS,
    why="the job runs over the kernel's TCP and every figure of the RoCE fabric is meaningless",
    fix="remove the variable from hosts.env",
    example="""\
hosts: {count: 64, env: {NCCL_IB_DISABLE: "1"}}""",
)
def over_tcp(facts: Facts) -> Iterator[Found]:
    """Look for NCCL_IB_DISABLE=1 and NCCL_NET=Socket in the groups' variables."""
    for group in facts.host_groups:
        for name, value in group.env:
            off = name == "NCCL_IB_DISABLE" and value.strip() not in {"0", ""}
            if off or (name == "NCCL_NET" and value.strip().lower() == "socket"):
                yield _found(facts, group, f"{name}={value}: RoCE is not used at all", name)
