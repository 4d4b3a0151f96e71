"""How each file besides ``frr.conf`` is put in force, from where everybody looks for it."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.scheduled import Way
from fabric.changing.shell import folder_of, lay_over, root_of
from fabric.model.push import Command
from fabric.platforms.frr.pushing.files import DAEMONS, KERNEL, NEW, changed

if TYPE_CHECKING:
    from fabric.model.push import Action, Job
    from fabric.platforms.frr.pushing.files import File

_IFACE = re.compile(r"^iface (\S+) ", re.MULTILINE)
_SETTING = re.compile(r"^[ \t]*-?[ \t]*([a-z][\w.*/-]*)[ \t]*=", re.MULTILINE)
_RESTART_S = 120.0
SYSCTL, INTERFACES = "99-fabric.conf", "interfaces"


def put_over(job: Job, file: File) -> tuple[Action, ...]:
    """Lay the new file over the old one, and have it read."""
    root, source = root_of(job.identity), folder_of(job).file(f"{NEW}/{file.name}")
    over = Command(lay_over(source, file.path, root))
    lines = put_in_force(job, file.name, job.target.get(file.name, ""), file.path)
    return (over, *(Command(line, _RESTART_S) for line in lines))


def put_in_force(job: Job, name: str, text: str, path: str) -> tuple[str, ...]:
    """Shell lines that make the system read a file of this name with this text."""
    root, at = root_of(job.identity), quote(path)
    if name == DAEMONS:
        return (restart(job),)
    if name == INTERFACES:
        names = " ".join(quote(port) for port in interfaces(text))
        return (f"{root}ifup --force -i {at} {names}",) if names else ()
    if name == "lldpd.conf":
        return (f"{root}lldpcli -c {at}",)
    return (f"{root}sysctl -q -e -p {at}",)


def restart(job: Job) -> str:
    """FRR is started anew: new daemons start no other way, and all sessions drop."""
    root = root_of(job.identity)
    if job.identity.fact("timer") == Way.SYSTEMD.value:
        return f"{root}systemctl restart frr"
    return f"{root}/usr/lib/frr/frrinit.sh restart"


def restart_lldpd(job: Job) -> str:
    """``lldpcli -c`` adds to what lldpd has; without a file it has its own defaults again."""
    if job.identity.fact("timer") == Way.SYSTEMD.value:
        return "systemctl restart lldpd"
    return "/etc/init.d/lldpd restart"


def interfaces(text: str) -> tuple[str, ...]:
    """Interfaces of which the file has a stanza."""
    return tuple(dict.fromkeys(_IFACE.findall(text)))


def settings(text: str) -> tuple[str, ...]:
    """Names of the kernel settings in a file of sysctl."""
    return tuple(dict.fromkeys(_SETTING.findall(text)))


def new_settings(job: Job) -> tuple[str, ...]:
    """Names of the kernel settings that the change sets; a file that it takes away sets none."""
    names = {file.name for file in changed(job)} & {SYSCTL}
    return tuple(name for file in names for name in settings(job.target.get(file, "")))


def old_settings(job: Job) -> str:
    """What those were when the switch was read, for sysctl."""
    lines = job.before.get(KERNEL, "").splitlines(keepends=True)
    return "".join(line for line in lines if line.partition(" =")[0] in new_settings(job))


def note_settings(job: Job) -> str:
    """Keep what the kernel has now: a setting that a file no longer names stays as it was set."""
    words = " ".join(quote(name) for name in new_settings(job))
    kept = quote(folder_of(job).file("old-kernel"))
    return f"/usr/sbin/sysctl -e {words} >{kept}"  # not in the PATH of every user
