"""What became of the pushes of a fabric: where each device stands, open timers, what next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.push.change import ChangeError, read_change
from fabric.live.push.ending import results
from fabric.live.push.journal import JournalError, read
from fabric.live.push.lock import holder
from fabric.live.push.open_pushes import begun, closed
from fabric.live.push.standing import CONFIRM, Standings
from fabric.model.push_change import Outcome
from fabric.model.push_status import DeviceStatus, PushStatus

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from fabric.live.push.folder import PushFolder
    from fabric.live.push.journal import Recorded
    from fabric.model.push_change import Change, StepResult

_RUNNING = "is running"
_WORDS = {
    "closed": "is over",
    "unfinished": "is over, but a device is not as it should be",
    "interrupted": "was stopped and is open",
}
_CUT = "was cut off and is open"


def fabrics(state: Path) -> tuple[str, ...]:
    """Fabrics that were pushed to from here."""
    return tuple(sorted(path.parent.name for path in state.glob("*/pushes") if path.is_dir()))


def push_statuses(pushes: Path, now: float) -> Iterator[PushStatus]:
    """Pushes that were begun, the last one first; one whose journal is damaged is told as that."""
    for folder in begun(pushes):
        try:
            recorded = read(folder.journal)
        except JournalError as error:
            yield _damaged(pushes.parent, folder, error)
            continue
        if recorded.records:
            yield _status(pushes.parent, folder, recorded, now)


def _damaged(fabric: Path, folder: PushFolder, error: JournalError) -> PushStatus:
    last = folder.journal.stat().st_mtime
    return PushStatus(
        push=folder.path.name,
        fabric=fabric.name,
        state="cannot be read: its journal is damaged",
        open=not closed(folder),
        began_at=last,
        last_at=last,
        owner="",
        message=f"{error.rule}: {error}; {error.fix}",
        devices=(),
        next=("fabric status --all",),
    )


def _status(fabric: Path, folder: PushFolder, recorded: Recorded, now: float) -> PushStatus:
    standings, name = Standings.of(recorded.records), folder.path.name
    owner = holder(fabric)
    running = owner is not None and owner.push == name
    change = _change(folder)
    word = _WORDS.get(standings.push.status, _CUT)
    return PushStatus(
        push=name,
        fabric=fabric.name,
        state=_RUNNING if running else word,
        open=running or standings.push.open,
        began_at=recorded.records[0].at,
        last_at=recorded.records[-1].at,
        owner=str(owner) if running else "",
        message=standings.push.message if standings.push.status != "begins" else "",
        devices=tuple(_devices(change, standings, now, running=running)),
        next=_next(standings, running=running, back=bool(folder.rollback_of)),
        rollback_of=folder.rollback_of,
    )


def _change(folder: PushFolder) -> Change | None:
    try:
        return read_change(folder.change.read_text(encoding="utf-8"))
    except (OSError, ChangeError):
        return None


def _devices(
    change: Change | None, standings: Standings, now: float, *, running: bool
) -> Iterator[DeviceStatus]:
    timer_s = change.timer_s if change else 0
    known = {r.device: r for r in results(change, standings, "")} if change else {}
    for device in known or standings.devices:
        standing, result = standings[device], known.get(device)
        outcome = result.outcome.value if result else "unknown"
        began = standing.result is None and standing.phase != ""
        if running and began:
            outcome = "in work"
        elif began and not standing.restored:
            outcome = "open"
        elif standings.push.open and _to_come(result):
            outcome = "not begun"
        timed = standing.timed and standing.armed_at is not None and CONFIRM not in standing.done
        left = round(standing.armed_at + timer_s - now) if timed and standing.armed_at else None
        message = result.message if result else ""
        yield DeviceStatus(
            device, outcome, standing.phase, standing.step, message, left if timed else None
        )


def _to_come(result: StepResult | None) -> bool:
    """Nothing was said of the device yet."""
    return result is not None and result.outcome is Outcome.SKIPPED and not result.cause


def _next(standings: Standings, *, running: bool, back: bool) -> tuple[str, ...]:
    """``back``: it is a rollback, and to go back behind one would be to change all again."""
    if running:
        return ("fabric status",)
    if standings.push.unended:
        return ("fabric push --resume",)
    changed = any(
        s.result and s.result.outcome is Outcome.CHANGED for s in standings.devices.values()
    )
    return ("fabric rollback --dry-run",) if changed and not back else ("fabric push --dry-run",)
