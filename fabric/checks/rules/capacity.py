"""6xx: bandwidth against the targets of the inventory (validation 2); without a target, nothing."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.checks.hosts import about_hosts, qps_elsewhere, qps_of
from fabric.checks.rules import WARNING, Found, NotChecked, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.bandwidth import Effective

_DUST = 1e-9


@rule(
    "RCE601",
    title="more oversubscription than intended",
    severity=WARNING,
    needs=("topology",),
    why="traffic that leaves the switches of a tier gets that much less than line rate when all "
    "of it leaves at once",
    fix="more uplinks or fewer hosts a leaf, or write the oversubscription that is meant",
    example="""\
topology: {kind: leaf-spine, leaves: 4, spines: 2}
hosts: {per_leaf: 4}
targets: {oversubscription: 1.0}""",
)
def oversubscribed(facts: Facts) -> Iterator[Found | NotChecked]:
    """Compare down capacity / up capacity of each tier with targets.oversubscription.

    The worst switch of the tier counts; of a dragonfly the endpoints of a group over its global
    cables. It is no bisection: `fabric analyze bandwidth` gives that.
    """
    most = facts.intent.targets.oversubscription
    if most is None:
        return
    ratios = facts.topology.shape.oversubscription
    if not ratios:
        yield NotChecked(facts.intent.name, "no tier has cables to a higher one")
    for role, ratio in ratios:
        if not ratio:
            yield NotChecked(role, f"{role} switches have no uplinks")
        elif ratio > most + _DUST:
            yield Found(
                role,
                f"{role} switches have up to {ratio:.4g} times as much capacity down as up, "
                f"{most:g} is meant",
                location=facts.intent.targets.location,
            )


@rule(
    "RCE602",
    title="the effective rate is below the target",
    severity=WARNING,
    needs=("topology", "host_groups", "underlay"),
    why="hashing puts several flows on one cable while others are idle; what a NIC really gets is "
    "the max-min fair rate of its flows, not its share of the bisection",
    fix="more QPs, spraying where NICs take it, or more uplinks; `fabric analyze bandwidth "
    "--target` says how many QPs reach it",
    example="""\
topology: {kind: leaf-spine, leaves: 4, spines: 4}
hosts: {per_leaf: 4, qps_per_connection: 1}
targets: {effective_percent: 90}""",
)
def slow(facts: Facts) -> Iterator[Found | NotChecked]:
    """Draw 50 random bisections (seed 1, both directions) and place every flow as switches hash.

    The mean of all pairs counts, with targets.qps QPs a pair, else the fewest that hosts are set
    to. RCE702 is the closed form for one hashing tier, and needs no target.
    """
    least = facts.intent.targets.effective_percent
    if least is None:
        return
    found = facts.effective
    if isinstance(found, str):
        yield NotChecked(facts.intent.name, found)
    elif found.stranded:
        share = f"{100 * found.stranded:.0f} % of the pairs have no way over the switches"
        yield NotChecked(facts.intent.name, f"{share}: a mean with them in it says nothing")
    elif 100 * found.mean < least:
        yield Found(
            facts.intent.name,
            f"a NIC gets {_rate(found)} on average, {least:g} % is the target",
            evidence=(
                _draw_text(found),
                f"worst pair {100 * found.worst_pair:.0f} %, striped {100 * found.striped:.0f} %",
            ),
            location=facts.intent.targets.location,
        )


def _draw_text(found: Effective) -> str:
    draw = f"random bisections, {found.trials} trials, seed {found.seed}"
    return f"{draw}, sd {100 * found.sd:.1f}"


def _rate(found: Effective) -> str:
    qps = f"{found.qps} QP{'s' if found.qps > 1 else ''} a pair"
    return f"{100 * found.mean:.1f} % of its rate with {qps} ({found.hash})"


@rule(
    "RCE603",
    title="one failure leaves a leaf too few uplinks",
    severity=WARNING,
    needs=("topology",),
    why="the bisection hardly moves when one uplink is lost, but the hosts of that leaf are held "
    "to what is left, and a collective waits for its slowest rank",
    fix="more uplinks a leaf, to more switches",
    example="""\
