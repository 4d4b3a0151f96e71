"""Break something on purpose, and mend it again (--repair, or the word clear for everything)."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, style, write_json, write_lines
from fabric.cli.lab._asking import LabArgument, NameOption, as_root, lab_name, told

WordArgument = Annotated[
    str | None,
    typer.Argument(metavar="[FAULT|clear]", help="Left out: list the faults that there are."),
]
TargetArgument = Annotated[
    list[str] | None,
    typer.Argument(metavar="TARGET…", help="A cable (A:B, A:B:n, A/PORT), a node."),
]
RepairOption = Annotated[bool, typer.Option("--repair", help="Take this fault out again.")]


def command(
    inventory: LabArgument,
    word: WordArgument = None,
    targets: TargetArgument = None,
    *,
    repair: RepairOption = False,
    name: NameOption = None,
    as_json: AsJson = False,
) -> int:
    """Break something on purpose, and mend it again."""
    from fabric.live.lab import faults  # noqa: PLC0415 — after the arguments

    if word is None:
        return _listed(as_json=as_json)
    as_root()
    lab, on = lab_name(inventory, name), tuple(targets or ())
    if word == "clear" and (on or repair):
        msg = "clear takes every fault out and nothing else"
        raise UsageError(msg, "name the fault instead, with --repair")
    with told():
        if word == "clear":
            gone = faults.clear(lab)
        elif repair:
            faults.repair(lab, word, on)
            gone = ((word, on),)
        else:
            faults.inject(lab, word, on)
            gone = ()
    if as_json:
        repaired = [{"fault": one, "targets": list(words)} for one, words in gone]
        write_json({"schema": 1, "lab": lab, "repaired": repaired})
    else:
        write_lines(_text(inventory, word, on, gone))
    return OK


def _listed(*, as_json: bool) -> int:
    from fabric.live.lab.faults import FAULTS  # noqa: PLC0415
    from fabric.report.text import columns, wrapped  # noqa: PLC0415

    if as_json:
        keys = ("word", "takes", "title", "shows")
        write_json(
            {"schema": 1, "faults": [{k: getattr(f, k) for k in keys} for f in FAULTS.values()]}
        )
        return OK
    shape = style()
    for fault in FAULTS.values():
        write_lines(columns([(f"{fault.word} {fault.takes}", fault.title)], indent=0))
        write_lines(wrapped(fault.shows, shape, indent=4, first="    "))
    return OK


def _text(
    inventory: str,
    word: str,
    targets: tuple[str, ...],
    gone: tuple[tuple[str, tuple[str, ...]], ...],
) -> list[str]:
    from fabric.live.lab.faults import FAULTS  # noqa: PLC0415

    if word == "clear" and not gone:
        return ["No fault is in force."]
    if gone:
        return [f"Repaired: {one} {' '.join(words)}" for one, words in gone]
    fault = FAULTS[word]
    said = f"{word} {' '.join(targets)}"
    after = (
        f"Next: fabric lab fault {inventory} {said} --repair"
        if fault.repair is not None
        else "It is over: nothing to repair."
    )
    return [f"{said}: {fault.title}. Seen by: {fault.shows}.", after]
