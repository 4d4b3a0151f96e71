"""Ping from every host to every other one, from each NIC to each."""

from __future__ import annotations

from fabric.cli import FINDINGS, OK
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.cli.lab._asking import LabArgument, NameOption, as_root, lab_name, told

_SHOWN = 20


def command(inventory: LabArgument, *, name: NameOption = None, as_json: AsJson = False) -> int:
    """Ping from every host to every other one, from each NIC to each."""
    from fabric.live.lab import find, ready  # noqa: PLC0415 — after the arguments

    as_root()
    lab = lab_name(inventory, name)
    with told():
        layout = find.running(lab).layout
        lost = ready.unanswered(layout)
    count = len(layout.hosts)
    if as_json:
        write_json({"schema": 1, "lab": lab, "hosts": count, "unanswered": lost})
    elif lost:
        more = [f"  … and {len(lost) - _SHOWN} more"] if len(lost) > _SHOWN else []
        write_lines(
            [f"{len(lost)} pings without an answer:", *(f"  {x}" for x in lost[:_SHOWN]), *more]
        )
    else:
        write_lines([f"Every one of {count} hosts has an answer from every other one."])
    return FINDINGS if lost else OK
