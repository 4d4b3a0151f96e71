"""One device looked at: what it is, what it runs, what would change. Nothing is put in force.

Handed a ``Preview`` alone; what it lays down on the device it takes away again.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from fabric.changing.section_preview import STARTUP
from fabric.live.push.asking import ask, lay_down
from fabric.live.push.folder import BEFORE, CANDIDATE, TARGET
from fabric.live.push.guard import lost_words, swallowed, told, touched
from fabric.live.push.identity import mismatches
from fabric.live.push.masking import masked
from fabric.live.transport.errors import DeviceError
from fabric.model.push import Difference, Job, RenderedError, ReplyError
from fabric.model.push_change import DeviceTarget, Refused

if TYPE_CHECKING:
    from fabric.changing.procedure import Preview
    from fabric.live.push.folder import PushFolder
    from fabric.live.push.identity import Expected
    from fabric.live.transport.session import Dial, Session
    from fabric.model.push import Files, Identity


class Describe(Protocol):
    """Puts a change into words (``describe.described``), for one device."""

    def __call__(self, job: Job, diff: tuple[str, ...]) -> DeviceTarget:
        """What would become of the device, with empty digests."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A device to look at. ``rendered``: the planned text. ``protected``: of its ``PushSpec``.

    ``push_id``: of the push whose commands are told. ``look_id``: what this look lays down bears
    it, so that taking it away touches nothing of a push, nor of another look.
    """

    name: str
    address: str
    user: str
    push_id: str
    look_id: str
    timer_s: int
    expected: Expected
    rendered: Files
    protected: tuple[str, ...]
    way_out: str  # what to do where the target changes a protected line


class RefusedError(Exception):
    """The device is not pushed to; says why."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused.message)
        self.refused = refused


def survey(
    subject: Subject, preview: Preview, dial: Dial, keep: PushFolder, describe: Describe
) -> DeviceTarget:
    """Read a device and compare; its texts go to the disk.

    Raises:
        RefusedError: it is not the planned device, somebody holds it, or the candidate is wrong.
        DeviceError: it could not be asked.
    """
    session = dial(subject.name)
    try:
        identity = _identified(session, subject, preview)
        before = ask(session, preview.running())
        target = _target(subject, preview, before)
        old, new = preview.canonical(before), preview.canonical(target)
        keep.keep(subject.name, BEFORE, before)
        keep.keep(subject.name, TARGET, target)
        keep.keep_identity(subject.name, identity)
        job = _job(subject, before, target, identity)
        ours = replace(job, push_id=subject.look_id)
        found = Difference(()) if old == new else _difference(ours, preview, session, dial)
        if found.candidate is not None:
            keep.keep(subject.name, CANDIDATE, found.candidate)
    finally:
        session.close()
    _as_the_device_says(subject, preview, before, found)
    return replace(
        describe(job, found.lines), before_sha256=_digest(old), target_sha256=_digest(new)
    )


def _identified(session: Session, subject: Subject, preview: Preview) -> Identity:
    identity = ask(session, preview.identify())
    wrong = mismatches(identity, subject.expected)
    if wrong:
        at = f" at {subject.address}" if subject.address else ""
        message = f"{subject.name}: what answers{at} is not the planned device: "
        fix = "mend the management address or the hardware in the inventory, and plan again"
        raise RefusedError(Refused(subject.name, "RCE918", message + "; ".join(wrong), fix))
    holder = ask(session, preview.holder())
    if holder:
        message = f"{subject.name}: the configuration is held by somebody else: {holder}"
        fix = "ask them to commit or discard; nothing of theirs is touched"
        raise RefusedError(Refused(subject.name, "RCE919", message, fix))
    return identity


def _target(subject: Subject, preview: Preview, before: Files) -> Files:
    try:
        target = preview.target(before, subject.rendered)
    except RenderedError as error:
        message = f"{subject.name}: the plan's text would lose a line: {error}"
        fix = "write it as the rest of the text is: correct `extra` or the template, and plan again"
        raise RefusedError(Refused(subject.name, "RCE923", message, fix)) from None
    except ReplyError as error:
        message = f"{subject.name}: its running configuration cannot be merged: {error}"
        fix = "look at that part of the configuration on the device"
        raise RefusedError(Refused(subject.name, "RCE923", message, fix)) from None
    try:
        cut_off(subject, preview, before, target)
    except RefusedError:
        other = _boots_what_runs(before, target)
        if other == target:
            raise
        cut_off(subject, preview, before, other)
        return other
    return target


