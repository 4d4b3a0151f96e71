"""``push``: carry out an approved Change. ``resume``: bring one to an end that was cut off."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from fabric.live.push import contacts as contacts_room
from fabric.live.push.course import AbortError, Course, brief
from fabric.live.push.ending import exit_code, results
from fabric.live.push.first import DeclinedError, first_contacts
from fabric.live.push.folder import PushFolder
from fabric.live.push.journal import Journal, JournalError, Record
from fabric.live.push.lock import HELD, STALE, LockedError, holder, locked, owner
from fabric.live.push.log import Log
from fabric.live.push.means import HardStop, Means, SoftStop
from fabric.live.push.open_pushes import open_push, standings
from fabric.live.push.standing import INTERRUPTED
from fabric.live.push.terms import Report
from fabric.model.push_change import Event, Outcome

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import FrameType

    from fabric.live.push.means import Stop
    from fabric.live.push.terms import Options, Prepared
    from fabric.live.transport.session import Dial

NOTHING_OPEN, OFFLINE, LEFT_THE_PLAN = "RCE942", "RCE946", "RCE948"
_T = TypeVar("_T")
_STOPPING = "devices in flight are brought to an end; Ctrl-C again stops hard"
_HALF = "the last line of the journal was half-written; what it meant is found out at the device"
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class PushError(Exception):
    """Refused before any device is touched; ``rule`` and ``fix`` for the user."""

    def __init__(self, rule: str, message: str, fix: str) -> None:
        super().__init__(message)
        self.rule, self.fix = rule, fix


def push(  # noqa: PLR0913 - what a push needs
    prepared: Prepared,
    *,
    dial: Dial,
    observer: Callable[[Event], None],
    options: Options,
    means: Means | None = None,
    contacts: Path | None = None,
) -> Report:
    """Carry out an approved Change, from its first device to its last.

    ``contacts``: the file that says which systems were pushed to before.

    Raises:
        PushError: refused, nothing was begun (also: locked, a push is open, damaged journal).
    """
    if _told(lambda: standings(prepared.folder)).push.status:
        msg = f"push {prepared.folder.path.name} was begun already"
        raise PushError(STALE, msg, "`fabric push --resume` brings it to its end")
    return _started(prepared, dial, observer, options, means or Means(), contacts)


def resume(  # noqa: PLR0913 - as push
    prepared: Prepared,
    *,
    dial: Dial,
    observer: Callable[[Event], None],
    options: Options,
    means: Means | None = None,
    contacts: Path | None = None,
) -> Report:
    """Complete or restore a push that was cut off; nothing is done twice.

    Raises:
        PushError: there is nothing to resume, or it is refused as in :func:`push`.
    """
    standing = _told(lambda: standings(prepared.folder)).push
    if not standing.unended:
        msg = f"push {prepared.folder.path.name} is at its end; nothing is open"
        raise PushError(NOTHING_OPEN, msg, "`fabric status` shows how each device ended")
    return _started(prepared, dial, observer, options, means or Means(), contacts)


def _told(work: Callable[[], _T]) -> _T:
    try:
        return work()
    except (JournalError, LockedError) as error:
        raise PushError(error.rule, str(error), error.fix) from None


def _started(  # noqa: PLR0913, PLR0917 - as push
    prepared: Prepared,
    dial: Dial,
    observer: Callable[[Event], None],
    options: Options,
    means: Means,
    contacts: Path | None,
) -> Report:
    if prepared.change.offline:
        msg = "this Change was made offline: nothing was read from the devices"
        raise PushError(OFFLINE, msg, "make one with the devices in reach: `fabric push`")
    if prepared.left_the_plan:
        names = ", ".join(prepared.left_the_plan)
        msg = f"push {prepared.folder.path.name} is of {names}, which the plan no longer names"
        fix = "put it back into the inventory as it was, `fabric plan`, then this command again"
        raise PushError(LEFT_THE_PLAN, msg, fix)
    pushes = prepared.folder.path.parent
    try:
        _no_other_open(pushes, prepared.folder.path)
        take_over = _left_nothing_open(pushes, prepared)
        with locked(
            pushes.parent, prepared.folder.path.name, take_over=take_over, now=means.clock.now()
        ):
            # Again, now that nobody else can begin one.
            _no_other_open(pushes, prepared.folder.path)
            known = standings(prepared.folder)
            journal = Journal(prepared.folder.journal)
            log = Log(journal, known, observer, means.clock)
            means = replace(means, waits=means.waits.scaled(options.time_factor))
            if journal.half_line:
                log.tell(Event("push", status="journal", message=_HALF))
            course = Course(prepared, dial, log, options, means)
            try:
                return _run(course, contacts or contacts_room.contacts_file())
            finally:
                journal.close()
    except (JournalError, LockedError) as error:
        raise PushError(error.rule, str(error), error.fix) from None


def refuse_while_open(pushes: Path) -> None:
    """Before any device is looked at, for a push that is not begun yet.

    Raises:
        PushError: another push of the fabric is going on, or was cut off.
    """
    _told(lambda: _no_other_open(pushes, None))


def _no_other_open(pushes: Path, mine: Path | None) -> None:
    other = open_push(pushes)
    if other is None or other.path == mine:
        return
    running = holder(pushes.parent)
    if running is not None:
        msg = f"{pushes.parent.name} is being pushed to by {running}"
        raise PushError(HELD, msg, "wait for its end; `fabric status` shows how far it is")
    msg = f"push {other.path.name} of this fabric was cut off and is open"
    raise PushError(STALE, msg, "`fabric push --resume` finishes or restores it")


def _left_nothing_open(pushes: Path, prepared: Prepared) -> bool:
    """Whether a lock that a dead process left may be taken over: its push is over, or this one."""
    left = owner(pushes.parent)
    if left is None or left.push == prepared.folder.path.name:
        return True
    return not standings(PushFolder(pushes / left.push)).push.open


def _run(course: Course, contacts: Path) -> Report:
    log, stop = course.log, course.means.stop
    again = log.standings.push.status != ""
    failed = _failed_before(course)
    log.write(
        Record("push", "resumed" if again else "begins", message=course.prepared.change.sha256)
    )
    message, skipped = "", ""
    try:
        stop.on_first = lambda: log.tell(Event("push", status="stopping", message=_STOPPING))
        with _signals(stop):
            message, skipped = _to_the_end(course, contacts, failed)
    except HardStop:
        log.write(Record("push", INTERRUPTED, message="stopped hard"), must=False)
        report = _report(course, "stopped hard; nothing was brought to an end", "stopped")
        return replace(report, interrupted=True, hard=True)
    interrupted = skipped == INTERRUPTED
    report = replace(_report(course, message, skipped), interrupted=interrupted)
    _close(course, report)
    return report


def _failed_before(course: Course) -> str:
    """Why everything goes back, if an earlier process came as far as that."""
    standings = course.log.standings
    if standings.push.aborting:
        return standings.push.aborting
    bad = standings.failed(course.numbers)
    return brief(bad) if bad else ""


def _to_the_end(course: Course, contacts: Path, failed: str) -> tuple[str, str]:
    """All of it; why it ended early, and why the rest was not begun."""
    log, order = course.log, list(course.numbers)
    try:
        if failed:
            raise AbortError(failed)  # noqa: TRY301 - the same way out as in the first process
        first_contacts(course, contacts)
        course.waves()
    except AbortError as error:
        log.write(Record("push", "aborting", message=str(error)), must=False)
        course.take_back(order, f"everything goes back, because of {error}", "aborted")
        return f"aborted: {error}", "the push was aborted"
    except SoftStop:
        mine = [d for d in order if not log.standings[d].over]
        course.take_back(mine, "taken back, because the push was stopped", INTERRUPTED)
        return "stopped, and what was not finished was taken back", INTERRUPTED
    except DeclinedError:
        return "ended after the first contact, as answered", "ended after the first contact"
    return "", ""


def _report(course: Course, message: str, skipped: str) -> Report:
    told = results(course.prepared.change, course.log.standings, skipped)
    trouble = course.log.trouble
    return Report(tuple(told), "; ".join(part for part in (message, trouble) if part))


def _close(course: Course, report: Report) -> None:
    """Write the end, or that there is none yet: see ``PushStanding``."""
    lost = any(r.outcome in {Outcome.NOT_RESTORED, Outcome.UNKNOWN} for r in report.results)
    status = INTERRUPTED if report.interrupted else "unfinished" if lost else "closed"
    text = f"{report.message or 'every device of the Change is done'}; exit {exit_code(report)}"
    course.log.write(Record("push", status, message=text), must=False)


@contextmanager
def _signals(stop: Stop) -> Iterator[None]:
    """Ctrl-C asks to stop; a second one stops hard. Only the main thread can be told."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ask(_number: int, _frame: FrameType | None) -> None:
        stop.ask()

    before = {number: signal.signal(number, ask) for number in _SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
