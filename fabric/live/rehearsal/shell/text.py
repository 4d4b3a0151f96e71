"""Small programs about text and tests: echo, printf, test, grep, head, sleep and their like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from fabric.live.rehearsal.shell.interpreter import Program


def read(call: Call, names: tuple[str, ...]) -> Result:
    """The contents of files, or of the standard input where none is named."""
    if not names:
        return Result(0, call.stdin)
    out = err = ""
    for name in names:
        path = call.path(name)
        if path in call.box.disk:
            out += call.box.disk[path].decode(errors="replace")
        else:
            folder = call.box.files.is_folder(path)
            why = "Is a directory" if folder else "No such file or directory"
            err += f"{call.args[0]}: {name}: {why}\n"
    return Result(int(bool(err)), out, err)


def options(call: Call) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Arguments with a hyphen in front, and the others."""
    rest = call.args[1:]
    dashed = tuple(each for each in rest if each.startswith("-") and each != "-")
    return dashed, tuple(each for each in rest if each not in dashed)


def _echo(call: Call) -> Result:
    words = call.args[1:]
    if words[:1] == ("-n",):
        return Result(0, " ".join(words[1:]))
    return Result(0, " ".join(words) + "\n")


def _printf(call: Call) -> Result:
    form = call.args[1].replace("\\n", "\n").replace("\\t", "\t").replace("%%", "%")
    values = list(call.args[2:])
    if "%" not in form or not values:
        return Result(0, re.sub("%[sd]", "", form))
    out = ""
    while values:
        out += re.sub("%[sd]", lambda _: values.pop(0) if values else "", form)
    return Result(0, out)


_FILE_TESTS: Mapping[str, Callable[[Call, str], bool]] = {
    "-e": lambda call, path: path in call.box.disk or call.box.files.is_folder(path),
    "-f": lambda call, path: path in call.box.disk,
    "-d": lambda call, path: call.box.files.is_folder(path),
    "-s": lambda call, path: bool(call.box.disk.get(path)),
    "-r": lambda call, path: path in call.box.disk,
    "-w": lambda call, path: call.box.files.may_write(call.user, path),
    "-x": lambda call, path: path in call.box.programs or call.box.files.is_folder(path),
}
_COMPARE: Mapping[str, Callable[[str, str], bool]] = {
    "=": lambda one, two: one == two,
    "==": lambda one, two: one == two,
    "!=": lambda one, two: one != two,
    "-eq": lambda one, two: int(one) == int(two),
    "-ne": lambda one, two: int(one) != int(two),
    "-gt": lambda one, two: int(one) > int(two),
    "-lt": lambda one, two: int(one) < int(two),
    "-ge": lambda one, two: int(one) >= int(two),
    "-le": lambda one, two: int(one) <= int(two),
}


def _test(call: Call) -> Result:
    words = list(call.args[1:])
    if call.args[0].endswith("["):
        if words[-1:] != ["]"]:
            return Result(2, "", "bash: line 1: [: missing `]'\n")
        words.pop()
    negated = words[:1] == ["!"]
    try:
        return Result(int(_holds(call, words[negated:]) == negated))
    except (KeyError, ValueError, IndexError):
        return Result(2, "", f"bash: line 1: test: {' '.join(words)}: unexpected operator\n")


def _holds(call: Call, words: list[str]) -> bool:
    match words:
        case [] | [""]:
            return False
        case [_]:
            return True
        case ["-n", text]:
            return bool(text)
        case ["-z", text]:
            return not text
        case [test, path]:
            return _FILE_TESTS[test](call, call.path(path))
        case [one, comparison, two]:
            return _COMPARE[comparison](one, two)
    raise ValueError(words)


def _grep(call: Call) -> Result:
    flags, rest = options(call)
    letters = "".join(flag[1:] for flag in flags)
    pattern = re.escape(rest[0]) if "F" in letters else rest[0]
    if "x" in letters:
        pattern = f"^(?:{pattern})$"
    found = read(call, rest[1:])
    matcher = re.compile(pattern, re.IGNORECASE if "i" in letters else 0)
    lines = [
        line for line in found.out.splitlines() if bool(matcher.search(line)) != ("v" in letters)
    ]
    shown = f"{len(lines)}\n" if "c" in letters else "".join(line + "\n" for line in lines)
    status = 2 if found.status else int(not lines)
    return Result(status, "" if "q" in letters else shown, found.err)


def _head(call: Call) -> Result:
    flags, rest = options(call)
    count = 10
    if flags == ("-n",):
        count, rest = int(rest[0]), rest[1:]
    elif flags:
        count = int(flags[0].lstrip("-n"))
    found = read(call, rest)
    lines = found.out.splitlines(keepends=True)
    part = lines[:count] if call.args[0].endswith("head") else lines[-count:]
    return Result(found.status, "".join(part), found.err)


def _sleep(call: Call) -> Result:
    return Result(seconds=sum(span(word) for word in call.args[1:]))


def span(text: str) -> float:
    """Seconds of a span of time: ``90``, ``90s``, ``10min``, ``1h``.

    Raises:
        ValueError: it is none.
    """
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*(s|sec|seconds?|m|min|minutes?|h|hours?)?", text)
    if not found:
        raise ValueError(text)
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[(found[2] or "")[:1]]


def _cat(call: Call) -> Result:
    return read(call, options(call)[1])


def _wc(call: Call) -> Result:
    flags, rest = options(call)
    found = read(call, rest)
    counts = {
        "-l": found.out.count("\n"),
        "-c": len(found.out.encode()),
        "-w": len(found.out.split()),
    }
    numbers = " ".join(str(counts[flag]) for flag in flags or ("-l", "-w", "-c"))
    return Result(found.status, f"{numbers} {' '.join(rest)}".rstrip() + "\n", found.err)


PROGRAMS: Mapping[str, Program] = {
    "/usr/bin/echo": _echo,
    "/usr/bin/printf": _printf,
    "/usr/bin/test": _test,
    "/usr/bin/[": _test,
    "/usr/bin/grep": _grep,
    "/usr/bin/head": _head,
    "/usr/bin/tail": _head,
    "/usr/bin/sleep": _sleep,
    "/usr/bin/cat": _cat,
    "/usr/bin/wc": _wc,
    "/usr/bin/true": lambda _: Result(0),
    "/usr/bin/false": lambda _: Result(1),
    "/usr/bin/:": lambda _: Result(0),
}
