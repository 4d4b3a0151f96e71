"""5xx: buffers that wait for each other in a ring (validation 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, INFO, Found, NotChecked, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts
    from fabric.model.deadlock import CycleStep


@rule(
    "RCE501",
    title="a deadlock is possible: buffers can wait for each other in a ring",
    severity=ERROR,
    needs=("topology", "underlay", "hardware"),
    why="each buffer of the ring waits until the next one has room: under overload or a pause "
    "storm all of them fill, and then nothing on them moves again, not even when the load ends "
    "(a cyclic buffer dependency; Dally & Seitz 1987, HotNets'16)",
    fix="`fabric analyze deadlock` lists ways out that were checked; most of all cabling by tiers "
    "with addressing.asn: rfc7938, or a kind that raises RoCE's class on the way",
    example="""\
topology:
  kind: explicit
  switches: [{name: r0, endpoints: 1}, {name: r1, endpoints: 1},
             {name: r2, endpoints: 1}, {name: r3, endpoints: 1}]
  cables: [{a: r0, b: r1}, {a: r1, b: r2}, {a: r2, b: r3}, {a: r3, b: r0}]""",
)
def cyclic(facts: Facts) -> Iterator[Found | NotChecked]:
    """Prove the routing as planned, with nothing failed: by argument, else buffer by buffer."""
    if not facts.lossless_switches:
        return
    verdict = facts.deadlock
    if verdict.cbd is None:
        yield NotChecked(facts.intent.name, "; ".join(verdict.notes))
    elif verdict.cbd:
        steps = verdict.cycle
        numbers = sorted({step.priority for step in steps})
        ring = " → ".join(some((step.sender for step in steps), 12))
        yield Found(
            facts.intent.name,
            f"{verdict.word} at priority {', '.join(map(str, numbers))}: {len(steps)} buffers "
            f"wait for each other in a ring, {ring} → {steps[0].sender}",
            evidence=some(map(_step_text, steps)),
        )


def _step_text(step: CycleStep) -> str:
    return (
        f"{step.receiver} {step.receiver_port}, priority {step.priority}, behind {step.sender} "
        f"{step.sender_port}: traffic for {step.destination}'s hosts from {step.source}'s"
    )


@rule(
    "RCE502",
    title="packets for addresses that nobody has bounce between two switches",
    severity=ERROR,
    needs=("addressing", "underlay"),
    why="a switch that announces more than it has, without a discard route, sends packets for the "
    "rest after a wider route, and gets them back: two buffers wait for each other, so one dead "
    "host can freeze the fabric",
    fix="a discard (blackhole) route for the announced prefix on the switch that announces it",
    example="""\
# leaf-0 announces 10.128.0.0/26 without a discard route, leaf-7 a default route:
# 10.128.0.62 has no host, so leaf-0 sends it up, and every spine sends it down to leaf-0""",
)
def bounced(facts: Facts) -> Iterator[Found]:
    """Look for announced prefixes without a discard route that a wider announcement covers."""
    for bounce in facts.bounces:
        session = bounce.session
        here, there = f"{session.device} {session.port}", f"{session.peer} {session.peer_port}"
        yield Found(
            bounce.switch,
            f"{bounce.switch} announces {bounce.prefix} without a discard route and follows "
            f"{bounce.over} of {bounce.owner} for addresses of it that have no host",
            evidence=(
                f"{here} → {there}: by {bounce.over}",
                f"{there} → {here}: by {bounce.prefix}",
            ),
            device=bounce.switch,
            keys=(bounce.prefix, bounce.over),
        )


@rule(
    "RCE503",
    title="no deadlock with nothing failed, but failures are not covered",
    severity=INFO,
    needs=("topology", "underlay", "hardware"),
    why="after a failure routes may go ways that they did not take before; where neither ASNs nor "
    "policies forbid those, each state has to be looked at by itself",
    fix="`fabric analyze deadlock --failures 2` looks at all of them",
    example="""\
topology:
  kind: explicit
  switches: [{name: r0, endpoints: 1}, {name: r1, endpoints: 1}, {name: r2, endpoints: 1}]
  cables: [{a: r0, b: r1}, {a: r1, b: r2}, {a: r2, b: r0}]""",
)
def uncovered(facts: Facts) -> Iterator[Found]:
    """Say where the proof is one of the present state alone."""
    if not facts.lossless_switches or facts.deadlock.cbd is not False:
        return
    certificate = facts.deadlock.certificate
    if certificate is None or not certificate.survives_failures:
        yield Found(
            facts.intent.name,
            "no CBD with nothing failed; no argument shows that failures cannot make one",
        )
