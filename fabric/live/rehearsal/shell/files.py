"""Programs about files: cp, mv, rm, install, mkdir, chmod, stat, df, ls, tee."""

from __future__ import annotations

import posixpath
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import FULL, Call, Result
from fabric.live.rehearsal.shell.text import options

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.shell.interpreter import Program

_BUSY = "Device or resource busy"
_MISSING, _DENIED = "No such file or directory", "Permission denied"


def _bad(call: Call, what: str) -> Result:
    return Result(1, "", f"{posixpath.basename(call.args[0])}: {what}\n")


def _into(call: Call, source: str, target: str) -> str:
    path = call.path(target)
    return f"{path}/{posixpath.basename(source)}" if call.box.files.is_folder(path) else path


def _copy(call: Call) -> Result:
    flags, rest = options(call)
    if len(rest) < 2:  # noqa: PLR2004
        return _bad(call, "missing file operand")
    for name in rest[:-1]:
        source, target = call.path(name), _into(call, name, rest[-1])
        if source not in call.box.disk:
            return _bad(call, f"cannot stat '{name}': {_MISSING}")
        if problem := _target_problem(call, target):
            return _bad(call, f"cannot create regular file '{rest[-1]}': {problem}")
        if "n" in "".join(flags) and target in call.box.disk:
            continue
        if not call.box.write(target, call.box.disk[source]):
            return _bad(call, f"error writing '{rest[-1]}': {FULL}")
        if {"-p", "-a"} & set(flags):
            call.box.files.modes[target] = call.box.files.mode(source)
    return Result()


def _target_problem(call: Call, target: str) -> str:
    if not call.box.files.may_write(call.user, target):
        return _DENIED
    return "" if call.box.files.is_folder(posixpath.dirname(target)) else _MISSING


def _move(call: Call) -> Result:
    rest = options(call)[1]
    if len(rest) != 2:  # noqa: PLR2004
        return _bad(call, "missing file operand")
    source, target = call.path(rest[0]), _into(call, rest[0], rest[1])
    if source not in call.box.disk:
        return _bad(call, f"cannot stat '{rest[0]}': {_MISSING}")
    if problem := _target_problem(call, target) or _target_problem(call, source):
        return _bad(call, f"cannot move '{rest[0]}' to '{rest[1]}': {problem}")
    if call.box.files.is_covered(source) or call.box.files.is_covered(target):
        return _bad(call, f"cannot move '{rest[0]}' to '{rest[1]}': {_BUSY}")
    call.box.files.move(source, target)
    return Result()


def _remove(call: Call) -> Result:
    flags, rest = options(call)
    letters = "".join(flags)
    for name in rest:
        path = call.path(name)
        inside = [each for each in call.box.disk if each.startswith(path + "/")]
        if path not in call.box.disk and not call.box.files.is_folder(path):
            if "f" not in letters:
                return _bad(call, f"cannot remove '{name}': {_MISSING}")
            continue
        if not call.box.files.may_write(call.user, path):
            return _bad(call, f"cannot remove '{name}': {_DENIED}")
        if call.box.files.is_covered(path):
            return _bad(call, f"cannot remove '{name}': {_BUSY}")
        if path not in call.box.disk and "r" not in letters.lower():
            return _bad(call, f"cannot remove '{name}': Is a directory")
        for each in (path, *inside):
            call.box.disk.pop(each, None)
            call.box.files.modes.pop(each, None)
        call.box.files.folders -= {
            each for each in call.box.files.folders if f"{each}/".startswith(path + "/")
        }
    return Result()


def _install(call: Call) -> Result:
    mode, folder = 0o755, False
    rest: list[str] = []
    words = iter(call.args[1:])
    for word in words:
        if word in {"-m", "-o", "-g"}:
            value = next(words)
            mode = int(value, 8) if word == "-m" else mode
        elif word.startswith("-m"):
            mode = int(word, 0)
        elif word == "-d":
            folder = True
        elif not word.startswith("-"):
            rest.append(word)
    if folder:
        return _make_folders(call, tuple(rest), parents=True)
    result = _copy(Call(call.box, call.user, ("install", *rest), "", call.folder))
    if result.status == 0:
        call.box.files.modes[_into(call, rest[0], rest[-1])] = mode
    return result


def _mkdir(call: Call) -> Result:
    flags, rest = options(call)
    if "-m" in flags:
        rest = rest[1:]
    return _make_folders(call, rest, parents="p" in "".join(flags))


