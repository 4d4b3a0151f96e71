"""A device that was changed and saved goes back whole when a later one fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.changing.section_preview import STARTUP
from fabric.live.push.open_pushes import begun
from fabric.live.push.rollback import rewound
from fabric.live.rehearsal.faults import Fault
from fabric.model.push import Command, Lines
from fabric.platforms.arista_eos.lines import CONFIG_FILE

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


def test_a_user_that_was_never_saved(bench: Callable[..., Bench]) -> None:
    """A push saves it with the rest. Going back must not be refused for what booted before."""
    one = bench("arista_eos")
    user = (Command("configure"), Lines(("username anna privilege 15 secret 0 x",)), Command("end"))
    with one.line() as line:
        for action in user:
            line.perform(action)
    before = one.running()
    assert one.push().code == 0
    (earlier,) = begun(one.pushes)
    told = one.push(rewound(one.planned, earlier, ()), refresh=True)
    assert (told.code, told.outcomes) == (0, {"leaf-0": "changed"}), told.messages
    after = one.running()
    assert after[CONFIG_FILE] == before[CONFIG_FILE]
    assert "username anna" not in before[STARTUP]
    assert "username anna" in after[STARTUP]
