"""Ping from every host to every other one, and see how leaves share the packets out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.cli.lab._asking import LabArgument, NameOption, Progress, as_root, lab_name, told

if TYPE_CHECKING:
    from fabric.live.lab.ready import Pinged

CountOption = Annotated[int, typer.Option("--count", "-c", min=1, help="Pings of each pair.")]
_SHOWN = 20


def command(
    inventory: LabArgument,
    *,
    count: CountOption = 10,
    name: NameOption = None,
    as_json: AsJson = False,
) -> int:
    """Ping from every host to every other one, and see how leaves share the packets out."""
    from fabric.live.lab import find, ready  # noqa: PLC0415 — after the arguments

    as_root()
    lab = lab_name(inventory, name)
    progress = Progress()
    try:
        with told():
            layout = find.running(lab).layout
            found = ready.ping(layout, count, progress)
    finally:
        progress.clear()
    if as_json:
        hosts = len(layout.hosts)
        value = {"schema": 1, "lab": lab, "hosts": hosts, "unanswered": found.lost}
        write_json({**value, "packets_sent": found.loads})
    else:
        write_lines(_text(found, len(layout.hosts)))
    return FINDINGS if found.lost else OK


def _text(found: Pinged, hosts: int) -> list[str]:
    from fabric.report.text import columns  # noqa: PLC0415

    if found.lost:
        lines = [f"{len(found.lost)} pairs without an answer:"]
        lines += [f"  {line}" for line in found.lost[:_SHOWN]]
        if len(found.lost) > _SHOWN:
            lines.append(f"  … and {len(found.lost) - _SHOWN} more")
    else:
        lines = [f"Every one of {hosts} hosts has an answer from every other one."]
    rows = [
        (leaf, *(f"{peer} {packets:,}" for peer, packets in ways.items()))
        for leaf, ways in found.loads.items()
    ]
    return [*lines, "Packets sent meanwhile, by leaf and neighbour:", *columns(rows)]
