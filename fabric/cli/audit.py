"""Audit a switch's running configuration without a plan: is what should be lossless lossless?"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from fabric.cli import UsageError
from fabric.cli._show import (
    AsJson,
    FailOn,
    exit_code,
    severity,
    style,
    write_json,
    write_lines,
)

PlatformOption = Annotated[str, typer.Option("--platform", "-p", help="System of the switch.")]
FileArgument = Annotated[
    str, typer.Argument(help="Its running configuration; - reads standard input.")
]
DscpOption = Annotated[
    list[int] | None,
    typer.Option("--dscp", help="A DSCP that should be lossless; can be given several times."),
]
_DSCPS = 64


def command(
    file: FileArgument,
    *,
    platform: PlatformOption,
    dscp: DscpOption = None,
    fail_on: FailOn = "error",
    as_json: AsJson = False,
) -> int:
    """Follow DSCP → TC → queue / PG → PFC → buffer on every port of a running configuration.

    Without --dscp every DSCP that ends in a lossless priority group on some port is followed.
    Exit 1: findings; 2: the file cannot be read, or is another system's.
    """
    from fabric.checks.auditing import AuditError, audit_of  # noqa: PLC0415
    from fabric.files.locate import templates_root  # noqa: PLC0415
    from fabric.report.audit import audit_json, audit_lines  # noqa: PLC0415

    limit = severity(fail_on)
    wanted = tuple(dict.fromkeys(dscp or ()))
    odd = [n for n in wanted if not 0 <= n < _DSCPS]
    if odd:
        msg = f"--dscp {odd[0]}: a DSCP is 0 to 63"
        raise UsageError(msg, "a TOS byte is four times the DSCP: 104 is DSCP 26")
    raw = _content(file)
    try:
        found, title = audit_of(platform, raw, file, (templates_root(),), dscps=wanted)
    except AuditError as error:
        raise UsageError(str(error), error.fix) from None
    if as_json:
        write_json(audit_json(found))
    else:
        write_lines(audit_lines(found, title, style()))
    return exit_code(found.findings, limit)


def _content(file: str) -> bytes:
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        msg = f"cannot read {file}: {error.strerror}"
        raise UsageError(msg) from None
