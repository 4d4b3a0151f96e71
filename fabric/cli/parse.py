"""Read one command's recorded output and print its facts as JSON."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fabric.cli import FINDINGS, OK, PARTIAL, UsageError
from fabric.cli._show import content_of, write_json

PlatformOption = Annotated[
    str, typer.Option("--platform", "-p", help="System or tool that printed it.")
]
CommandOption = Annotated[
    str,
    typer.Option("--command", "-c", help="Slug of the command: its words joined by underscores."),
]
FileArgument = Annotated[str, typer.Argument(help="File with the output; - reads standard input.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON is what it always prints.")]


def command(
    file: FileArgument,
    *,
    platform: PlatformOption,
    command: CommandOption,
    as_json: AsJson = False,  # noqa: ARG001 - for symmetry with every other command
) -> int:
    """Read one command's recorded output and print its facts as one JSON object.

    Exit 0 also for a rejected command (`"error": true`), 1 when the output is another system's,
    3 when there is no reader for the command.
    """
    from fabric.catalog import UnknownNameError  # noqa: PLC0415
    from fabric.files.locate import templates_root  # noqa: PLC0415
    from fabric.text.output import NotSupportedError, read_output  # noqa: PLC0415

    raw = content_of(file)
    try:
        output = read_output(platform, command, raw, (templates_root(),))
    except UnknownNameError as error:
        raise UsageError(str(error), f"known are {', '.join(error.known)}") from None
    except NotSupportedError as error:
        sys.stderr.write(
            f"not supported: {error}\n  help: it has {', '.join(sorted(error.known))}\n"
        )
        return PARTIAL
    found: dict[str, object] = {"schema": 1, **output.facts}
    if output.error:
        found |= {"error": True, "message": output.message}
    if output.mismatch:
        found["mismatch"] = output.mismatch
        sys.stderr.write(f"this is output of {output.mismatch}, not of {platform}\n")
    found["unparsed"] = list(output.unparsed)
    write_json(found)
    return FINDINGS if output.mismatch else OK
