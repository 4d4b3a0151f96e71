"""A process that pushes and is killed for real, right after a line of its journal."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.cli import _push_carry  # noqa: F401 - imported once, before processes are forked
from fabric.cli._pushing import planned_of, with_devices
from fabric.live.push import run  # noqa: F401 - the same
from fabric.live.push.journal import Journal, Record
from fabric.live.push.looking import Reach, Request
from fabric.live.push.means import Means, Waits
from fabric.live.transport.dial import Dialer
from fabric.plan.store import read_plan
from tests.live.e2e import bench  # noqa: F401 - the same

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.cli._push_show import Asked
    from fabric.live.connections import Connections
    from fabric.live.push.planned import PlannedFabric


@dataclass(frozen=True)
class Way:
    """A ``Reaching`` by connections that somebody else made."""

    connections: Connections
    contacts: Path

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        del planned
        return False

    @contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        specs = {d.name: planned.systems[d.platform].spec for d in planned.wanted}
        users = {name: one.user for name, one in self.connections.items()}
        with Dialer(self.connections, specs) as dial:
            means = Means(waits=Waits(poll_s=10.0))
            yield Reach(dial, users, means=means, contacts=self.contacts)


def push_and_die(folder: Path, asked: Asked, way: Way, line: int) -> None:
    """Push; SIGKILL once so many lines are journalled. Ends well if there are fewer."""
    left, write = [line], Journal.write

    def killed(journal: Journal, record: Record) -> None:
        write(journal, record)
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    Journal.write = killed  # type: ignore[method-assign, assignment]
    with Path(os.devnull).open("w") as nothing:
        os.dup2(nothing.fileno(), 1)
    asked = replace(asked, request=Request(window=True, workers=2))
    planned = planned_of(folder, read_plan(folder), asked)
    with_devices(asked, planned, way)
