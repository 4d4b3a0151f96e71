"""Scripts that run on a SONiC switch: loading the candidate, and going back.

``config reload`` restarts the interfaces, so it may end the session that started it: each script
runs by itself and leaves its exit status in a file. Both run as root.
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.shell import beside, folder_of, lay_over, take_off
from fabric.platforms.sonic.pushing.files import (
    CONF,
    CONF_PATH,
    CONFIG,
    CONFIG_PATH,
    LOCK_PATH,
    LOOKUP,
    canonical_text,
    conf_of,
)
from fabric.platforms.sonic.pushing.previewing import cover

if TYPE_CHECKING:
    from fabric.changing.scheduled import Timer
    from fabric.model.push import Job

LOAD, RESTORE_STATUS = "load", "restore"
BACK, BACK_STATUS = "back.sh", "back"  # the restore that we run ourselves
# A unit that was started often is refused to start (StartLimitBurst) until it is reset.
_RESTART_BGP = "{ systemctl reset-failed bgp; systemctl restart bgp; }"


def load_script(job: Job) -> str:
    """Put the candidate in force; the disk stays as it is.

    ``frr.conf`` is laid over the old one (a bind mount, which the container takes over when it
    starts), so that a reboot boots the old one. Where CONFIG_DB stays as it is, FRR alone is
    started anew. ``-f``: see ``restore_script``. A candidate that the switch refuses leaves
    nothing behind.
    """
    folder = folder_of(job)
    covered = bool(cover(job))
    first = f"{lay_over(folder.file(CONF), CONF_PATH, '')} && " if covered else ""
    load = f"config reload -y -f {quote(folder.file(CONFIG))}"
    then = load if _database_changes(job) else _RESTART_BGP
    back = f"\ntest $status = 0 || {take_off(CONF_PATH, '')}" if covered else ""
    return _told(folder.file(LOAD), f"{first}{then}\nstatus=$?{back}")


def _database_changes(job: Job) -> bool:
    names = (CONFIG, LOOKUP)
    before, target = (
        {n: files[n] for n in names if n in files} for files in (job.before, job.target)
    )
    return canonical_text(before) != canonical_text(target)


def restore_script(job: Job, timer: Timer, status: str = RESTORE_STATUS) -> str:
    """Bring the startup files back where they were saved, then what runs, where it differs.

    ``-f``: without it ``config reload`` refuses while swss is up for less than two minutes. It
    waits for a reload that is still running. What runs already as before is not loaded again.
    ``status``: the timer's run and ours wait for each other, and each tells how it ended itself.
    """
    folder = folder_of(job)
    startup, database = quote(folder.file("old-startup")), quote(folder.file("old-database"))
    return timer.opening() + _told(
        folder.file(status),
        "\n".join(
            (
                f"rm -f {beside(CONFIG_PATH)} {beside(CONF_PATH)}",  # half-saved
                "bgp=no",
                *_conf_back(job),
                f"cmp -s {startup} {CONFIG_PATH} || {_replace(startup, CONFIG_PATH)}",
                f"flock {LOCK_PATH} true",
                f"if ! sonic-cfggen -d --print-data | cmp -s - {database}; then",
                "config reload -y -f",
                'elif [ "$bgp" = yes ]; then',
                _RESTART_BGP,
                "fi",
                "status=$?",
            )
        ),
    )


def _conf_back(job: Job) -> tuple[str, ...]:
    """The old ``frr.conf`` uncovered, or put back; ``bgp`` tells whether FRR has the new one."""
    if not cover(job):
        return ()
    old = conf_of(job.before)
    off = f"{take_off(CONF_PATH, '')} && bgp=yes"
    if not old:
        return (off, f"rm -f {CONF_PATH}")
    text = quote(folder_of(job).file(f"old-{CONF}"))
    new = beside(CONF_PATH)  # no file has to be there: a container may have removed it
    put = f"{{ install -m 0640 {text} {new} && mv -f {new} {CONF_PATH}; bgp=yes; }}"
    return (off, f"cmp -s {text} {CONF_PATH} || {put}")


def _replace(source: str, path: str) -> str:
    """Shell text: another content with the owner and mode that are there, by renaming."""
    new = beside(path)
    return f"{{ cp -p {path} {new} && cp {source} {new} && sync {new} && mv -f {new} {path}; }}"


def _told(path: str, lines: str) -> str:
    """Lines whose ``status`` is left in a file, their words in another; whole or not at all."""
    log, new, done = quote(f"{path}.log"), quote(f"{path}.new"), quote(f"{path}.status")
    return (
        f"exec >>{log} 2>&1 </dev/null\n{lines}\n"
        f'echo "$status" >{new} && mv -f {new} {done}\nexit "$status"\n'
    )
