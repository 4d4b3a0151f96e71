"""What the plan says of the rate that hashed flows get."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.bandwidth import Effective

ASK = "what hashing leaves of it: `fabric analyze bandwidth INVENTORY`"


def expected_text(found: Effective) -> str:
    """Whole percents: the same digits on every machine."""
    qps = f"{found.qps} QP{'s' if found.qps > 1 else ''} a pair"
    return (
        f"about {100 * found.mean:.0f} % of a NIC's rate over random bisections with {qps} "
        f"({found.hash} as planned, {found.trials} trials, seed {found.seed})"
    )
