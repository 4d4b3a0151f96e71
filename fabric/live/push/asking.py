"""Questions and harmless steps over one session."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from fabric.live.transport.errors import DeviceError, Kind
from fabric.model.push import Effect, ReplyError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.live.transport.session import Session
    from fabric.model.push import Ask, Step

T = TypeVar("T")


def ask(session: Session, question: Ask[T]) -> T:
    """Put a question to a device.

    Raises:
        DeviceError: a command failed, or its reply is not understood (``Kind.REPLY``).
    """
    replies = tuple(session.perform(command) for command in question.commands)
    try:
        return question.read(replies)
    except ReplyError as error:
        asked = question.commands[-1].text if question.commands else ""
        message = f"{session.device}: the reply to {asked!r} is not understood: {error}"
        raise DeviceError(Kind.REPLY, session.device, message, command=asked) from None


def lay_down(session: Session, steps: Iterable[Step]) -> None:
    """Carry out steps that put nothing in force.

    Raises:
        DeviceError: one failed.
        ValueError: one would change the running configuration; nothing of it was done.
    """
    for step in steps:
        if step.effect > Effect.STAGES or step.until is not None:
            msg = f"the step {step.name!r} does more than lay something down"
            raise ValueError(msg)
        for action in step.actions:
            session.perform(action)
