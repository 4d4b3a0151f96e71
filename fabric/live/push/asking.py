"""Questions and harmless steps over one session."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar

from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Command, Effect, ReplyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabric.live.transport.session import Session
    from fabric.model.push import Action, Ask, Step

T = TypeVar("T")
_PAUSE_S = 0.5


def ask(session: Session, question: Ask[T]) -> T:
    """Put a question to a device.

    Raises:
        DeviceError: a command failed, or its reply is not understood (``Kind.REPLY``).
    """
    replies = tuple(_perform(session, command) for command in question.commands)
    try:
        return question.read(replies)
    except ReplyError as error:
        asked = question.commands[-1].text if question.commands else "the plan"
        message = f"{session.device}: the reply to `{asked}` is not understood: {error}"
        raise DeviceError(Kind.REPLY, session.device, message, command=asked) from None


def lay_down(
    session: Session,
    steps: Iterable[Step],
    now: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Carry out steps that put nothing in force.

    Raises:
        DeviceError: one failed, or was not done in its time.
        ValueError: one would change the running configuration; nothing was done at all.
    """
    listed = tuple(steps)
    bold = next((step.name for step in listed if step.effect > Effect.STAGES), None)
    if bold is not None:
        msg = f"the step {bold!r} would change what is in force; a preview never does"
        raise ValueError(msg)
    for step in listed:
        for action in step.actions:
            _perform(session, action)
        if step.until is not None:
            _wait(session, step, step.until, now, sleep)


def _wait(
    session: Session,
    step: Step,
    until: Ask[str | None],
    now: Callable[[], float],
    sleep: Callable[[float], None],
) -> None:
    deadline = now() + step.until_s
    while (missing := ask(session, until)) is not None:
        if now() >= deadline:
            message = f"{session.device}: {step.name}: not done in time: {missing}"
            raise DeviceError(Kind.TIMEOUT, session.device, message)
        sleep(_PAUSE_S)


def _perform(session: Session, action: Action) -> str:
    reply = session.perform(action)
    wrong = action.check(reply) if isinstance(action, Command) and action.check else None
    if wrong:
        text = action.text if isinstance(action, Command) else ""
        message = f"{session.device}: {text}: {wrong}"
        raise DeviceError(Kind.REFUSED, session.device, message, command=text)
    return reply
