"""What a device is asked right before it is changed: is everything as it was approved?"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from fabric.live.push import gate
from fabric.live.push.describe import step_text
from fabric.live.push.unit import failed
from fabric.live.transport.errors import Kind
from fabric.model.push import ReplyError

if TYPE_CHECKING:
    from fabric.changing.procedure import Preview
    from fabric.live.push.unit import Unit
    from fabric.model.push import Files
    from fabric.model.push_change import DeviceTarget

STALE = "changed since the Change was made"
HELD = "locked by somebody else"


def texts_are_those(unit: Unit, approved: DeviceTarget) -> None:
    """What lies on our disk is what was approved.

    Raises:
        StepError: it is not.
    """
    if not same_texts(unit, approved):
        msg = "its texts below .fabric/ are not those that were approved (RCE945)"
        raise failed(unit.device, Kind.REFUSED, msg)
    if not same_steps(unit, approved):
        msg = "the commands for it are not those that were approved: fabric was replaced (RCE945)"
        raise failed(unit.device, Kind.REFUSED, msg)


def same_texts(unit: Unit, approved: DeviceTarget) -> bool:
    """Whether checkpoint and target on our disk are those that were approved."""
    preview, job = unit.system.preview, unit.job
    pairs = ((job.before, approved.before_sha256), (job.target, approved.target_sha256))
    return all(is_that(preview, files, sha256) for files, sha256 in pairs)


def is_that(preview: Preview, files: Files, sha256: str) -> bool:
    """Whether texts are those of a digest; such as cannot be understood any more are not."""
    try:
        return _digest(preview, files) == sha256
    except (ValueError, LookupError):
        return False


def same_steps(unit: Unit, approved: DeviceTarget) -> bool:
    """Whether this fabric would type what was approved."""
    commit, job = unit.system.commit, unit.job
    steps = (*commit.apply(job), *commit.confirm(job), *commit.save(job))
    return tuple(map(step_text, steps)) == approved.steps


def _digest(preview: Preview, files: Files) -> str:
    return hashlib.sha256(preview.canonical(files).encode()).hexdigest()


def since_approval(unit: Unit, approved: DeviceTarget) -> None:
    """Version, lock and configuration of the device are those that the Change is of.

    Raises:
        StepError: they are not.
    """
    preview, line = unit.system.preview, unit.line
    version = line.ask(preview.identify()).os_version
    if version != approved.os_version:
        msg = f"it runs {version}, approved was a change of {approved.os_version} (RCE945)"
        raise failed(unit.device, Kind.REFUSED, msg)
    holder = line.ask(preview.holder())
    if holder:
        raise failed(unit.device, Kind.REFUSED, f"{HELD}: {holder}")
    text(unit, approved)


def text(unit: Unit, approved: DeviceTarget) -> None:
    """The configuration in force is the one that the Change is of.

    Raises:
        StepError: it is another one.
    """
    preview = unit.system.preview
    if _digest(preview, unit.line.ask(preview.running())) != approved.before_sha256:
        msg = f"its configuration was {STALE} (RCE945); `fabric push --refresh` makes a new one"
        raise failed(unit.device, Kind.REFUSED, msg)


def by_nobody_else(unit: Unit) -> None:
    """Each file in force is as before or as it shall be: the next step would drop what is neither.

    Raises:
        StepError: one is neither.
    """
    running = unit.line.ask(unit.system.preview.running())
    try:
        theirs = _neither(unit, running)
    except ReplyError as error:
        msg = f"its configuration is not understood: {error}"
        raise failed(unit.device, Kind.REPLY, msg) from None
    if theirs:
        msg = f"it was changed while the change was being prepared: {gate.strange(theirs)}"
        raise failed(unit.device, Kind.REFUSED, msg)


def _neither(unit: Unit, running: Files) -> tuple[str, ...]:
    """How the first file that is neither as before nor as it shall be differs from before."""
    differences, before, target = unit.system.preview.differences, unit.job.before, unit.expected
    for name, now in running.items():
        theirs = differences(before, {**before, name: now})
        if theirs and differences({**target, name: now}, target):
            return theirs
    return ()
