"""Congestion notification profiles of Junos: who pauses, who obeys, who watches."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.qos import Watchdog
from fabric.platforms import CODES
from fabric.platforms.juniper_junos.classes import dscp_of
from fabric.platforms.juniper_junos.config import COS
from fabric.platforms.juniper_junos.tree import Tree, at, number, value, whole

if TYPE_CHECKING:
    from fabric.platforms.juniper_junos.classes import ForwardingClass

_PRIORITY = re.compile(r"[01]{3}")
# Of a watchdog that is switched on and no more (Juniper, PFC watchdog).
_POLL_MS, _POLLS, _RECOVERY_MS, _ACTION = 100, 2, 200, "drop"


@dataclass(frozen=True, slots=True)
class Pausing:
    """One profile. ``dscps``: paused for; ``obeys``: queues stopped by priority.

    ``tagged``: paused for by 802.1p priority, which untagged packets have none of.
    """

    dscps: frozenset[int]
    tagged: frozenset[int]
    obeys: tuple[tuple[int, ...], ...]  # 8
    watchdog: Watchdog | None

    def sends(self, classes_by_dscp: tuple[ForwardingClass | None, ...]) -> tuple[int, ...]:
        """Priorities that are paused for every DSCP of their classes."""
        wanted: dict[int, set[int]] = {}
        for dscp, one in enumerate(classes_by_dscp):
            if one is not None and one.paused_as is not None:
                wanted.setdefault(one.paused_as, set()).add(dscp)
        return tuple(sorted(p for p, dscps in wanted.items() if dscps <= self.dscps))


NO_PAUSE = Pausing(frozenset(), frozenset(), ((),) * CODES, None)


def pausing(config: Tree, name: str | None) -> Pausing:
    """The profile of that name; one that is not written pauses nothing."""
    profile = at(config, COS, "congestion-notification-profile", name or "")
    listed = at(profile, "input", "dscp", "code-point")
    dscps = (dscp_of(config, text) for text, body in listed.items() if "pfc" in body)
    tagged = (
        int(text, 2)
        for text, body in at(profile, "input", "ieee-802.1", "code-point").items()
        if _PRIORITY.fullmatch(text) and "pfc" in body
    )
    return Pausing(
        frozenset(dscp for dscp in dscps if dscp is not None),
        frozenset(tagged),
        _obeys(profile),
        _watchdog(at(profile, "pfc-watchdog")) if "pfc-watchdog" in profile else None,
    )


def _obeys(profile: Tree) -> tuple[tuple[int, ...], ...]:
    found: dict[int, tuple[int, ...]] = {}
    for text, body in at(profile, "output", "ieee-802.1", "code-point").items():
        queues = [whole(queue) for queue in at(body, "flow-control-queue")]
        if _PRIORITY.fullmatch(text):
            found[int(text, 2)] = tuple(q for q in queues if q is not None and q < CODES)
    return tuple(found.get(priority, ()) for priority in range(CODES))


def _watchdog(body: Tree) -> Watchdog:
    poll = number(body, "poll-interval") or _POLL_MS
    polls = number(body, "detection") or _POLLS
    recovery = number(body, "recovery") or _RECOVERY_MS
    action = value(body, "watchdog-action") or _ACTION
    return Watchdog(
        enabled=True, poll_ms=poll, detect_ms=poll * polls, restore_ms=recovery, action=action
    )
