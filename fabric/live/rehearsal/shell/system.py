"""Programs about users, processes and the system: sudo, sh, nohup, kill, hostname, uptime."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Interpreter, Result, execute

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.live.rehearsal.shell.interpreter import Program, Run


def _again(call: Call, args: tuple[str, ...], user: str = "") -> Run:
    """Run the rest of a command line."""
    inner = Call(call.box, user or call.user, args, call.stdin, call.folder, call.variables)
    return (yield from execute(inner))


def _sudo(call: Call) -> Run | Result:
    """As root, without a password: what an operator grants a user who configures switches."""
    rest = list(call.args[1:])
    while rest and rest[0].startswith("-"):
        flag = rest.pop(0)
        if flag in {"-u", "-g"}:
            rest.pop(0)
        elif flag in {"-v", "-l", "-k"}:
            return Result()
    if not rest:
        return Result(1, "", "usage: sudo -h | -K | -k | -V\n")
    name = rest[0]
    if call.box.program(name, "root") is None:
        return Result(1, "", f"sudo: {name}: command not found\n")
    return _again(call, tuple(rest), "root")


def _shell(call: Call) -> Run | Result:
    rest = list(call.args[1:])
    while rest and rest[0] in {"-e", "-u", "-l", "--"}:
        rest.pop(0)
    if rest and rest[0].startswith("-") and rest[0].endswith("c"):
        return Interpreter(call.box, call.user, call.args[0]).run_text(rest[1], call.stdin)
    if not rest:
        return Interpreter(call.box, call.user).run_text(call.stdin)
    path = call.path(rest[0])
    if path not in call.box.disk:
        return Result(127, "", f"{call.args[0]}: {rest[0]}: No such file or directory\n")
    return Interpreter(call.box, call.user).run_text(call.box.disk[path].decode())


def _detached(call: Call) -> Run:
    """``nohup``, ``setsid``, ``nice``: whatever the session does, the job goes on."""
    rest = call.args[1:]
    while rest and rest[0].startswith("-"):
        rest = rest[1:]
    return _again(call, rest)


def _setsid(call: Call) -> Run | Result:
    """With ``-f`` it goes on in the background by itself."""
    flags = [each for each in call.args[1:] if each.startswith("-")]
    if not {"-f", "--fork"} & set(flags):
        return _detached(call)
    rest = tuple(each for each in call.args[1:] if each not in {"-f", "--fork"})
    call.box.jobs.start(_again(call, rest))
    return Result()


def _timeout(call: Call) -> Run:
    rest = [each for each in call.args[1:] if not each.startswith("-")]
    index = call.args.index(rest[0])
    return _again(call, call.args[index + 1 :])


def _env(call: Call) -> Run:
    rest = call.args[1:]
    while rest and ("=" in rest[0] or rest[0].startswith("-")):
        rest = rest[1:]
    return _again(call, rest)


def _command(call: Call) -> Run | Result:
    if call.args[1:2] not in {("-v",), ("-V",)}:
        return _again(call, call.args[1:])
    found = [
        call.box.find(name, call.user)
        if "/" not in name
        else (name if name in call.box.programs else "")
        for name in call.args[2:]
    ]
    return Result(int(not all(found)), "".join(f"{path}\n" for path in found if path))


def _which(call: Call) -> Result:
    found = [call.box.find(name, call.user) for name in call.args[1:]]
    return Result(int(not all(found)), "".join(f"{path}\n" for path in found if path))


def _kill(call: Call) -> Result:
    numbers = [each for each in call.args[1:] if not each.startswith("-")]
    for number in numbers:
        if not number.isdigit() or not call.box.jobs.kill(int(number)):
            return Result(1, "", f"bash: line 1: kill: ({number}) - No such process\n")
    return Result()


def _hostname(call: Call) -> Result:
    return Result(0, call.box.hostname + "\n")


def _id(call: Call) -> Result:
    number = 0 if call.user == "root" else 1000
    if "-un" in call.args:
        return Result(0, call.user + "\n")
    if "-u" in call.args:
        return Result(0, f"{number}\n")
    return Result(0, f"uid={number}({call.user}) gid={number}({call.user})\n")


def _uptime(call: Call) -> Result:
    minutes = int(max(0.0, call.box.world.clock() - call.box.booted)) // 60
    if "-p" in call.args:
        return Result(0, f"up {minutes} minutes\n")
    return Result(0, f" 12:00:00 up {minutes} min,  1 user,  load average: 0.00, 0.00, 0.00\n")


def _cat_proc(call: Call) -> Result:
    return Result(0, f"{int(call.box.world.clock() - call.box.booted)}.00 0.00\n")


def _reboot(call: Call) -> Result:
    if call.user != "root":
        return Result(1, "", "Call to Reboot failed: Interactive authentication required.\n")
    call.box.world.power_cycle()
    return Result()


def _flock(call: Call) -> Run | Result:
    """A descriptor, or a file and a command. Programs of a fake never run at once: it is free."""
    rest = [word for word in call.args[1:] if word not in {"-x", "-n", "-e"}]
    return _again(call, tuple(rest[1:])) if rest[1:] else Result()


def _pgrep(_: Call) -> Result:
    return Result(1)


def quote(words: tuple[str, ...]) -> str:
    """A command line that gives these words again."""
    return shlex.join(words)


PROGRAMS: Mapping[str, Program] = {
    "/usr/bin/sudo": _sudo,
    "/bin/sh": _shell,
    "/usr/bin/sh": _shell,
    "/bin/bash": _shell,
    "/usr/bin/bash": _shell,
    "/usr/bin/nohup": _detached,
    "/usr/bin/nice": _detached,
    "/usr/bin/setsid": _setsid,
    "/usr/bin/timeout": _timeout,
    "/usr/bin/env": _env,
    "/usr/bin/command": _command,
    "/usr/bin/which": _which,
    "/usr/bin/kill": _kill,
    "/usr/bin/flock": _flock,
    "/usr/bin/pgrep": _pgrep,
    "/usr/bin/pkill": _pgrep,
    "/usr/bin/hostname": _hostname,
    "/usr/bin/id": _id,
    "/usr/bin/whoami": lambda call: Result(0, call.user + "\n"),
    "/usr/bin/uptime": _uptime,
    "/usr/sbin/reboot": _reboot,
}
