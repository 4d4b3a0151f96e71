"""Options of the command ``fabric`` itself."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from fabric.files.version import program_version


def _print_version(value: bool) -> None:  # typer passes it by position
    if value:
        sys.stdout.write(f"roce-fabric {program_version()}\n")
        raise typer.Exit(0)


VersionOption = Annotated[
    bool,
    typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version),
]


def options(*, version: VersionOption = False) -> None:
    """Lossless RoCEv2 networks from one inventory: model, configure, prove, watch."""
