"""3xx: how traffic is spread over equal paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.rules import ERROR, Found, grouped, rule, some

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.checks.facts import Facts


@rule(
    "RCE318",
    title="the load-balancing mode is not possible here",
    severity=ERROR,
    needs=("hardware",),
    why="a mode that the system lacks is not configured at all; packets that are sprayed arrive "
    "out of order, and a NIC that cannot take that resends everything",
    fix="set load_balancing to ecmp, or choose hardware that a source confirms for the mode",
    example="""\
load_balancing: spray
hosts: {nic: connectx-6}                       # wants its packets in order""",
)
def mode(facts: Facts) -> Iterator[Found]:
    """Look up the mode in each system's capabilities; spraying needs out-of-order tolerant NICs."""
    wanted = facts.intent.load_balancing
    lacking = (
        ((hw.platform.title, hw.platform.capabilities.load_balancing), device)
        for device, hw in facts.hardware.items()
        if wanted not in hw.platform.capabilities.load_balancing
    )
    for (title, modes), devices in grouped(lacking).items():
        yield Found(
            facts.subject(devices),
            f"{facts.who(devices)}: load balancing {wanted} is not confirmed for {title}, which "
            f"has {', '.join(modes) or 'none'}",
            evidence=some(devices),
            keys=(title,),
        )
    if wanted != "spray":
        return
    for group in facts.host_groups:
        if not group.nic.out_of_order:
            yield Found(
                group.name,
                f"{facts.hosts_text(group.name)}: no source confirms that {group.nic.name} takes "
                "packets out of order, as spraying delivers them",
                keys=("nic",),
                location=group.location,
            )
