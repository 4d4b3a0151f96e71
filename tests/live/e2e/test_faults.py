"""What goes wrong at a step, at every step that the procedures name: back, or clearly told."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from fabric.live.rehearsal.faults import Fault
from fabric.model.push import Effect
from tests.live.e2e.bench import LEAF, TIMER_S
from tests.live.e2e.outcome import ends, wrong
from tests.live.e2e.systems import BY_DRIVER, SPOKEN, SYSTEMS, TIMED_SPOKEN

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push import Step
    from fabric.model.push_change import Event
    from tests.live.e2e.bench import Bench


def steps(bench: Callable[..., Bench], system: str) -> list[tuple[str, Step]]:
    return [(phase, step) for phase, all_ in bench(system).steps().items() for step in all_]


def of_each_kind(found: list[tuple[str, Step]]) -> list[tuple[str, Step]]:
    """The first step of each phase and effect that reaches further than laying something down."""
    first: dict[tuple[str, Effect], tuple[str, Step]] = {}
    for phase, step in found:
        if step.effect >= Effect.RUNS:
            first.setdefault((phase, step.effect), (phase, step))
    return list(first.values())


@pytest.mark.parametrize(("system", "cli"), BY_DRIVER)
def test_a_session_lost_with_netmikos_driver(bench: Callable[..., Bench], system: str) -> None:
    """Of each kind of step: its logins are slow. Ours are cut at every command."""
    before, changed = ends(bench, system)
    trouble = []
    found = of_each_kind(steps(bench, system))
    first_change = next(step for _, step in found if step.effect is Effect.RUNS)
    for phase, step in found:
        for after in (False, True):
            one = bench(system)
            orders = [(step.name, Fault("drop", after=after))]
            if phase == "restore":  # something has to be taken back first
                orders.append((first_change.name, Fault("reject")))
            armed = one.arm_at(*orders)
            told = one.push()
            text = wrong(one, told, before, changed)
            if text:
                trouble.append(f"{phase}: {step.name}{' (after)' if after else ''}: {text}")
            assert step.name in armed or phase == "restore", f"{step.name} was never begun"
    assert not trouble, "\n".join(trouble)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_restart_before_every_step_that_counts(bench: Callable[..., Bench], system: str) -> None:
    """What is not saved is gone then: it boots as before, and the push ends so or goes on."""
    before, changed = ends(bench, system)
    trouble = []
    for phase, step in steps(bench, system):
        if phase == "restore" or step.effect < Effect.RUNS:
            continue
        one = bench(system)
        rebooted: list[str] = []

        def restart(event: Event, step: Step = step, rebooted: list[str] = rebooted) -> None:
            if (event.event, event.status, event.step) != ("step", "begins", step.name):
                return
            if not rebooted:
                rebooted.append(event.device)
                one.rehearsal.reboot(event.device)  # noqa: B023 - called before the next is made

        one.on_event = restart
        told = one.push()
        text = wrong(one, told, before, changed)
        if text or not rebooted:
            trouble.append(f"{phase}: {step.name}: {text or 'never begun'}")
    assert not trouble, "\n".join(trouble)


@pytest.mark.parametrize(("system", "cli"), SPOKEN)
def test_a_refused_line_is_restored_and_told(bench: Callable[..., Bench], system: str) -> None:
    before, changed = ends(bench, system)
    trouble, refused = [], 0
    for phase, step in steps(bench, system):
        if phase == "restore" or step.effect < Effect.STAGES:
            continue
        one = bench(system)
        one.arm_at((step.name, Fault("reject")))
        told = one.push()
        taken = "reject" not in one.rehearsal.armed(LEAF)
        refused += taken
        text = wrong(one, told, before, changed)
        if not text and taken and (told.code == 0 or "was refused" not in told.messages):
            text = "a refused line was not noticed"
        if text:
            trouble.append(f"{phase}: {step.name}: {text}")
    assert not trouble, "\n".join(trouble)
    assert refused, "nothing was ever refused"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_full_disk_is_restored_and_told(bench: Callable[..., Bench], system: str) -> None:
    """From the first step on that lays something down, and from the first that saves."""
    before, changed = ends(bench, system)
    forth = [(phase, step) for phase, step in steps(bench, system) if phase != "restore"]
    trouble, noticed = [], 0
    for effect in (Effect.STAGES, Effect.SAVES):
        step = next(step for _, step in forth if step.effect is effect)
        one = bench(system)
        one.arm_at((step.name, Fault("disk-full")))
        told = one.push()
        noticed += told.code != 0
        # It stays full, so what boots may not be written back either: said, with the commands.
        if told.code == 4 and "No space left on device" in told.messages:
            continue
        text = wrong(one, told, before, changed)
        if text:
            trouble.append(f"{step.name}: {text}")
    assert not trouble, "\n".join(trouble)
    assert noticed, "a full disk was never noticed"


@pytest.mark.parametrize(("system", "cli"), TIMED_SPOKEN)
def test_a_timer_that_runs_out_takes_the_change_back(
    bench: Callable[..., Bench], system: str
) -> None:
    before, _ = ends(bench, system)
    one = bench(system)

    def expire(event: object) -> None:
        if (getattr(event, "event", ""), getattr(event, "status", "")) == ("gate", "passed"):
            one.rehearsal.advance(TIMER_S + 120)
            assert dict(one.state())["running"] == before["running"]

    one.on_event = expire
    told = one.push()
    assert told.outcomes == {LEAF: "failed-restored"}, told.messages
    assert wrong(one, told, before, {}) == ""
