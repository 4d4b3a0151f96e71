"""Somebody else reloads or loads a minigraph on a SONiC switch: who holds the lock is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.faults import Fault
from tests.live.e2e.bench import LEAF

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.live.e2e.bench import Bench

HOLDER = "load_minigraph, pid 4711"
HELD = Fault("lock", count=0)


def test_a_lock_that_is_held_refuses_the_device(bench: Callable[..., Bench]) -> None:
    one = bench("sonic")
    before = dict(one.state())
    one.rehearsal.arm(LEAF, HELD)
    told = one.push(dry_run=True)
    (refused,) = told.lines[0]["refused"]
    assert (refused["device"], refused["rule"]) == (LEAF, "RCE919")
    assert HOLDER in refused["message"]
    assert dict(one.state()) == before


def test_a_lock_that_is_taken_meanwhile_is_told_at_once(bench: Callable[..., Bench]) -> None:
    """The load was refused: that is read from its log, and nobody waits for it."""
    one = bench("sonic")
    before, began = dict(one.state()), one.clock.now()
    armed = one.arm_at(("load the candidate", HELD))
    told = one.push()
    assert armed
    assert told.outcomes == {LEAF: "failed-restored"}, told.messages
    assert f"Failed to acquire lock on /etc/sonic/reload.lock (held by {HOLDER})" in told.messages
    assert "not done after" not in told.messages
    assert one.clock.now() - began < 600, "it waited"
    one.rehearsal.disarm(LEAF)
    one.later()
    assert dict(one.state()) == before
