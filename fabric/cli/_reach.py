"""The one place where a push meets the transport: how the devices of a plan are reached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from fabric.live.push.looking import Reach
    from fabric.live.push.planned import PlannedFabric
    from fabric.live.transport.session import Session

# A rehearsal and a lab hand over their own.
Reaching: TypeAlias = "Callable[[PlannedFabric], AbstractContextManager[Reach]]"


def data_centre(*, accept_new: bool) -> Reaching:  # noqa: ARG001 - for the dialer
    """SSH, as the inventory's ``connection:`` and the user's own settings say.

    ``accept_new``: host keys that are not known yet are taken down; changed ones never are.
    """

    @contextmanager
    def reaching(planned: PlannedFabric) -> Iterator[Reach]:
        from fabric.live.push.looking import Reach  # noqa: PLC0415
        from fabric.live.transport.errors import DeviceError, Kind  # noqa: PLC0415

        def dial(device: str) -> Session:
            raise DeviceError(Kind.NO_CREDENTIAL, device, f"{device}: there is no SSH yet")

        user = planned.design.intent.connection.user or ""
        yield Reach(dial, {device.name: user for device in planned.wanted})

    return reaching
