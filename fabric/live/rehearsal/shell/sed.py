"""``sed`` as far as single commands go: ``s/a/b/``, ``p`` and ``d`` with addresses (sed(1p))."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabric.live.rehearsal.shell.interpreter import Call, Result
from fabric.live.rehearsal.shell.text import options, read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabric.live.rehearsal.shell.interpreter import Program

_ONE = r"(\d+|\$|/(?:[^/\\]|\\.)*/)"
_SCRIPT = re.compile(
    rf"(?:{_ONE}(?:,{_ONE})?)?\s*([pd]|s/((?:[^/\\]|\\.)*)/((?:[^/\\]|\\.)*)/(g?p?))"
)


def _python(basic: str) -> str:
    """A basic regular expression as Python's: its groups have backslashes before them."""
    swapped = {"\\(": "(", "\\)": ")", "(": "\\(", ")": "\\)", "\\+": "+", "+": "\\+"}
    return re.sub(r"\\?[()+]", lambda found: swapped[found[0]], basic)


def _sed(call: Call) -> Result:
    flags, rest = options(call)
    silent = "-n" in flags
    found = _SCRIPT.fullmatch(rest[0].strip()) if rest else None
    if found is None:
        return Result(1, "", "sed: -e expression #1, char 1: unknown command\n")
    text = read(call, rest[1:])
    lines = text.out.splitlines(keepends=True)
    out = "".join(_edited(lines, found, silent=silent))
    return Result(2 if text.status else 0, out, text.err)


def _edited(lines: list[str], script: re.Match[str], *, silent: bool) -> Iterator[str]:
    first, last, verb, old, new, flags = script.groups()
    inside = False
    for number, line in enumerate(lines, 1):
        chosen, inside = _chosen(first, last, (number, line, len(lines)), inside=inside)
        shown = line
        printed = chosen and verb == "p"
        if chosen and verb.startswith("s"):
            shown, count = re.subn(_python(old), new, line, count=0 if "g" in flags else 1)
            printed = bool(count) and "p" in flags
        if not silent and not (chosen and verb == "d"):
            yield shown
        if printed:
            yield shown


def _chosen(
    first: str | None, last: str | None, at: tuple[int, str, int], *, inside: bool
) -> tuple[bool, bool]:
    """Whether a line is addressed, and whether the next one may be too, of a range."""
    if first is None:
        return True, False
    if last is None:
        return _fits(first, at), False
    if inside:
        return True, not _fits(last, at)
    begins = _fits(first, at)
    return begins, begins and not (last.isdigit() and int(last) <= at[0])


def _fits(address: str, at: tuple[int, str, int]) -> bool:
    number, line, count = at
    if address == "$":
        return number == count
    if address.isdigit():
        return number == int(address)
    return re.search(_python(address[1:-1]), line.rstrip("\n")) is not None


PROGRAMS: Mapping[str, Program] = {"/usr/bin/sed": _sed}
