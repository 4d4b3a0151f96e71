"""First contact: a system that this installation never pushed to is changed on one device first.

Change, read-back, the device's own timer takes it back, read-back; change, read-back, we take it
back, read-back; then change for good. Only then are the other devices of that system begun.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.push import contacts
from fabric.live.push import device as at_device
from fabric.live.push.course import AbortError
from fabric.live.push.journal import Record
from fabric.live.push.means import SoftStop
from fabric.live.push.restore import brought_back
from fabric.live.push.standing import RESTORE
from fabric.model.push import TimerClass
from fabric.model.push_change import Event, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from fabric.live.push.course import Course
    from fabric.live.push.unit import Unit
    from fabric.model.push_change import DeviceTarget, StepResult

CAUSE = "first contact"


class DeclinedError(Exception):
    """The user does not want the rest, now."""


def first_contacts(course: Course, path: Path) -> None:
    """One device of each system that is new here, then the question whether to go on.

    Raises:
        AbortError: it failed on a device.
        SoftStop: the user asked to stop.
        DeclinedError: the user said no.
    """
    tried: list[str] = []
    for (platform, version), device in _unknown(course, contacts.known(path)).items():
        if course.log.standings[device].over:  # a process before us ended in between
            _keep(course, path, device, proven=False)
            continue
        text = f"first contact with {platform} {version}: {device} alone, on trial before for good"
        _tell(course, device, "begins", text)
        # Giving up the timer began: an earlier process made the rounds.
        again = course.log.standings[device].confirming
        proven = not again and _rounds(course, device)
        course.wave([device])
        _keep(course, path, device, proven=proven)
        tried.append(f"{device} ({platform} {version})")
    rest = [d for d in course.numbers if not course.log.standings[d].over]
    if tried and rest:
        question = (
            f"First contact was made with {', '.join(tried)}: changed, read back, taken back, "
            f"changed again. Go on with the other {len(rest):,} devices?"
        )
        if not _agreed(course, question):
            raise DeclinedError


def _agreed(course: Course, question: str) -> bool:
    stop = course.means.stop
    stop.asking = True
    try:
        return course.options.go_on(question)
    except (KeyboardInterrupt, EOFError):
        stop.ask_softly()
        raise SoftStop from None
    finally:
        stop.asking = False


def _unknown(course: Course, known: frozenset[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """System and version → the device to begin with: one that was begun already, else the first."""
    found: dict[tuple[str, str], str] = {}
    for device in course.numbers:
        target = course.targets[device]
        key = (target.platform, target.os_version)
        standing = course.log.standings[device]
        if key not in known and (key not in found or standing.touched):
            found[key] = device
    return found


def _rounds(course: Course, device: str) -> bool:
    """Change and take back, by the device's timer and by us; whether the timer was seen at work."""
    system = course.prepared.systems[course.targets[device].platform]
    timed = course.means.prove_timer and system.commit.timer is not TimerClass.NONE
    of = 3 if timed else 2
    if timed:
        _tell(course, device, "round", f"round 1 of {of}: changed, for its own timer to take back")
        course.applied_and_judged([device])
        _one(course, device, at_device.wait_out)
        _one(course, device, _back)
        _tell(course, device, "round", f"round 1 of {of}: its own timer took the change back")
    _tell(course, device, "round", f"round {of - 1} of {of}: changed, for us to take back")
    course.applied_and_judged([device])
    _one(course, device, _back)
    _tell(course, device, "round", f"round {of - 1} of {of}: taken back, it is as before")
    _tell(course, device, "round", f"round {of} of {of}: changed for good")
    return timed


def _tell(course: Course, device: str, status: str, text: str) -> None:
    wave = course.numbers[device]
    course.log.tell(Event("contact", device, wave, status=status, message=text))


def _one(course: Course, device: str, work: Callable[[Unit], StepResult | None]) -> None:
    results = course.on_all(work, [device], begin_all=True)
    if results:
        raise AbortError(results[0].message.partition("\n")[0])
    if course.means.stop.soft:
        raise SoftStop


def _back(unit: Unit) -> StepResult | None:
    """Take it back and see that it is; that is no failure here, so nothing ends."""
    result = brought_back(unit, unit.standing.step, f"{unit.device}: {CAUSE}", CAUSE)
    unit.line.close()
    if result.outcome is Outcome.RESTORED:
        return None
    return unit.phase(RESTORE).result(result)


def _keep(course: Course, path: Path, device: str, *, proven: bool) -> None:
    target: DeviceTarget = course.targets[device]
    fabric, now = course.prepared.change.fabric, course.means.clock.now()
    contact = contacts.Contact(
        target.platform, target.os_version, device, fabric, proven, round(now)
    )
    try:
        contacts.record(path, contact)
    except OSError as error:
        course.log.trouble = course.log.trouble or f"first contact not recorded: {error}"
    text = f"first contact with {target.platform} {target.os_version} is made"
    record = Record("contact", "done", device, course.numbers[device], message=text)
    course.log.write(record, must=False)
