"""The way to the fakes of a rehearsal: made of the plan, in a private folder, gone at the end."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.cli import NOT_RESTORED, OK, UsageError
from fabric.cli import _push_plan as plans
from fabric.cli._edited import note_edited
from fabric.cli._show import BUILD, today
from fabric.live.push.folder import STATE
from fabric.live.rehearsal import orders as ordering
from fabric.live.rehearsal.control import RehearsalError
from fabric.plan.store import PLAN_FILE, plans_below

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabric.cli._push_show import Asked
    from fabric.live.connections import Connections
    from fabric.live.push.looking import Reach
    from fabric.live.push.planned import PlannedFabric
    from fabric.live.rehearsal.control import Rehearsal
    from fabric.live.rehearsal.orders import Order
    from fabric.live.transport.dial import Dialer
    from fabric.model.push import Step

SECOND_S = 0.05  # how long a second of the fakes lasts; a timer of ten minutes: 30 s
_PATIENCE = 0.3  # of our own time-outs, which a fault makes us wait for
_POLL_S = 10.0
_A_PROCESS = 40  # fakes


def private_plan(asked: Asked, private: Path) -> Path:
    """A plan in the private folder: made of an inventory there, or copied from where it lies.

    Raises:
        UsageError: neither is there.
        RehearsalError: the disk does not take it.
        InputError: the inventory cannot be honoured.
    """
    try:
        return _plan_in(asked, private)
    except OSError as error:
        msg = f"its plan is not laid down in {private}: {error.strerror or error}"
        raise RehearsalError(msg) from None


def _plan_in(asked: Asked, private: Path) -> Path:
    wanted = asked.build
    if wanted is not None and Path(wanted).is_file():
        from fabric import flow  # noqa: PLC0415 - needs pydantic

        done = flow.plan(wanted, out=private / BUILD, today=today(), keep_lock=False)
        return done.folder
    if wanted is not None and Path(wanted).suffix in {".yaml", ".yml"}:
        msg = f"{wanted}: there is no such file"
        raise UsageError(msg, "`fabric init` writes an inventory")
    folder = plans.plan_folder(wanted, command=asked.unnamed)
    plan = plans.plan_in(folder)
    note_edited(folder, plan)
    return Path(shutil.copytree(folder, private / BUILD / plan.fabric))


def afterwards(asked: Asked, code: int, rehearsed: Path) -> list[str]:
    """What to type after a rehearsal that ended with ``code``. ``rehearsed``: the private plan."""
    if code == OK:
        return [f"Next: {_push_of(asked.build, rehearsed)}"]
    kept = f"Nothing of a rehearsal is kept; a push keeps in {STATE} what it names there."
    lines = [kept] if code == NOT_RESTORED else []
    if asked.faults:
        return [*lines, f"Next: {replace(asked, faults=()).for_devices(())} (without faults)"]
    return [*lines, f"Next: {asked.for_devices(())} (again, with what failed mended)"]


def _push_of(wanted: str | None, rehearsed: Path) -> str:
    """The push of what was rehearsed, which may have to be planned."""
    if wanted is None or not Path(wanted).is_file():
        named = f" {wanted}" if wanted else ""
        return f"fabric push{named} --dry-run"
    planned = BUILD / rehearsed.name / PLAN_FILE
    if not planned.is_file() or planned.read_bytes() != (rehearsed / PLAN_FILE).read_bytes():
        return f"fabric plan {wanted}"
    named = f" {rehearsed.name}" if len(plans_below(BUILD)) > 1 else ""
    return f"fabric push{named} --dry-run"


@dataclass(frozen=True, slots=True)
class FakeSwitches:
    """A ``Reaching``. ``tell``: lines for who watches; ``faults``: as they were typed."""

    private: Path
    faults: tuple[str, ...]
    tell: Callable[[list[str]], None]

    def leads_nowhere(self, planned: PlannedFabric) -> bool:
        """Fakes are always there."""
        del planned
        return False

    @contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        """The whole fabric as fakes; told at the end is what nothing backs."""
        orders = self._orders(planned)
        from fabric.live.push.looking import Reach  # noqa: PLC0415 - after what may be refused
        from fabric.live.push.means import Means, Waits  # noqa: PLC0415
        from fabric.live.rehearsal.hurry import HurryingClock  # noqa: PLC0415
        from fabric.live.transport.dial import Dialer  # noqa: PLC0415
        from fabric.live.transport.drivers import missing_drivers  # noqa: PLC0415
        from fabric.live.transport.times import Times  # noqa: PLC0415

        specs = {d.name: planned.systems[d.platform].spec for d in planned.wanted}
        with self._fakes(planned) as rehearsal:
            there = _connections(rehearsal, planned)
            refused = missing_drivers(there, specs)
            with Dialer(there, specs, times=Times(factor=_PATIENCE)) as dial:
                placed = [_placed(order, planned, dial) for order in orders if not refused]
                clock = HurryingClock(rehearsal, SECOND_S)
                armourer = ordering.Armourer(rehearsal, placed)
                yield Reach(
                    dial,
                    {name: one.user for name, one in there.items()},
                    refused,
                    listener=armourer,
                    means=Means(clock=clock, waits=Waits(poll_s=_POLL_S)),
                    contacts=self.private / "contacts.jsonl",
                )
            self._told_of(rehearsal, armourer.unmet())

    def _orders(self, planned: PlannedFabric) -> list[Order]:
        names, pushed = (
            [device.name for device in devices]
            for devices in (planned.plan.devices, planned.wanted)
        )
        read = ordering.read_order
        return [_or_usage(partial(read, text, names, pushed)) for text in self.faults]

    @contextmanager
    def _fakes(self, planned: PlannedFabric) -> Iterator[Rehearsal]:
        from contextlib import ExitStack  # noqa: PLC0415

        from fabric.live.rehearsal.control import Rehearsal, ServerProcess  # noqa: PLC0415
        from fabric.live.rehearsal.planned import setup_of  # noqa: PLC0415

        setups = []
        for device in planned.plan.devices:
            model = planned.model(device.name)
            if model is not None and device.platform in planned.systems:
                setups.append(setup_of(model, planned.expected(device).os_versions[-1]))
        count = min(2, -(-len(setups) // _A_PROCESS))
        with ExitStack() as stack:
            servers = tuple(stack.enter_context(ServerProcess()) for _ in range(count))
            rehearsal = Rehearsal(setups, self.private, servers, second_s=SECOND_S)
            self.tell(_greeting(planned, len(setups)))
            yield rehearsal

    def _told_of(self, rehearsal: Rehearsal, unmet: tuple[str, ...]) -> None:
        if unmet:
            self.tell(["", *(f"Fault {one}." for one in unmet)])
        replies = ordering.listed(rehearsal.unsourced())
        if replies:
            title = "Replies of fake switches in words that no transcript or document backs:"
            self.tell(["", title, *(f"  {reply}" for reply in replies)])


def _connections(rehearsal: Rehearsal, planned: PlannedFabric) -> Connections:
    """Of the inventory's ``connection:`` only who speaks at a prompt: fakes have their own keys."""
    policy = planned.design.intent.connection
    fakes = rehearsal.connections
    return {name: replace(made, cli=policy.cli_of(name)) for name, made in fakes.items()}


