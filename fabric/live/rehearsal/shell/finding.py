"""``find``, as far as it is typed here."""

from __future__ import annotations

import fnmatch
import math
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.shell.interpreter import Program


def _find(call: Call) -> Result:
    """``find FOLDER -maxdepth 1 -type d -name PATTERN -mmin +N -exec COMMAND {} +``."""
    words = call.args[1:]
    folder, tests = call.path(words[0]), dict(zip(words[1::2], words[2::2], strict=False))
    since = call.box.world.clock() - float(tests.get("-mmin", "+0")) * 60
    found = [
        f"{folder}/{name}"
        for name in call.box.files.listing(folder)
        if fnmatch.fnmatchcase(name, tests.get("-name", "*"))
        and call.box.files.made.get(f"{folder}/{name}", math.inf) < since
    ]
    if "-exec" not in words or not found:
        return Result(0, "".join(f"{name}\n" for name in found))
    command = words[words.index("-exec") + 1 : words.index("{}")]
    program = call.box.program(command[0], call.user)
    if program is None:
        return Result(1, "", f"find: '{command[0]}': No such file or directory\n")
    result = program(Call(call.box, call.user, (*command, *found), "", call.folder))
    return result if isinstance(result, Result) else Result()


PROGRAMS: Mapping[str, Program] = {"/usr/bin/find": _find}
