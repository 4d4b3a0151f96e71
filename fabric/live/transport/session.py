"""What the rest of ``live`` sees of a session with a device."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabric.model.push import Action


class Session(Protocol):
    """One login at one device. Every reply is checked against the error patterns of the system."""

    device: str

    def perform(self, action: Action) -> str:
        """Carry out one action; the reply without echo and prompt, line ends as newlines.

        Raises:
            DeviceError: see ``errors``; its kind says whether the outcome is known.
        """

    def close(self) -> None:
        """End the session; never raises."""


Dial: TypeAlias = "Callable[[str], Session]"  # by device name; raises DeviceError
