"""at, atq, atrm: at(1) of Debian 12. Jobs lie on disk, so they survive a reboot."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Interpreter, Result
from fabric.live.rehearsal.shell.jobs import Timer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.shell.interpreter import Program

_MINUTE_S = 60.0
_UNITS = {"minute": 60.0, "hour": 3600.0, "day": 86400.0}


def _at(call: Call) -> Result:
    words = [each for each in call.args[1:] if each not in {"-M", "-m"}]
    script = call.stdin
    if "-f" in words:
        index = words.index("-f")
        path = call.path(words[index + 1])
        if path not in call.box.disk:
            return Result(1, "", f"Cannot open input file {words[index + 1]}: No such file\n")
        script = call.box.disk[path].decode()
        del words[index : index + 2]
    found = re.fullmatch(r"now *\+ *(\d+) *(minute|hour|day)s?", " ".join(words))
    if not found:
        return Result(1, "", "Garbled time\n")
    now = call.box.world.clock()
    # at counts whole minutes: the job starts when the minute begins
    due = math.floor(now / _MINUTE_S) * _MINUTE_S + int(found[1]) * _UNITS[found[2]]
    jobs = call.box.jobs
    jobs.queued += 1
    run = Interpreter(call.box, call.user, "sh").run_text(script)
    jobs.at[jobs.queued] = Timer(f"at{jobs.queued}", due, (script.strip(),), run, now)
    return Result(
        0,
        "",
        f"warning: commands will be executed using /bin/sh\njob {jobs.queued} at {_time(due)}\n",
    )


def _time(seconds: float) -> str:
    minutes = int(seconds) // 60
    return f"Tue Jan  {1 + minutes // 1440} {minutes // 60 % 24:02}:{minutes % 60:02}:00 2030"


def _atq(call: Call) -> Result:
    lines = [
        f"{number}\t{_time(each.due)} a {call.user}\n" for number, each in call.box.jobs.at.items()
    ]
    return Result(0, "".join(lines))


def _atrm(call: Call) -> Result:
    for number in call.args[1:]:
        if not number.isdigit() or call.box.jobs.at.pop(int(number), None) is None:
            return Result(1, "", f"Cannot find jobid {number}\n")
    return Result()


PROGRAMS: Mapping[str, Program] = {
    "/usr/bin/at": _at,
    "/usr/bin/atq": _atq,
    "/usr/bin/atrm": _atrm,
}
