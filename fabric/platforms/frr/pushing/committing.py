"""Putting an FRR configuration in force, keeping it, going back."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.scheduled import GONE_S, RESTORE, Timer, Way
from fabric.changing.shell import folder_of, install, root_of, take_off
from fabric.model.push import Ask, Command, Effect, PutFile, Step, TimerClass
from fabric.platforms.frr.pushing.files import (
    CONF,
    CONF_PATH,
    NEW,
    OLD,
    STARTUP,
    changed,
    reload_conf,
)
from fabric.platforms.frr.pushing.forcing import (
    INTERFACES,
    new_settings,
    note_settings,
    old_settings,
    put_over,
)
from fabric.platforms.frr.pushing.previewing import FrrPreview
from fabric.platforms.frr.pushing.restoring import restore_script

if TYPE_CHECKING:
    from fabric.model.push import Action, Files, Job

_RELOAD_S = 300.0
_REMOVED_S = 120.0


def _timer(job: Job) -> Timer:
    way = Way(job.identity.fact("timer"))
    folder, root = folder_of(job), root_of(job.identity)
    return Timer(way, job.push_id, folder, job.timer_s, root)


def _old_files(job: Job) -> Files:
    """What the restore needs, by name in the folder."""
    old = {f"{OLD}/{file.name}": job.before.get(file.name, "") for file in changed(job)}
    startup = job.before.get(STARTUP) or job.before[CONF]
    kernel = {"read-kernel": old_settings(job)} if new_settings(job) else {}
    new = job.target.get(INTERFACES, "")  # what it brought up goes down by its own words
    return {
        f"{OLD}/{CONF}": job.before[CONF],
        "read-startup": startup,
        "new-interfaces": new,
        **kernel,
        **old,
    }


def _lay_down_restore(job: Job, *kept: str) -> Step:
    """``kept``: shell texts that make ``old-startup``, byte for byte, and ``old-kernel``."""
    folder = folder_of(job)
    script = PutFile(folder.file(RESTORE), restore_script(job, _timer(job)))
    return Step(
        "keep the old configuration on the device",
        Effect.STAGES,
        (folder.make(NEW, OLD), *folder.put(_old_files(job)), script, *map(Command, kept)),
    )


def _copies(job: Job) -> tuple[str, ...]:
    """Made before anything changes."""
    return (_copy_startup(job), *((note_settings(job),) if new_settings(job) else ()))


def _copies_are_there(job: Job) -> tuple[str, ...]:
    """The copies that were made before anything changed; what was read then, if they are gone.

    They are gone once the change is saved, and it may still have to be taken back.
    """
    kernel = (_copy_is_there(job, "kernel"),) if new_settings(job) else ()
    return (_copy_is_there(job, "startup"), *kernel)


def _copy_startup(job: Job) -> str:
    read, old = (quote(folder_of(job).file(name)) for name in ("read-startup", "old-startup"))
    root = root_of(job.identity)
    return f"{root}cp {CONF_PATH} {old} || {root}cp {read} {old}"


def _copy_is_there(job: Job, what: str) -> str:
    read, old = (quote(folder_of(job).file(f"{side}-{what}")) for side in ("read", "old"))
    return f"test -e {old} || {root_of(job.identity)}cp {read} {old}"


def conf_rights(job: Job) -> str:
    """FRR reads the file as user frr; who is not root can give it to the group alone."""
    if job.identity.fact("root") == "none":
        return "-g frr -m 0660"
    return "-o frr -g frr -m 0640"


class FrrCommit:
    """See ``changing/procedure.py``."""

    timer: TimerClass = TimerClass.SCHEDULED

    def way_back(self, job: Job) -> str:
        """Our own timer."""
        return (
            f"after {job.timer_s} s without confirmation the switch restores itself, by "
            f"{_timer(job).describe()}; it boots from the old files until the change is saved"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """The files that FRR stands on first, its own last."""
        root = root_of(job.identity)
        return (
            *FrrPreview().stage(job),
            _lay_down_restore(job, *_copies(job)),
            _timer(job).arm(),
            *(Step(f"put {f.name} in force", Effect.RUNS, put_over(job, f)) for f in changed(job)),
            Step(
                "load the new configuration into FRR",
                Effect.RUNS,
                (Command(f"{root}{reload_conf(folder_of(job), NEW, '--reload')}", _RELOAD_S),),
            ),
        )

    def confirm(self, job: Job) -> tuple[Step, ...]:
        """Fails when the timer has run out: the restore has begun then."""
        timer = _timer(job)
        return (
            Step(
                "take the restore timer away",
                Effect.CONFIRMS,
                timer.disarm(),
                until=timer.gone(),
                until_s=GONE_S,
            ),
        )

    def save(self, job: Job) -> tuple[Step, ...]:
        """Each file beside the old one and renamed; then compared."""
        folder, root = folder_of(job), root_of(job.identity)
        steps = []
        for file in changed(job):
            source = folder.file(f"{NEW}/{file.name}")
            off = Command(f"{take_off(file.path, root)} || true")
            actions: tuple[Action, ...] = (off, *install(source, file.path, root, file.rights))
            steps.append(Step(f"save {file.name}", Effect.SAVES, actions))
        text = job.target.get(STARTUP, job.target[CONF])
        conf = PutFile(folder.file("startup"), text)
        put = install(folder.file("startup"), CONF_PATH, root, conf_rights(job))
        return (
            *steps,
            Step(f"save {CONF}", Effect.SAVES, (conf, *put)),
            # A session that is lost here is no reason to go back.
            Step(
                "remove the folder of the change",
                Effect.SAVES,
                (folder.remove(root),),
                until=Ask((folder.remove(root),), lambda _: None),
                until_s=_REMOVED_S,
                may_drop=True,
            ),
        )

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        """The script of the timer, run by us; the timer goes when it has done its work.

        Until then it stands behind us; it and we never run the script at once.
        """
        folder, root = folder_of(job), root_of(job.identity)
        run = Command(f"{root}sh {quote(folder.file(RESTORE))}", _RELOAD_S)
        after = (*_timer(job).cancel(), folder.remove(root)) if pending else (folder.remove(root),)
        return (
            _lay_down_restore(job, *_copies_are_there(job)),
            Step("restore the old configuration", Effect.RUNS, (run,)),
            Step(
                "take the timer and the folder away",
                Effect.RUNS,
                after,
                until=_timer(job).gone(),
                until_s=GONE_S,
            ),
        )

    def pending(self, job: Job) -> Ask[bool]:
        """Whether our restore is waiting."""
        return _timer(job).pending()
