"""All devices looked at, a few at a time; one that fails never stops the others."""

from __future__ import annotations

import secrets
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from fabric.live.push.describe import described
from fabric.live.push.folder import NotWrittenError
from fabric.live.push.survey import RefusedError, Subject, survey
from fabric.live.transport.errors import DeviceError
from fabric.model.push_change import DeviceTarget, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path

    from fabric.live.push.folder import PushFolder
    from fabric.live.push.means import Means
    from fabric.live.push.planned import PlannedFabric
    from fabric.live.transport.session import Dial
    from fabric.model.plan import DevicePlan
    from fabric.model.push_change import Event

WAVE_SIZE = 5
NOT_READ = "RCE923"
NOT_REACHED = frozenset({"RCE905", "RCE906", "RCE907"})
_FIX = "mend that; the others can be pushed to without it: --approve and the digest of the dry run"


@dataclass(frozen=True, slots=True)
class Request:
    """What was asked for. ``timer_s``: after how long an unconfirmed change is undone."""

    window: bool = False
    wave_size: int = WAVE_SIZE
    timer_s: int = 600
    workers: int = 10


@dataclass(frozen=True, slots=True)
class Reach:
    """How devices are reached. ``users``: device → as whom we log in.

    ``refused``: what the input lacks for that, known before anything is dialled; then nothing is.
    ``listener``: told of each event before anybody else, while what it is about has not begun (a
    rehearsal arms its faults then).
    ``means``, ``contacts``: as of ``run.push``; fakes have time and memory of their own.
    """

    dial: Dial
    users: Mapping[str, str]
    refused: tuple[Refused, ...] = ()
    listener: Callable[[Event], None] = lambda _event: None
    means: Means | None = None
    contacts: Path | None = None


def _mark() -> str:
    return secrets.token_hex(3)


@dataclass(frozen=True, slots=True)
class Looking:
    """A look at devices of a plan; what they run goes to ``keep``.

    ``mark``: tells what this look lays down on devices from what pushes and other looks do.
    """

    planned: PlannedFabric
    request: Request
    reach: Reach
    keep: PushFolder
    mark: str = field(default_factory=_mark)

    def at(
        self,
        devices: Iterable[DevicePlan],
        progress: Callable[[str, int, int], None] = lambda _device, _done, _of: None,
    ) -> tuple[list[DeviceTarget], list[Refused]]:
        """What would become of each, and which are not pushed to.

        Raises:
            NotWrittenError: what devices run cannot be kept on our disk.
        """
        todo = [device for device in devices if device.platform in self.planned.systems]
        found: list[DeviceTarget] = []
        refused: list[Refused] = []
        pool = ThreadPoolExecutor(self.request.workers, "look")
        try:
            futures = {pool.submit(self.at_one, device): device.name for device in todo}
            for done, future in enumerate(as_completed(futures), 1):
                result = future.result()
                if isinstance(result, Refused):
                    refused.append(result)
                else:
                    found.append(result)
                progress(futures[future], done, len(todo))
        finally:
            pool.shutdown(wait=True, cancel_futures=True)
        return found, refused

    def at_one(self, device: DevicePlan) -> DeviceTarget | Refused:
        """One device, whatever is wrong with it.

        Raises:
            NotWrittenError: our own disk is full, or is not ours.
        """
        try:
            system = self.planned.systems[device.platform]
            describe = partial(described, device, system)
            dial = self.reach.dial
            return survey(self._subject(device), system.preview, dial, self.keep, describe)
        except RefusedError as error:
            return error.refused
        except DeviceError as error:
            if error.kind.unreachable:
                return Refused(device.name, error.kind.rule, str(error), _FIX)
            fix = "look at the device; nothing of it was changed"
            return Refused(device.name, error.kind.rule or NOT_READ, str(error), fix)
        except NotWrittenError:
            raise
        except Exception as error:  # noqa: BLE001 - one device never stops the others
            message = f"{device.name}: internal error: {type(error).__name__}: {error}"
            return Refused(device.name, NOT_READ, message, "report it; nothing was changed")

    def _subject(self, device: DevicePlan) -> Subject:
        """The device as it is to be; its planned text is read from the plan's folder."""
        return Subject(
            name=device.name,
            address=(device.management_address or "").partition("/")[0],
            user=self.reach.users.get(device.name, ""),
            push_id=self.planned.push_id,
            look_id=f"{self.planned.push_id}-{self.mark}",
            timer_s=self.request.timer_s,
            expected=self.planned.expected(device),
            rendered=self.planned.rendered(device.name),
            protected=self.planned.systems[device.platform].spec.protected,
            way_out=self.planned.way_out(device.name),
        )
