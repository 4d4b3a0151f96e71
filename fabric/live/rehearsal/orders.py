"""Faults that are ordered for a step of a device: ``KIND@DEVICE[:STEP]``, armed when it begins."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.live.rehearsal.faults import KINDS, LASTING, Fault
from fabric.model.push import Effect

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from fabric.live.rehearsal.control import Rehearsal
    from fabric.model.push import Step
    from fabric.model.push_change import Event

# At the first step that goes so far; a kind that is not named here is armed before the first look.
_FROM = {
    "reject": Effect.STAGES,
    "disk-full": Effect.STAGES,
    "drop": Effect.RUNS,
    "reboot": Effect.RUNS,
}


class OrderError(ValueError):
    """An order that names nothing that there is; ``fix`` says what there is."""

    def __init__(self, message: str, fix: str) -> None:
        super().__init__(message)
        self.fix = fix


@dataclass(frozen=True, slots=True)
class Order:
    """``step`` empty: the first that fits the kind; ``chosen``: that was looked up, not named."""

    kind: str
    device: str
    step: str = ""
    chosen: bool = False

    def __str__(self) -> str:
        return f"{self.kind}@{self.device}" + (f":{self.step}" if self.step else "")

    @property
    def fault(self) -> Fault:
        """What is armed: once, or until the end where the kind lasts; a named step meets it."""
        named = bool(self.step) and not self.chosen
        return Fault(self.kind, count=0 if self.kind in LASTING else 1, anything=named)

    @property
    def at_once(self) -> bool:
        """Whether it is armed before the first look at the device."""
        return not self.step and self.kind not in _FROM


def read_order(text: str, devices: Collection[str], pushed: Collection[str]) -> Order:
    """An order as it was typed. ``pushed``: those of the devices that take part.

    Raises:
        OrderError: it has another form, or there is no such kind or device, or not in this push.
    """
    kind, at, rest = text.partition("@")
    device, colon, step = rest.partition(":")
    if not at or not device or (colon and not step):
        msg = f"--fault {text}: KIND@DEVICE or KIND@DEVICE:STEP is expected"
        raise OrderError(msg, f"kinds: {', '.join(KINDS)}")
    _known(kind, KINDS, f"--fault {text}: there is no fault", "kinds")
    _known(device, devices, f"--fault {text}: there is no device", "devices")
    if device not in pushed:
        msg = f"--fault {text}: {device} is not part of this push"
        raise OrderError(msg, f"add --device {device}")
    return Order(kind, device, step)


def placed(order: Order, steps: Sequence[Step]) -> Order:
    """The order with the step that it is armed at, of all that the device may go through.

    Raises:
        OrderError: there is no such step, or none that fits the kind.
    """
    if order.at_once:
        return order
    names = list(dict.fromkeys(step.name for step in steps))
    if order.step:
        title = f"{order.device} has no step"
        _known(order.step, names, title, "steps")
        return order
    least = _FROM[order.kind]
    first = next((step.name for step in steps if step.effect >= least), "")
    if not first:
        msg = f"--fault {order.kind}@{order.device}: no step of it can fail so"
        raise OrderError(msg, f"steps: {', '.join(names) or 'none, nothing changes there'}")
    return Order(order.kind, order.device, first, chosen=True)


def _known(name: str, known: Collection[str], title: str, what: str) -> None:
    if name in known:
        return
    close = difflib.get_close_matches(name, known, 1)
    fix = f"did you mean {close[0]}?" if close else f"{what}: {', '.join(known)}"
    msg = f"{title} {name!r}"
    raise OrderError(msg, fix)


class Armourer:
    """Arms each order once, when its step begins; told of every event of the push."""

    def __init__(self, rehearsal: Rehearsal, orders: Iterable[Order]) -> None:
        self._rehearsal = rehearsal
        self._open: list[Order] = []
        self._armed: list[Order] = []
        for order in orders:
            if order.at_once:
                self._arm(order)
            else:
                self._open.append(order)

    def __call__(self, event: Event) -> None:
        """A step begins."""
        if (event.event, event.status) != ("step", "begins"):
            return
        for order in [o for o in self._open if (o.device, o.step) == (event.device, event.step)]:
            self._open.remove(order)
            self._arm(order)

    def _arm(self, order: Order) -> None:
        self._armed.append(order)
        self._rehearsal.arm(order.device, order.fault)

    def unmet(self) -> tuple[str, ...]:
        """Orders that nothing came of, each with why; of lasting ones that cannot be known."""
        waiting = [
            f"{order} was not met: the step {order.step!r} did not begin there"
            for order in self._open
        ]
        armed = [
            f"{order} was not met: nothing came that it fits"
            for order in self._armed
            if order.kind not in LASTING and order.kind in self._rehearsal.armed(order.device)
        ]
        return (*waiting, *armed)


def listed(unsourced: Mapping[str, Collection[str]]) -> tuple[str, ...]:
    """Replies that nothing backs, each once, whichever device gave it."""
    return tuple(sorted({reply for replies in unsourced.values() for reply in replies}))
