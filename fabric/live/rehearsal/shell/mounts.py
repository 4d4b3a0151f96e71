"""Bind mounts of files: what is laid over a file is seen in its place, until a reboot.

mount(8), umount(8) of util-linux 2.38; mount(2): a name that is a mount point can be neither
renamed nor removed (EBUSY).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result
from fabric.live.rehearsal.shell.text import options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.shell.interpreter import Program

_FAILED = 32  # mount(8), exit status
_ROOT = "must be superuser to use"


def _mount(call: Call) -> Result:
    flags, rest = options(call)
    if call.user != "root":
        return Result(1, "", f"mount: {rest[-1] if rest else ''}: {_ROOT} mount.\n")
    if not {"--bind", "-B"} & set(flags) or len(rest) != 2:  # noqa: PLR2004
        return Result(1, "", "mount: bad usage\nTry 'mount --help' for more information.\n")
    source, target = map(call.path, rest)
    if source not in call.box.disk:
        return Result(_FAILED, "", f"mount: {rest[1]}: special device {rest[0]} does not exist.\n")
    if target not in call.box.disk:
        return Result(_FAILED, "", f"mount: {rest[1]}: mount point does not exist.\n")
    call.box.files.cover(target, source)
    return Result()


def _unmount(call: Call) -> Result:
    rest = options(call)[1]
    if call.user != "root":
        return Result(_FAILED, "", f"umount: {' '.join(rest)}: {_ROOT} unmount.\n")
    for name in rest:
        path = call.path(name)
        if path not in call.box.disk:
            return Result(_FAILED, "", f"umount: {name}: no mount point specified.\n")
        if not call.box.files.uncover(path):
            return Result(_FAILED, "", f"umount: {name}: not mounted.\n")
    return Result()


PROGRAMS: Mapping[str, Program] = {"/usr/bin/mount": _mount, "/usr/bin/umount": _unmount}
