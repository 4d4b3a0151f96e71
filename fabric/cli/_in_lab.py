"""A push to a running lab: the same push, to namespaces of this machine instead of switches."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabric.cli._push_show import Asked
    from fabric.live.lab.layout import Layout
    from fabric.live.push.looking import Reach
    from fabric.live.push.planned import PlannedFabric

LabOption = Annotated[
    str | None,
    typer.Option(
        "--lab",
        metavar="LAB",
        help="To this running lab (docs/lab.md), by name or inventory; to no switch.",
    ),
]
FRR = "frr"
ROOT = "root"  # the plan's files other than frr.conf are root's to change
# In seconds. Nobody waits ten minutes in a lab; the gate, which waits for BGP, must end before.
TIMER_S = 120
BGP_S = 60.0


def lab_of(word: str) -> str:
    """The name of a lab that is up.

    Raises:
        UsageError: we are not root, or there is no such lab.
        InputError: an inventory was named that cannot be honoured.
    """
    from fabric.cli.lab._asking import as_root, lab_name, told  # noqa: PLC0415 - with a lab alone
    from fabric.live.lab import find  # noqa: PLC0415

    as_root()  # the keys and the state of labs are root's alone
    name = lab_name(word, None)
    with told():
        find.running(name)
    return name


def kept_in(lab: str) -> Path:
    """The folder in which pushes to a lab keep their state."""
    from fabric.live.lab import state  # noqa: PLC0415 - with a lab alone

    return state.pushes(lab)


def in_lab(asked: Asked, lab: str) -> Asked:
    """What was asked for, in a lab that is up.

    What is known of its pushes lies with the lab and goes with it: a checkpoint of a namespace is
    nothing to go back to on a switch.
    """
    return replace(
        asked,
        lab=lab,
        state=kept_in(lab),
        request=replace(asked.request, timer_s=TIMER_S),
    )


@dataclass(frozen=True, slots=True)
class LabReach:
    """SSH to the switches of a lab, by the lab's own addresses and keys.

    Of the inventory neither ``management`` nor ``connection`` is looked at. A first contact with a
    lab is remembered apart: it does not count for a switch.
    """

    lab: str

    def leads_nowhere(self, _planned: PlannedFabric) -> bool:
        """A lab has addresses."""
        return False

    @contextmanager
    def open(self, planned: PlannedFabric) -> Iterator[Reach]:
        """Sessions by device.

        Raises:
            UsageError: the plan is none that this lab can take.
        """
        from fabric.cli.lab._asking import told  # noqa: PLC0415 - with a lab alone
        from fabric.live.lab import find  # noqa: PLC0415
        from fabric.live.push.contacts import contacts_file  # noqa: PLC0415
        from fabric.live.push.looking import Reach  # noqa: PLC0415
        from fabric.live.push.means import Means, Waits  # noqa: PLC0415
        from fabric.live.transport.dial import Dialer  # noqa: PLC0415

        with told():
            layout = find.running(self.lab).layout
        _fits(layout, planned)
        wanted = {device.name for device in planned.wanted}
        found = {
            name: replace(to, user=ROOT)
            for name, to in find.connections(layout).items()
            if name in wanted
        }
        specs = dict.fromkeys(found, planned.systems[FRR].spec)
        with Dialer(found, specs) as dial:
            yield Reach(
                dial,
                {name: one.user for name, one in found.items()},
                means=Means(waits=Waits(bgp_s=BGP_S)),
                contacts=contacts_file().with_name("lab-contacts.jsonl"),
            )


def _fits(layout: Layout, planned: PlannedFabric) -> None:
    """The lab is that of the plan's fabric, and the plan is in words that its switches read.

    Raises:
        UsageError: it is not.
    """
    fabric = planned.plan.fabric
    if layout.fabric != fabric:
        msg = f"lab {layout.name} is one of {layout.fabric}, the plan is of {fabric}"
        raise UsageError(msg, "`fabric lab up` with the plan's inventory, or another plan")
    others = [device for device in planned.wanted if device.platform != FRR]
    if others:
        first = f"{others[0].name} ({others[0].platform})"
        msg = (
            f"{len(others)} devices are planned for other systems: {first} …; FRR stands in for "
            "them in a lab, and takes no other system's text"
        )
        raise UsageError(msg, "`platform: frr` in a copy of the inventory, or `fabric rehearse`")
    names = {node.name for node in layout.switches}
    strange = [device.name for device in planned.wanted if device.name not in names]
    if strange:
        msg = f"lab {layout.name} has no switch {', '.join(strange[:8])}: the plan has grown since"
        raise UsageError(msg, "take the lab down and up again")
