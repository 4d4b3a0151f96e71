"""A device that was changed and saved goes back whole when a later one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.faults import Fault

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push_change import Event
    from tests.live.e2e.bench import Bench


def test_frr_with_kernel_and_interfaces(bench: Callable[..., Bench]) -> None:
    one = bench("frr", alone=False)
    before = {name: dict(one.state(name)) for name in one.devices}
    saved: set[str] = set()

    def listen(event: Event) -> None:
        if (event.event, event.status, event.step) == ("step", "begins", "save frr.conf"):
            if saved:
                one.rehearsal.arm(event.device, Fault("drop"))
            saved.add(event.device)

    one.on_event = listen
    told = one.push()
    assert len(saved) == 2
    assert told.outcomes == dict.fromkeys(one.devices, "failed-restored"), told.messages
    one.later()
    assert {name: dict(one.state(name)) for name in one.devices} == before