def _greeting(planned: PlannedFabric, count: int) -> list[str]:
    systems = ", ".join(planned.systems)
    head = f"Rehearsal of {planned.plan.fabric}: {count:,} fake switches ({systems})"
    first = (
        "So this is the first configuration; of a change to switches that are configured already, "
        "`fabric push --dry-run` tells what it does to them."
    )
    return [f"{head} on 127.0.0.1, as they ship. No real switch is spoken to.", first]


def _placed(order: Order, planned: PlannedFabric, dial: Dialer) -> Order:
    if order.at_once:
        return order
    return _or_usage(lambda: ordering.placed(order, _steps(order.device, planned, dial)))


def _steps(name: str, planned: PlannedFabric, dial: Dialer) -> list[Step]:
    """All that the device may go through, of its procedure's own lists."""
    from fabric.live.push.carry import Line  # noqa: PLC0415
    from fabric.live.push.looking import Request  # noqa: PLC0415
    from fabric.live.push.means import Stop  # noqa: PLC0415
    from fabric.model.push import Job  # noqa: PLC0415

    device = next(one for one in planned.wanted if one.name == name)
    system = planned.systems[device.platform]
    line = Line(name, dial, Stop())
    try:
        identity = line.ask(system.preview.identify())
        before = line.ask(system.preview.running())
    finally:
        line.close()
    target = system.preview.target(before, planned.rendered(name))
    job = Job(planned.push_id, name, "", before, target, Request().timer_s, identity)
    commit = system.commit
    forth = (*commit.apply(job), *commit.confirm(job), *commit.save(job))
    back = (commit.restore(job, pending=pending, saving=True) for pending in (True, False))
    return [*forth, *(step for steps in back for step in steps)]


def _or_usage(work: Callable[[], Order]) -> Order:
    try:
        return work()
    except ordering.OrderError as error:
        raise UsageError(str(error), error.fix) from None
