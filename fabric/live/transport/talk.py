"""What every session is made of besides its connection."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.transport.telling import Teller
    from fabric.live.transport.times import Deadline, Times
    from fabric.model.push_spec import PushSpec


@dataclass(frozen=True, slots=True)
class Talk:
    """How the device is spoken to, who tells its failures, and until when the session may last."""

    spec: PushSpec
    teller: Teller
    deadline: Deadline
    times: Times

    def within(self, seconds: float) -> Deadline:
        """Seconds from now, times the factor, and never longer than the session."""
        return self.deadline.within(seconds * self.times.factor)
