"""Programs that compare files: sha256sum, cmp, diff."""

from __future__ import annotations

import difflib
import hashlib
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result
from fabric.live.rehearsal.shell.text import options, read

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.shell.interpreter import Program

_MISSING = "No such file or directory"


def _sha256sum(call: Call) -> Result:
    flags, rest = options(call)
    if {"-c", "--check"} & set(flags):
        return _check_sums(call, rest, quiet="--status" in flags)
    if not rest:
        return Result(0, hashlib.sha256(call.stdin.encode()).hexdigest() + "  -\n")
    out = err = ""
    for name in rest:
        if (path := call.path(name)) in call.box.disk:
            out += f"{hashlib.sha256(call.box.disk[path]).hexdigest()}  {name}\n"
        else:
            err += f"sha256sum: {name}: {_MISSING}\n"
    return Result(int(bool(err)), out, err)


def _check_sums(call: Call, names: tuple[str, ...], *, quiet: bool) -> Result:
    given = read(call, tuple(each for each in names if each != "-"))
    out, bad = "", 0
    for line in given.out.splitlines():
        digest, name = line.split(maxsplit=1)
        right = hashlib.sha256(call.box.disk.get(call.path(name), b"")).hexdigest() == digest
        out += f"{name}: {'OK' if right else 'FAILED'}\n"
        bad += not right
    err = f"sha256sum: WARNING: {bad} computed checksum did NOT match\n" if bad else ""
    return Result(int(bool(bad)), "" if quiet else out, "" if quiet else err)


def _compare(call: Call) -> Result:
    flags, rest = options(call)
    texts = []
    for name in rest:
        if name == "-":
            texts.append(call.stdin)
            continue
        if call.path(name) not in call.box.disk:
            return Result(2, "", f"{call.args[0]}: {name}: {_MISSING}\n")
        texts.append(call.box.disk[call.path(name)].decode(errors="replace"))
    if texts[0] == texts[1]:
        return Result()
    if call.args[0].endswith("cmp"):
        out = "" if "-s" in flags else f"{rest[0]} {rest[1]} differ\n"
        return Result(1, out)
    old, new = (text.splitlines(keepends=True) for text in texts)
    lines = difflib.unified_diff(old, new, rest[0], rest[1])
    return Result(1, "" if "-q" in flags else "".join(lines))


PROGRAMS: Mapping[str, Program] = {
    "/usr/bin/sha256sum": _sha256sum,
    "/usr/bin/cmp": _compare,
    "/usr/bin/diff": _compare,
}
