"""One command's output → facts: clean, read by the system's reader, else say whose output it is."""

from __future__ import annotations

import importlib
import re
from typing import TYPE_CHECKING, Any, cast

from fabric.catalog.commands import command_book, readable_names
from fabric.discover import entry
from fabric.model.reading import CommandSpec, Output, Reading
from fabric.reading.clean import cleaned, decoded, echoed_port

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.model.reading import CommandBook

_PORT = "port"  # of a command about one port, which often stands in its echo alone
ERROR = "error"  # slug of any rejected command's answer
_MOST_LINES = 200  # lines of a foreign template that are dropped before giving up
_BAD_LINE = re.compile(r"Input Line: (.*?)\.?$")  # some releases end in a full stop


class NotSupportedError(LookupError):
    """The system has no reader for that command; ``known``: the slugs that it has."""

    def __init__(self, platform: str, slug: str, known: tuple[str, ...]) -> None:
        super().__init__(f"{platform} has no reader for {slug}")
        self.platform, self.slug, self.known = platform, slug, known


def read_output(platform: str, slug: str, raw: bytes, roots: Iterable[Path]) -> Output:
    """The facts in the output of one command.

    Raises:
        UnknownNameError: there is no such system.
        NotSupportedError: the system has no reader for the command.
    """
    searched = tuple(roots)
    book = command_book(platform, searched)
    spec = book.command(slug)
    if spec is None and slug != ERROR:
        raise NotSupportedError(book.platform, slug, tuple(c.slug for c in book.commands))
    text = decoded(raw)
    plain = cleaned(text, spec.send if spec else "")
    reading = _reading(book.platform, spec, plain) if spec else Reading()
    if reading.facts:
        if spec and _PORT in spec.reads and (port := echoed_port(text, spec.send)):
            reading.facts.setdefault(_PORT, port)
        error = slug == ERROR and reading.facts.get("error") is True
        message = str(reading.facts.get("message") or "") if error else ""
        return Output(reading.facts, reading.unparsed, error, message)
    message = _rejected(book, plain) or ""
    if message:
        return Output(error=True, message=message)
    if not plain.strip():
        return Output()
    return Output(
        unparsed=reading.unparsed or tuple(line for line in plain.split("\n") if line.strip()),
        mismatch=_whose(book, spec, plain, searched) if spec else None,
    )


def _reading(platform: str, spec: CommandSpec, text: str) -> Reading:
    if spec.sign and not re.search(spec.sign, text, re.MULTILINE):
        return Reading()
    reader = _reader(platform, spec.reader)
    if not spec.ntc:
        return cast("Reading", reader(text))
    rows, left = _ntc_rows(spec.ntc, text)
    if not rows:
        return Reading()
    reading = cast("Reading", reader(rows))
    return Reading(reading.facts, (*reading.unparsed, *left))


def _reader(platform: str, name: str) -> Any:
    module, _, function = name.partition(".")
    package = entry("fabric.platforms", platform).__name__
    return getattr(importlib.import_module(f"{package}.readers.{module}"), function)


def _ntc_rows(template: str, text: str) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """Rows of an ntc-template. It stops at a line that it does not know: that line is left out."""
    from importlib import resources  # noqa: PLC0415

    import textfsm  # noqa: PLC0415 - only where a system uses it

    left: list[str] = []
    file = resources.files("ntc_templates") / "templates" / f"{template}.textfsm"
    with file.open(encoding="utf-8") as words:
        machine = textfsm.TextFSM(words)
    lines = text.split("\n")
    while len(left) <= _MOST_LINES:
        machine.Reset()
        try:
            found = machine.ParseTextToDicts("\n".join(lines))
        except textfsm.TextFSMError as error:
            bad = _BAD_LINE.search(str(error))
            at = _place(lines, bad[1]) if bad else None
            if at is None:
                return [], tuple(left)
            left.append(lines.pop(at).strip())
        else:
            return [{k.lower(): v for k, v in row.items()} for row in found], tuple(left)
    return [], tuple(left)


def _place(lines: list[str], bad: str) -> int | None:
    """Where the line stands that an error names; its own full stop may be missing there."""
    return next((n for n, line in enumerate(lines) if line in (bad, f"{bad}.")), None)


def _rejected(book: CommandBook, text: str) -> str | None:
    for pattern in book.errors:
        found = re.search(pattern, text, re.MULTILINE)
        if found:
            named = found.groupdict().get("message")
            return (named if named is not None else found[0]).strip()
    return None


def _whose(book: CommandBook, spec: CommandSpec, text: str, roots: tuple[Path, ...]) -> str | None:
    """The system with a reader for the same facts that understands most of the text.

    Of those that print the same (FRR's words) the one with a command of that very name.
    """
    best: tuple[int, bool, str] | None = None
    for name in readable_names(roots):
        if name == book.platform:
            continue
        other = command_book(name, roots)
        for command in other.commands:
            if command.slug == ERROR or not set(command.reads) & set(spec.reads):
                continue
            reading = _reading(name, command, cleaned(text, command.send))
            if any(reading.facts.values()):
                found = (len(reading.unparsed), command.slug != spec.slug, name)
                best = min(best, found) if best else found
    return best[2] if best else None
