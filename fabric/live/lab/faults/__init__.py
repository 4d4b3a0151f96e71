"""Faults on purpose, each of which can be taken out again: what push and verify are tried on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.live.lab import find, state
from fabric.live.lab.errors import lab_error
from fabric.live.lab.faults import access, links, routing

if TYPE_CHECKING:
    from fabric.live.lab.faults.kind import Fault

FAULTS: dict[str, Fault] = {
    fault.word: fault for fault in (*links.FAULTS, *routing.FAULTS, *access.FAULTS)
}


def _fault(word: str, targets: tuple[str, ...]) -> Fault:
    fault = FAULTS.get(word)
    if fault is None:
        msg = f"there is no fault {word}"
        raise lab_error(msg, f"known are {', '.join(FAULTS)}")
    if len(targets) not in fault.counts:
        msg = f"{word} takes {fault.takes}, not {len(targets)} words"
        raise lab_error(msg, f"as in: fabric lab fault INVENTORY {word} {fault.takes}")
    return fault


def inject(name: str, word: str, targets: tuple[str, ...]) -> None:
    """Put a fault into a lab; it is written down first, so that it can always be taken out.

    Raises:
        LabError: no such lab, fault or target, or the fault is in force already.
        ProgramError: it could not be done.
    """
    known = find.running(name)
    fault = _fault(word, targets)
    fault.check(known.layout, targets)
    if (word, targets) in known.faults:
        msg = f"{word} {' '.join(targets)} is in force already"
        raise lab_error(msg, "--repair takes it out")
    if fault.repair is not None:
        state.write(replace(known, faults=(*known.faults, (word, targets))))
    fault.inject(known.layout, targets)


def repair(name: str, word: str, targets: tuple[str, ...]) -> None:
    """Take a fault out.

    Raises:
        LabError: it is not in force.
        ProgramError: it could not be done; it is still written down.
    """
    known = find.running(name)
    fault = _fault(word, targets)
    if fault.repair is None:
        msg = f"{word} is over when it has happened: there is nothing to repair"
        raise lab_error(msg)
    if (word, targets) not in known.faults:
        listed = [" ".join((other, *words)) for other, words in known.faults]
        msg = f"{word} {' '.join(targets)} is not in force"
        raise lab_error(msg, f"in force: {'; '.join(listed) or 'none'}")
    fault.repair(known.layout, targets)
    left = tuple(one for one in known.faults if one != (word, targets))
    state.write(replace(known, faults=left))


def clear(name: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Take all faults out, the last one first; returns them.

    Raises:
        LabError: no such lab.
        ProgramError: one could not be taken out; it and those before it are still written down.
    """
    faults = find.running(name).faults
    for word, targets in reversed(faults):
        repair(name, word, targets)
    return faults
