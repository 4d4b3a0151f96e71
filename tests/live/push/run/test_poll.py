"""What ends the waiting for a step."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from fabric.live.push.carry import Line, StepError, carry
from fabric.live.push.means import Stop
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
