"""What ends the waiting for a step."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fabric.live.push.carry import Line, StepError, carry
from fabric.live.push.means import Stop
from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Ask, Command, Effect, ReplyError, Step


def test_what_was_refused_is_not_waited_for() -> None:
    def read(_: tuple[str, ...]) -> str | None:
        msg = "the switch refused it"
        raise ReplyError(msg)

    slept: list[float] = []
    clock: Any = SimpleNamespace(now=lambda: sum(slept), sleep=slept.append)
    log: Any = SimpleNamespace(step=lambda *_: None)
    session: Any = SimpleNamespace(perform=lambda _: "1", close=lambda: None)
    step = Step("load", Effect.RUNS, (), until=Ask((Command("x"),), read), until_s=900.0)
    with pytest.raises(StepError, match="the switch refused it"):
        carry([step], Line("a", lambda _: session, Stop()), log, clock, 1.0)
    assert slept == []


@pytest.mark.parametrize(
    ("cuts", "kind", "told"),
    [
        ([], Kind.TIMEOUT, "not done after 900 s: not loaded yet$"),
        ([Kind.LOST], Kind.LOST, "not loaded yet; meanwhile its session was lost, as when"),
        (
            [Kind.LOST, Kind.CLOSED],
            Kind.LOST,
            "not loaded yet; meanwhile its session was lost and it could not be reached, as when",
        ),
    ],
)
def test_what_ran_out_tells_of_lost_sessions_and_the_steps_own_time(
    cuts: list[Kind], kind: Kind, told: str
) -> None:
    slept: list[float] = []
    open_cuts = list(cuts)

    def perform(_: object) -> str:
        if open_cuts:
            cut = open_cuts.pop(0)
            raise DeviceError(cut, "a", f"a: {cut.value}")
        return ""

    clock: Any = SimpleNamespace(now=lambda: sum(slept), sleep=slept.append)
    log: Any = SimpleNamespace(step=lambda *_: None)
    session: Any = SimpleNamespace(perform=perform, close=lambda: None)
    until = Ask((Command("ask"),), lambda _: "not loaded yet")
    step = Step("load", Effect.RUNS, (Command("go"),), until, 900.0, may_drop=True)
    with pytest.raises(StepError, match=told) as failure:
        carry([step], Line("a", lambda _: session, Stop()), log, clock, 0.05)
    assert failure.value.error.kind is kind
    assert sum(slept) < 50
