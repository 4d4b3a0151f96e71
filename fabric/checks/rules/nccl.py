"""7xx: variables of NCCL and its relatives in the inventory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.hosts import about_hosts
from fabric.checks.rules import ERROR, WARNING, Found, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts

_NEEDS = ("host_groups",)
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
_ROUTED_VERSION = "2"
_FAMILIES = {"ipv4": "AF_INET", "ipv6": "AF_INET6"}


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
                yield about_hosts(
                    facts, group, f"{name}={value} is left on: {_DIAGNOSES[name]}", name
                )


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
            yield about_hosts(
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
                yield about_hosts(
                    facts, group, f"{name}={value} pins one GID index on every host{usual}", name
                )


@rule(
    "RCE711",
    title="a variable leads to a GID that no router forwards",
    severity=ERROR,
    needs=("host_groups",),
    why="each address has two GIDs, of RoCE v1 and v2, beside link-local ones: version 1, or a "
    "family in which the NIC has link-local addresses alone, reaches hosts of the same leaf at "
    "most; all others time out (completion error 12)",
    fix="remove it from hosts.env: the plan sets version, family and prefix",
    example="""\
hosts: {count: 64, env: {NCCL_IB_ROCE_VERSION_NUM: "1"}}""",
)
def gid_choice(facts: Facts) -> Iterator[Found]:
    """Compare NCCL_IB_ROCE_VERSION_NUM with 2 and NCCL_IB_ADDR_FAMILY with the fabric's addresses.

    The family is compared where hosts have addresses of one family alone.
    """
    family = facts.intent.addressing.family
    for group in facts.host_groups:
        env = dict(group.env)
        version = env.get("NCCL_IB_ROCE_VERSION_NUM", "").strip()
        if version and version != _ROUTED_VERSION:
            text = f"NCCL_IB_ROCE_VERSION_NUM={version} chooses RoCE v{version}: not routed"
            yield about_hosts(facts, group, text, "NCCL_IB_ROCE_VERSION_NUM")
        chosen = env.get("NCCL_IB_ADDR_FAMILY", "").strip()
        if chosen and family in _FAMILIES and chosen != _FAMILIES[family]:
            text = (
                f"NCCL_IB_ADDR_FAMILY={chosen}, but the NICs have {family} addresses alone: what "
                "is left is link-local"
            )
            yield about_hosts(facts, group, text, "NCCL_IB_ADDR_FAMILY")


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
            yield about_hosts(facts, group, text, "matches nothing", severity=ERROR)
        elif value and not value.startswith(("=", "^=")):
            yield about_hosts(
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
                yield about_hosts(facts, group, f"{name}={value}: RoCE is not used at all", name)