topology: {kind: leaf-spine, leaves: 4, spines: 2}
hosts: {per_leaf: 2}
targets: {worst_leaf_percent: 75}              # one spine gone leaves 50 %""",
)
def fragile(facts: Facts) -> Iterator[Found]:
    """Take from each leaf the neighbour that it has most capacity to, as the worst single failure.

    What is left of the cables to other switches, over what the leaf's NICs send; parallel cables
    to one neighbour are lost together. The leaf itself and cables of hosts are not among it.
    """
    least = facts.intent.targets.worst_leaf_percent
    if least is None:
        return
    left = {leaf: found for leaf, found in _left(facts) if found[0] < least - _DUST}
    if not left:
        return
    worst = min(left, key=lambda leaf: left[leaf][0])
    percent, neighbour = left[worst]
    count = f"; {len(left):,} leaves are below" if len(left) > 1 else ""
    yield Found(
        facts.subject(left),
        f"without {neighbour or 'any failure'} the uplinks of {worst} carry {percent:.4g} % of "
        f"what its NICs send, {least:g} % is the target{count}",
        evidence=some(f"{leaf}: {p:.4g} % without {lost}" for leaf, (p, lost) in left.items()),
        location=facts.intent.targets.location,
    )


def _left(facts: Facts) -> Iterator[tuple[str, tuple[float, str]]]:
    """By leaf: percent that stays, and the switch whose loss costs most."""
    sends: Counter[str] = Counter()
    for link in facts.topology.host_links:
        sends[link.b.device] += link.speed_gbps
    for leaf, gbps in sends.items():
        to: Counter[str] = Counter()
        for link in facts.topology.links_of(leaf):
            other = link.other(leaf).device
            if facts.topology.is_switch(other):
                to[other] += link.speed_gbps
        lost, most = max(to.items(), key=lambda item: item[1], default=("", 0))
        yield leaf, (100 * (to.total() - most) / gbps, lost)


@rule(
    "RCE604",
    title="the target hangs on hash seeds that switches are not told",
    severity=WARNING,
    needs=("topology", "host_groups", "underlay", "hardware"),
    why="no source shows the command for the seed on that system; if its switches hash alike out "
    "of the box, flows are polarised: the choice of one tier settles that of the next",
    fix="find out on a box how its tiers hash, set the seed there and give the line in extra; then "
    "accept this with a suppression",
    example="""\
platforms: {default: {platform: arista_eos, model: arista-7060dx5-64s}}
topology: {kind: fat-tree, k: 8, pods: 4}
targets: {effective_percent: 90, qps: 16}""",
)
def unseeded(facts: Facts) -> Iterator[Found | NotChecked]:
    """Where a system's config holds no seed, work the target out for one seed everywhere too.

    RCE210 compares the seeds that the plan gives.
    """
    least = facts.intent.targets.effective_percent
    untold = [
        name for name, hw in facts.hardware.items() if hw.platform.capabilities.hash_seed == "none"
    ]
    if least is None or not untold or facts.intent.load_balancing != "ecmp":
        return
    planned = facts.effective
    if isinstance(planned, str) or 100 * planned.mean < least:
        return  # RCE602 has said it
    alike = facts.effective_under("ecmp-polarised")
    if isinstance(alike, str):
        yield NotChecked(facts.intent.name, alike)
    elif 100 * alike.mean < least:
        yield Found(
            facts.subject(untold),
            f"{facts.who(untold)}: no hash seed in the config; a NIC gets "
            f"{100 * planned.mean:.1f} % of its rate if tiers hash apart as planned, "
            f"{100 * alike.mean:.1f} % if all switches hash alike ({planned.qps} QPs a pair), "
            f"{least:g} % is the target",
            evidence=some(untold),
            location=facts.intent.targets.location,
        )


@rule(
    "RCE605",
    title="hosts have fewer QPs than the target is meant with",
    severity=WARNING,
    needs=("host_groups",),
    why="the effective rate that was designed for holds for that number of flows; with fewer, more "
    "of them collide",
    fix="set qps_per_connection under hosts (NCCL_IB_QPS_PER_CONNECTION)",
    example="""\
hosts: {count: 64, qps_per_connection: 1}
targets: {effective_percent: 90, qps: 8}""",
)
def fewer_qps(facts: Facts) -> Iterator[Found]:
    """Compare qps_per_connection (or NCCL's variable in env) of each group with targets.qps.

    One connection for each pair of NICs is counted: NCCL opens one a channel, so it may use more.
    RCE702 judges QPs by the number of equal uplinks, without a target.
    """
    wanted = facts.intent.targets.qps
    if wanted is None or facts.intent.load_balancing == "spray":
        return
    for group in facts.host_groups:
        if qps_of(group) < wanted:
            yield about_hosts(
                facts,
                group,
                f"QPs per connection: {qps_of(group)}, the target is meant with {wanted} a pair",
                fix=f"set qps_per_connection: {wanted}{qps_elsewhere(group)}",
            )