def _boots_what_runs(before: Files, target: Files) -> Files:
    """The target with what it shall run as what it boots from, where it says both.

    When a rollback goes back to lines that let us in and were not saved then, the switch would
    boot without them; so they are saved. Systems with sections save what runs in any case.
    """
    found = dict(target)
    for name, text in target.items():
        if name == STARTUP:
            found[name] = before.get(name, text)
        elif name.startswith(f"{STARTUP} "):
            found[name] = target.get(name.removeprefix(f"{STARTUP} "), text)
    return found


def cut_off(subject: Subject, preview: Preview, before: Files, target: Files) -> None:
    """Look for what would lock us out.

    Raises:
        RefusedError: protected lines change, or the management address or our user goes.
    """
    in_words = _told(subject, preview.differences(before, target))
    lines = touched(before, target, subject.protected) or in_words
    _refuse(subject, lines, lost_words(before, target, _ways_in(subject)))


def _as_the_device_says(
    subject: Subject, preview: Preview, before: Files, found: Difference
) -> None:
    """The same of what the device makes of the target: a line can take more away than it says.

    Raises:
        RefusedError: as of ``cut_off``.
    """
    lines = _told(subject, found.lines)
    words: tuple[str, ...] = ()
    if found.candidate is not None:
        lines = lines or _told(subject, preview.differences(before, found.candidate))
        same = {name: text for name, text in before.items() if name in found.candidate}
        words = lost_words(same, found.candidate, _ways_in(subject))
    _refuse(subject, lines, words)


def _told(subject: Subject, diff: tuple[str, ...]) -> tuple[str, ...]:
    return told(diff, subject.protected) or swallowed(diff, subject.address)


def _ways_in(subject: Subject) -> tuple[str, ...]:
    return tuple(filter(None, (subject.address, subject.user)))


def _refuse(subject: Subject, lines: tuple[str, ...], words: tuple[str, ...]) -> None:
    if not lines and not words:
        return
    some = [f"{line[0]}{_quoted(line[1:])}" for line in lines[:3]]
    some += [f"{word} is gone" for word in words]
    rest = f", and {len(lines) - 3:,} more" if len(lines) > len(some) else ""
    message = f"{subject.name}: the candidate changes what lets us in: {', '.join(some)}{rest}"
    raise RefusedError(Refused(subject.name, "RCE920", message, subject.way_out))


def _quoted(path: str) -> str:
    """The place and name of a line, without its values: they may be secret."""
    *above, line = masked((path,))[0].split(" > ")
    return " > ".join((*above, " ".join(line.split()[:2]) + (" …" if " " in line else "")))


def _job(subject: Subject, before: Files, target: Files, identity: Identity) -> Job:
    return Job(
        push_id=subject.push_id,
        device=subject.name,
        user=subject.user,
        before=before,
        target=target,
        timer_s=subject.timer_s,
        identity=identity,
    )


def _difference(job: Job, preview: Preview, session: Session, dial: Dial) -> Difference:
    """What the staged target would change; the candidate is taken away, whatever happens."""
    try:
        lay_down(session, preview.stage(job))
        diff = ask(session, preview.difference(job))
        lay_down(session, preview.discard(job))
    except DeviceError as error:
        session.close()  # who knows in which mode it is
        _clean(job, preview, dial, error)
        raise
    return diff


def _clean(job: Job, preview: Preview, dial: Dial, first: DeviceError) -> None:
    """Take away what a failure left behind, with a session of its own.

    Raises:
        DeviceError: that failed too.
    """
    try:
        session = dial(job.device)
        try:
            lay_down(session, preview.discard(job))
        finally:
            session.close()
    except DeviceError as error:
        message = f"{first}; what was laid down may lie there still, not in force: {error}"
        raise DeviceError(first.kind, job.device, message, command=first.command) from error


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
