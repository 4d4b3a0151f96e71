"""3xx: weights and caps of the queues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.facts import class_of
from fabric.checks.policy import about_policy
from fabric.checks.rules import ERROR, INFO, WARNING, Found, rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts

_NEEDS = ("class_map",)
_LEAST_SHARE_PERCENT = 5  # our choice: below, a class waits 20 turns


@rule(
    "RCE312",
    title="scheduler weights starve a class",
    severity=WARNING,
    needs=_NEEDS,
    why="a class with next to no share stalls as soon as the others are busy",
    fix="give each DWRR queue at least 5 % and let the weights add up to 100",
    example="""\
roce:
  classes:
    - {name: roce, priority: 3, lossless: true, weight: 99}
    - {name: default, priority: 0, weight: 1}""",
)
def weights(facts: Facts) -> Iterator[Found]:
    """Add up the DWRR weights, one per queue: 100 in all, 5 at least, none missing."""
    queues = {c.queue: c for c in facts.class_map.classes if c.scheduler == "dwrr"}
    bare = [c.name for c in queues.values() if not c.weight]
    if bare:
        yield about_policy(
            facts,
            f"{', '.join(bare)}: scheduled by weight without a weight",
            keys=("none",),
            severity=ERROR,
        )
        return
    given = {c.name: c.weight or 0 for c in queues.values()}
    total = sum(given.values())
    text = ", ".join(f"{name} {weight}" for name, weight in given.items())
    if given and total != 100:  # noqa: PLR2004 — percent
        yield about_policy(facts, f"the weights add up to {total}, not 100: {text}", keys=("sum",))
    low = [n for n, w in given.items() if 100 * w < _LEAST_SHARE_PERCENT * total]
    if low:
        yield about_policy(
            facts,
            f"{', '.join(low)} gets less than {_LEAST_SHARE_PERCENT} % of the link when all "
            f"classes are busy: {text}",
            keys=("least",),
        )


@rule(
    "RCE313",
    title="CNP is not capped",
    severity=WARNING,
    needs=_NEEDS,
    why="a strict queue is served before all others: a host that floods it takes the whole link",
    fix="set roce.cnp_rate_percent",
)
def uncapped(facts: Facts) -> Iterator[Found]:
    """Look at the rate cap of a strict CNP class; info where the system has no cap to set."""
    notice = class_of(facts.class_map, facts.roce.cnp_dscp)
    if notice is None or notice.scheduler != "strict":
        return
    able = [
        name
        for name in facts.lossless_switches
        if facts.hardware[name].platform.capabilities.rate_cap
    ]
    unable = [name for name in facts.lossless_switches if name not in set(able)]
    if able and notice.max_rate_percent is None:
        yield about_policy(
            facts,
            f"{facts.who(able)}: the strict CNP queue {notice.queue} has no rate cap",
            keys=("able",),
        )
    if unable:
        systems = sorted({facts.hardware[name].platform.title for name in unable})
        yield about_policy(
            facts,
            f"{facts.who(unable)}: the strict CNP queue {notice.queue} stays uncapped, "
            f"{', '.join(systems)} has no cap that a source confirms",
            keys=("unable",),
            severity=INFO,
            fix="watch the CNP queue's rate; a host that floods it must be taken off",
        )