def _make_folders(call: Call, names: tuple[str, ...], *, parents: bool) -> Result:
    for name in names:
        path = call.path(name)
        if call.box.files.is_folder(path):
            if parents:
                continue
            return _bad(call, f"cannot create directory '{name}': File exists")
        if not call.box.files.may_write(call.user, path):
            return _bad(call, f"cannot create directory '{name}': {_DENIED}")
        if not parents and not call.box.files.is_folder(posixpath.dirname(path)):
            return _bad(call, f"cannot create directory '{name}': {_MISSING}")
        call.box.files.made[path] = call.box.world.clock()
        while path not in call.box.files.folders:
            call.box.files.folders.add(path)
            path = posixpath.dirname(path)
    return Result()


def _touch(call: Call) -> Result:
    for name in options(call)[1]:
        path = call.path(name)
        if problem := _target_problem(call, path):
            return _bad(call, f"cannot touch '{name}': {problem}")
        call.box.disk.setdefault(path, b"")
    return Result()


def _chmod(call: Call) -> Result:
    mode, *names = options(call)[1]
    for name in names:
        if call.path(name) not in call.box.disk:
            return _bad(call, f"cannot access '{name}': {_MISSING}")
        call.box.files.modes[call.path(name)] = int(mode, 8)
    return Result()


def _stat(call: Call) -> Result:
    flags, rest = options(call)
    form = "%n %s %a"
    for flag in flags:
        if flag.startswith(("--format=", "--printf=")):
            form = flag.split("=", 1)[1]
        elif flag.startswith("-c"):
            form = flag[2:] or rest[0]
            rest = rest if flag[2:] else rest[1:]
    out = ""
    for name in rest:
        path = call.path(name)
        if path not in call.box.disk and not call.box.files.is_folder(path):
            return _bad(call, f"cannot statx '{name}': {_MISSING}")
        size = len(call.box.disk[path]) if path in call.box.disk else 4096
        kind = "regular file" if path in call.box.disk else "directory"
        values = {
            "%n": name,
            "%s": str(size),
            "%a": f"{call.box.files.mode(path):o}",
            "%F": kind,
            "%U": "root",
            "%G": "root",
        }
        line = form
        for key, value in values.items():
            line = line.replace(key, value)
        out += line + "\n"
    return Result(0, out)


def _list(call: Call) -> Result:
    _flags, rest = options(call)
    out = err = ""
    for name in rest or (".",):
        path = call.path(name)
        if path in call.box.disk:
            out += name + "\n"
        elif call.box.files.is_folder(path):
            out += "".join(f"{each}\n" for each in call.box.files.listing(path))
        else:
            err += f"ls: cannot access '{name}': {_MISSING}\n"
    return Result(2 if err else 0, out, err)


def _tee(call: Call) -> Result:
    flags, rest = options(call)
    for name in rest:
        path = call.path(name)
        if problem := _target_problem(call, path):
            return Result(1, call.stdin, f"tee: {name}: {problem}\n")
        if not call.box.write(path, call.stdin.encode(), append="-a" in flags):
            return Result(1, call.stdin, f"tee: {name}: {FULL}\n")
    return Result(0, call.stdin)


def _free(call: Call) -> Result:
    """``df -P``: POSIX columns; sizes are those of a small flash, nothing is left on a full one."""
    free = 0 if call.box.world.faults.on("disk-full") else 8_000_000
    rows = ""
    for name in options(call)[1] or ("/",):
        path = call.path(name)
        if path not in call.box.disk and not call.box.files.is_folder(path):
            return _bad(call, f"{name}: {_MISSING}")
        used = 10_000_000 - free
        rows += f"/dev/sda3 10000000 {used} {free} {used // 100_000}% /\n"
    return Result(0, "Filesystem 1024-blocks Used Available Capacity Mounted on\n" + rows)


PROGRAMS: Mapping[str, Program] = {
    "/usr/bin/cp": _copy,
    "/usr/bin/mv": _move,
    "/usr/bin/rm": _remove,
    "/usr/bin/install": _install,
    "/usr/bin/mkdir": _mkdir,
    "/usr/bin/touch": _touch,
    "/usr/bin/chmod": _chmod,
    "/usr/bin/chown": lambda _: Result(),
    "/usr/bin/stat": _stat,
    "/usr/bin/df": _free,
    "/usr/bin/ls": _list,
    "/usr/bin/tee": _tee,
    "/usr/bin/sync": lambda _: Result(),
}
