"""Take a lab down: every process, namespace and mount of it, also after a crash."""

from __future__ import annotations

from fabric.cli import OK
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.cli.lab._asking import LabArgument, NameOption, as_root, lab_name, told


def command(inventory: LabArgument, *, name: NameOption = None, as_json: AsJson = False) -> int:
    """Take a lab down: every process, namespace and mount of it, also after a crash."""
    from fabric.live.lab import build  # noqa: PLC0415 — after the arguments

    as_root()
    lab = lab_name(inventory, name)
    with told():
        count = build.down(lab)
    if as_json:
        write_json({"schema": 1, "lab": lab, "namespaces_removed": count})
    else:
        write_lines([f"{lab}: {count} namespaces removed" if count else f"{lab} was not up."])
    return OK
