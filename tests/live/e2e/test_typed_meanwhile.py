"""A line that somebody else types while a push runs shuts the gate, is named, and goes back too.

Right before a step that puts something in force, and from then until the device is saved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.model.push import Command, Effect, Lines, PutFile

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push import Action
    from fabric.model.push_change import Event
    from tests.live.e2e.bench import Bench

THEIRS = "/home/admin/theirs.json"
FOREIGN: dict[str, tuple[tuple[Action, ...], str]] = {
    "arista_eos": (
        (Command("configure"), Lines(("snmp-server location lab",)), Command("end")),
        "+ snmp-server location lab",
    ),
    "frr": (
        (
            Command(
                "vtysh -c 'configure terminal' "
                "-c 'ip prefix-list OTHERS seq 5 permit 203.0.113.0/24'"
            ),
        ),
        "+ ip prefix-list OTHERS seq 5 permit 203.0.113.0/24",
    ),
    "sonic": (
        (
            PutFile(THEIRS, '{"NTP_SERVER": {"203.0.113.9": {}}}'),
            Command(f"sudo -n config load -y {THEIRS}"),
        ),
        "+ NTP_SERVER|203.0.113.9",
    ),
}


def type_at(one: Bench, actions: tuple[Action, ...], phase: str, number: int, status: str) -> None:
    """Type once, when step ``number`` of those of a phase that change anything begins or ends."""
    steps = [step for step in one.steps()[phase] if step.effect >= Effect.RUNS]
    name = steps[number].name
    typed: list[str] = []

    def listen(event: Event) -> None:
        if (event.event, event.status, event.step) == ("step", status, name) and not typed:
            typed.append(name)
            with one.line() as line:
                for action in actions:
                    line.perform(action)

    one.on_event = listen


@pytest.mark.parametrize(
    "when",
    [("apply", 0, "done"), ("apply", -1, "done"), ("confirm", 0, "begins"), ("save", -1, "done")],
    ids=lambda when: "-".join(map(str, when)),
)
@pytest.mark.parametrize("system", FOREIGN)
def test_it_is_named_and_taken_back(
    bench: Callable[..., Bench], system: str, when: tuple[str, int, str]
) -> None:
    one = bench(system)
    before = one.running()
    actions, words = FOREIGN[system]
    type_at(one, actions, *when)
    told = one.push()
    assert (told.code, told.outcomes) == (3, {"leaf-0": "failed-restored"}), told.messages
    assert words.removeprefix("+ ") in told.messages
    if when[0] == "apply":
        assert words in told.messages
        assert "if somebody else typed that meanwhile, it is taken back" in told.messages
    assert one.running() == before


def test_before_each_step_of_a_system_that_is_changed_file_by_file(
    bench: Callable[..., Bench],
) -> None:
    """Else a restart of FRR, or the load of a whole file, would drop it, and nobody would know."""
    steps = [step for step in bench("frr").steps()["apply"] if step.effect >= Effect.RUNS]
    assert len(steps) > 2
    for number in range(len(steps) - 1):
        one = bench("frr")
        actions, words = FOREIGN["frr"]
        type_at(one, actions, "apply", number, "done")
        told = one.push()
        assert told.outcomes == {"leaf-0": "failed-restored"}, told.messages
        assert f"changed while the change was being prepared: {words}" in told.messages
