"""Write the packets of one port to a file in pcap form."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli import UsageError
from fabric.cli.lab._asking import LabArgument, NameOption, as_root, lab_name, told

PortArgument = Annotated[
    str, typer.Argument(metavar="NODE/PORT", help="Or a cable, A:B: the end on A is meant.")
]
FilterArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="FILTER…", help="tcpdump's words, as in: udp port 4791"),
]
FileOption = Annotated[
    Path, typer.Option("--write", "-w", help="File to write; it must not exist.")
]
CountOption = Annotated[
    int, typer.Option("--count", "-c", min=1, help="End after so many packets.")
]
SecondsOption = Annotated[float, typer.Option("--seconds", min=0.1, help="End after so long.")]


def command(
    inventory: LabArgument,
    port: PortArgument,
    words: FilterArgument = None,
    *,
    write: FileOption,
    count: CountOption = 1000,
    seconds: SecondsOption = 10.0,
    name: NameOption = None,
) -> int:
    """Write the packets of one port to a file in pcap form."""
    from fabric.live.lab import capture, find  # noqa: PLC0415 — after the arguments

    as_root()
    lab = lab_name(inventory, name)
    if write.exists():
        msg = f"{write} exists"
        raise UsageError(msg, "another name after --write")
    with told():
        layout = find.running(lab).layout
        return capture.capture(layout, port, capture.Limits(write, count, seconds), words or ())
