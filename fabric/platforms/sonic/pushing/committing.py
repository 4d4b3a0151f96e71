"""Putting a SONiC configuration in force, keeping it, going back."""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.scheduled import GONE_S, RESTORE, Timer, Way
from fabric.changing.shell import ROOT, Folder, beside, folder_of, install, take_off
from fabric.model.push import Ask, Command, Effect, PutFile, Step, TimerClass
from fabric.platforms.sonic.pushing.files import (
    CONF,
    CONF_PATH,
    CONFIG,
    CONFIG_PATH,
    STARTUP,
    compared,
    conf_of,
)
from fabric.platforms.sonic.pushing.previewing import SonicPreview, cover, new_conf
from fabric.platforms.sonic.pushing.ready import status_and_ready
from fabric.platforms.sonic.pushing.scripts import (
    BACK,
    BACK_STATUS,
    LOAD,
    load_script,
    restore_script,
)

if TYPE_CHECKING:
    from fabric.model.push import Action, Check, Job

_READY_S = 900.0  # a reload takes minutes; a restore may wait for one that is running
_SAVE_S = 120.0
_SAVED = "saved.json"


def _timer(job: Job) -> Timer:
    way = Way(job.identity.fact("timer"))
    return Timer(way, job.push_id, folder_of(job), job.timer_s, ROOT)


def _detached(folder: Folder, script: str, status: str) -> tuple[Command, ...]:
    """Run a script by itself; its status is read later on, from whatever session there is then."""
    started = f"{ROOT}setsid sh {quote(folder.file(script))} >/dev/null 2>&1 </dev/null &"
    return Command(f"{ROOT}rm -f {quote(folder.file(status + '.status'))}"), Command(started)


def _removed_at_rest(folder: Folder) -> Command:
    """Not under the hands of a restore that runs."""
    lock = quote(folder.file("restore.lock"))
    return Command(f"{ROOT}flock {lock} rm -rf {quote(folder.path)}", _READY_S)


def _lay_down_restore(job: Job, startup: str) -> Step:
    """``startup``: shell text that makes ``old-startup``, the startup file byte for byte."""
    folder = folder_of(job)
    old = {
        "old-database": job.before[CONFIG],
        "read-startup": job.before.get(STARTUP, job.before[CONFIG]),
        f"old-{CONF}": conf_of(job.before),
    }
    script = PutFile(folder.file(RESTORE), restore_script(job, _timer(job)))
    return Step(
        "keep the old configuration on the switch",
        Effect.STAGES,
        (folder.make(), *folder.put(old), script, Command(startup)),
    )


def _copy_startup(job: Job) -> str:
    return f"{ROOT}cp {CONFIG_PATH} {quote(folder_of(job).file('old-startup'))}"


def _copy_is_there(job: Job) -> str:
    """The copy that was made before anything changed; what was read then, if it is gone."""
    read, old = (quote(folder_of(job).file(name)) for name in ("read-startup", "old-startup"))
    return f"test -e {old} || {ROOT}cp {read} {old}"


class SonicCommit:
    """See ``changing/procedure.py``."""

    timer: TimerClass = TimerClass.SCHEDULED

    def way_back(self, job: Job) -> str:
        """Our own timer; the startup files do the rest."""
        return (
            f"after {job.timer_s} s without confirmation the switch reloads its startup files, by "
            f"{_timer(job).describe()}; they hold the old configuration until the change is "
            "saved, so a reboot ends in it too"
        )

    def apply(self, job: Job) -> tuple[Step, ...]:
        """Services stop and start: minutes without traffic, and the session may end."""
        folder = folder_of(job)
        script = PutFile(folder.file("load.sh"), load_script(job))
        return (
            *SonicPreview().stage(job),
            _lay_down_restore(job, _copy_startup(job)),
            Step("lay the loading script down", Effect.STAGES, (script,)),
            _timer(job).arm(),
            Step(
                "load the candidate",
                Effect.RUNS,
                _detached(folder, "load.sh", LOAD),
                until=status_and_ready(folder, LOAD),
                until_s=_READY_S,
                may_drop=True,
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
        """The switch writes its file elsewhere; only when it reads back right it is renamed.

        ``config save`` itself writes over the startup file: a full disk would leave it empty.
        """
        folder = folder_of(job)
        saved = folder.file(_SAVED)
        steps = [
            Step("save CONFIG_DB to a file of its own", Effect.STAGES, _saved(job, saved)),
            Step("put it in the place of the startup file", Effect.SAVES, _in_place(saved)),
        ]
        if cover(job):
            steps.append(Step(f"save {CONF}", Effect.SAVES, _conf_in_place(job)))
        gone = folder.remove(ROOT)
        return (*steps, Step("remove the folder of the change", Effect.SAVES, (gone,)))

    def restore(
        self,
        job: Job,
        *,
        pending: bool,
        saving: bool,  # noqa: ARG002 — right either way
    ) -> tuple[Step, ...]:
        """The script of the timer, run by us; the timer goes when it has done its work."""
        folder = folder_of(job)
        ours = PutFile(folder.file(BACK), restore_script(job, _timer(job), BACK_STATUS))
        remove = _removed_at_rest(folder)
        after = (*_timer(job).cancel(), remove) if pending else (remove,)
        return (
            _lay_down_restore(job, _copy_is_there(job)),
            Step("lay our restore down", Effect.STAGES, (ours,)),
            Step(
                "restore the old configuration",
                Effect.RUNS,
                _detached(folder, BACK, BACK_STATUS),
                until=status_and_ready(folder, BACK_STATUS),
                until_s=_READY_S,
                may_drop=True,
            ),
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


def _saved(job: Job, saved: str) -> tuple[Action, ...]:
    """What shall be the startup file, read back: the dump, or the text of a checkpoint."""
    if STARTUP in job.target:
        return (PutFile(saved, job.target[STARTUP]),)
    return (
        Command(f"{ROOT}config save -y {quote(saved)}", _SAVE_S),
        Command(f"{ROOT}cat {quote(saved)}", _SAVE_S, check=_is_target(job)),
    )


def _is_target(job: Job) -> Check:
    def check(reply: str) -> str | None:
        try:
            lines = compared({**job.target, CONFIG: reply}, job.target)
        except ValueError as error:
            return f"the saved file cannot be read: {error}"
        return f"the saved file differs from the candidate: {lines[0]}" if lines else None

    return check


def _conf_in_place(job: Job) -> tuple[Command, ...]:
    """The file that lay over the old one takes its place; the container gives it to user frr."""
    off = Command(f"{take_off(CONF_PATH, ROOT)} || true")
    if not new_conf(job):
        return (off,)
    rights = "-o root -g root -m 0640"
    return (off, *install(folder_of(job).file(CONF), CONF_PATH, ROOT, rights))


def _in_place(saved: str) -> tuple[Command, ...]:
    new = beside(CONFIG_PATH)
    return (
        Command(f"{ROOT}cp -p {CONFIG_PATH} {new}"),
        Command(f"{ROOT}cp {quote(saved)} {new}"),
        Command(f"{ROOT}sync {new}"),
        Command(f"{ROOT}mv -f {new} {CONFIG_PATH}"),
        Command(f"{ROOT}cmp {quote(saved)} {CONFIG_PATH}"),
    )
