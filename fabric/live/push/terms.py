"""What the two halves of a push hand each other: making the Change, and carrying it out.

``fabric.live.push.prepare`` makes a :class:`Prepared`; ``fabric.live.push.run.push(prepared, *,
dial, observer, options) -> Report`` carries it out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.push.folder import BEFORE, CANDIDATE, TARGET

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.changing.procedure import Commit, Preview
    from fabric.live.push.folder import PushFolder
    from fabric.model.device import DeviceModel
    from fabric.model.push import Files
    from fabric.model.push_change import Change, DeviceTarget, StepResult
    from fabric.model.push_spec import PushSpec


@dataclass(frozen=True, slots=True)
class System:
    """How the devices of one switch system are pushed to."""

    spec: PushSpec
    preview: Preview
    commit: Commit


@dataclass(frozen=True, slots=True)
class Prepared:
    """An approved Change and all that carrying it out needs; texts lie on the disk.

    ``push_id``: that of every ``Job`` of this push; it follows from the Change, so the commands
    that were approved are the commands that are typed. ``users``: device → as whom we log in, as
    in the approved commands. ``model``: device → what the plan makes of it (its QoS chains are
    what the read-back is compared with); ``None``: only the target text can be compared (the plan
    was replaced since, ``--resume``).
    """

    change: Change
    push_id: str
    folder: PushFolder
    systems: Mapping[str, System]  # by platform
    users: Mapping[str, str]
    model: Callable[[str], DeviceModel | None]

    def device(self, name: str) -> DeviceTarget:
        """A device of the Change by its name.

        Raises:
            KeyError: the Change does not speak of it.
        """
        return {d.device: d for d in self.change.devices}[name]

    def system(self, device: str) -> System:
        """How a device is pushed to."""
        return self.systems[self.device(device).platform]

    @property
    def left_the_plan(self) -> tuple[str, ...]:
        """Devices of the Change without a user (so without a connection), or without a system."""
        on = {d.device: d.platform for d in self.change.devices}
        named = (name for wave in self.change.waves for name in wave.devices)
        return tuple(n for n in named if n not in self.users or on.get(n) not in self.systems)

    def before(self, device: str) -> Files:
        """The checkpoint: the configuration in force when the Change was made; from the disk.

        Raises:
            FileNotFoundError: it has gone.
        """
        return self._kept(device, BEFORE)

    def target(self, device: str) -> Files:
        """What shall be in force instead; from the disk.

        Raises:
            FileNotFoundError: it has gone.
        """
        return self._kept(device, TARGET)

    def expected(self, device: str) -> Files:
        """What a read-back is compared with: the target as the device itself would print it.

        The target where the device did not show that.

        Raises:
            FileNotFoundError: it has gone.
        """
        return self.folder.files(device, CANDIDATE) or self.target(device)

    def _kept(self, device: str, which: str) -> Files:
        files = self.folder.files(device, which)
        if files is None:
            raise FileNotFoundError(self.folder.place(device, which))
        return files


@dataclass(frozen=True, slots=True)
class Options:
    """How a push is carried out. ``go_on``: asked between a first contact and the rest.

    ``time_factor``: every timeout is multiplied by it (rehearsal and tests scale it down).
    """

    go_on: Callable[[str], bool]
    workers: int = 10
    time_factor: float = 1.0


@dataclass(frozen=True, slots=True)
class Report:
    """How a push ended: every device of the Change, in its order."""

    results: tuple[StepResult, ...]
    message: str = ""  # why it ended early; empty: it did not
    interrupted: bool = False  # Ctrl-C: exit 130
    hard: bool = False  # a second Ctrl-C: nothing was brought to an end
