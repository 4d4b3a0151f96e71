"""The one place where a push meets the transport: how the devices of a plan are reached."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from fabric.live.push.folder import STATE

if TYPE_CHECKING:
    from fabric.cli._push_show import Asked
    from fabric.files.yaml import Path as KeyPath
    from fabric.live.push.looking import Reach
    from fabric.live.push.planned import PlannedFabric
    from fabric.model.push_change import Refused


class Reaching(Protocol):
    """A way to devices: SSH to a data centre, to a lab, or to the fakes of a rehearsal."""

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        """Whether no device has an address at all, so that nothing need be tried."""

    def open(self, planned: PlannedFabric) -> AbstractContextManager[Reach]:
        """The way, for the time of a block."""


@dataclass(frozen=True, slots=True)
class DataCentre:
    """SSH, as the inventory's ``connection:`` and the user's own ssh_config say.

    ``accept_new``: host keys that are not known yet are taken down; changed ones never are.
    """

    accept_new: bool = False
    state: Path = STATE

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        """No device of this push has a management address."""
        return all(device.management_address is None for device in planned.wanted)

    @contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        """Sessions by device; secrets are read before the first device is spoken to."""
        from fabric.live.push.looking import Reach  # noqa: PLC0415
        from fabric.live.transport.access import connections  # noqa: PLC0415
        from fabric.live.transport.credentials import Credentials  # noqa: PLC0415
        from fabric.live.transport.dial import Dialer  # noqa: PLC0415
        from fabric.live.transport.drivers import missing_drivers  # noqa: PLC0415
        from fabric.live.transport.host_keys import HostKeys  # noqa: PLC0415

        intent = planned.design.intent
        names = [device.name for device in planned.wanted]
        private = self.state / planned.plan.fabric
        access = connections(intent.connection, intent.management, names, private)
        found, credentials = access.connections, Credentials()
        specs = {
            device.name: planned.systems[device.platform].spec
            for device in planned.wanted
            if device.platform in planned.systems
        }
        lacking = (*access.refused, *credentials.missing(found))
        drivers = missing_drivers(found, specs)
        refused = (*(_placed(one, planned) for one in lacking), *drivers)
        host_keys = HostKeys(accept_new=self.accept_new, tell=_tell)
        with Dialer(found, specs, credentials=credentials, host_keys=host_keys) as dial:
            yield Reach(dial, {name: one.user for name, one in found.items()}, refused)


def _placed(refused: Refused, planned: PlannedFabric) -> Refused:
    """The refusal with file and line of the section that has to be mended."""
    path: KeyPath = ("connection",)
    if refused.rule == "RCE901":
        path = ("management", "addresses")
    elif refused.rule == "RCE902" and refused.device is not None:
        path = ("management", "addresses", refused.device)
    if planned.locate is None:
        return refused
    found = planned.locate(path)  # in the plan's copy, which has the lines of the inventory
    at = f"{planned.plan.inventory}:{found.line}:{found.column}"
    return replace(refused, fix=f"{refused.fix} ({at})")


def reaching(asked: Asked, lab: str | None) -> tuple[Asked, Reaching]:
    """What was asked for, and the way to the devices: the inventory's, or into a lab.

    Raises:
        UsageError: there is no such lab.
    """
    if lab is None:
        return asked, DataCentre(accept_new=asked.accept_new)
    from fabric.cli._in_lab import LabReach, in_lab, lab_of  # noqa: PLC0415 - with a lab alone

    name = lab_of(lab)
    return in_lab(asked, name), LabReach(name)


def _tell(text: str) -> None:
    sys.stderr.write(f"{text}\n")
