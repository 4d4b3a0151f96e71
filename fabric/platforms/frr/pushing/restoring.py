"""The script that brings an FRR switch back: the timer runs it, and so does a restore by hand.

Each line is tried, whatever became of the one before; the exit status is 0 when all went well.
Running it twice, or where nothing was changed, does no harm.
"""

from __future__ import annotations

from shlex import quote
from typing import TYPE_CHECKING

from fabric.changing.shell import beside, folder_of, take_off
from fabric.platforms.frr.pushing.files import CONF_PATH, DAEMONS, OLD, changed, reload_conf
from fabric.platforms.frr.pushing.forcing import (
    INTERFACES,
    SYSCTL,
    interfaces,
    put_in_force,
    restart_lldpd,
)

if TYPE_CHECKING:
    from fabric.changing.scheduled import Timer
    from fabric.model.push import Job
    from fabric.platforms.frr.pushing.files import File


def restore_script(job: Job, timer: Timer) -> str:
    """Runs as root where the change runs as root, else as the user: so no line has ``sudo``."""
    folder = folder_of(job)
    lines = []
    for file in changed(job):
        lines += _restore_file(job, file)
    startup = quote(folder.file("old-startup"))
    conf = quote(CONF_PATH)
    lines += [
        f"rm -f {quote(beside(CONF_PATH))}",
        f"cmp -s {startup} {conf} || {_replace(startup, CONF_PATH)}",
        f"{reload_conf(folder, OLD, '--reload')} || bad=1",
    ]
    return timer.opening() + "bad=0\n" + "\n".join(lines) + "\nexit $bad\n"


def _restore_file(job: Job, file: File) -> list[str]:
    """Uncover the old file, put it back where the new one was saved, and have it read."""
    folder = folder_of(job)
    old = folder.file(f"{OLD}/{file.name}")
    text = job.before.get(file.name, "")
    lines = [f"{take_off(file.path, '')}", f"rm -f {quote(beside(file.path))}"]
    if text:
        lines.append(f"cmp -s {quote(old)} {quote(file.path)} || {_replace(quote(old), file.path)}")
    else:
        lines.append(f"rm -f {quote(file.path)} || bad=1")
    lines += [f"{line} || bad=1" for line in _read_again(job, file, text)]
    return lines


def _read_again(job: Job, file: File, text: str) -> list[str]:
    """Lines that make the system read the old file, and forget what the new one brought."""
    bare = [line.removeprefix("sudo -n ") for line in put_in_force(job, file.name, text, file.path)]
    if file.name == SYSCTL:
        kernel = quote(folder_of(job).file("old-kernel"))
        return [f"test ! -s {kernel} || sysctl -q -e -p {kernel}"]
    if file.name == INTERFACES:
        new = job.target.get(file.name, "")
        gone = [port for port in interfaces(new) if port not in interfaces(text)]
        names = " ".join(quote(port) for port in gone)
        source = quote(folder_of(job).file("new-interfaces"))
        down = [f"ifdown --force -i {source} {names}"] if gone else []
        return [*down, *bare]
    if file.name == "lldpd.conf" and not text:  # what it was told it forgets in no other way
        return [restart_lldpd(job)]
    return bare if text or file.name == DAEMONS else []


def _replace(source: str, path: str) -> str:
    """Shell text: the old file over the new one, with the rights that are there, by renaming."""
    new, old = quote(f"{path}.fabric-old"), quote(path)
    return f"{{ cp -p {old} {new} && cp {source} {new} && mv -f {new} {old} || bad=1; }}"
