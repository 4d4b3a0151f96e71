"""Show whether a lab is up, its nodes, and the faults in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.cli import FINDINGS, OK
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.cli.lab._asking import LabArgument, NameOption, as_root, lab_name

if TYPE_CHECKING:
    from fabric.live.lab.layout import Node
    from fabric.live.lab.state import State


def command(inventory: LabArgument, *, name: NameOption = None, as_json: AsJson = False) -> int:
    """Show whether a lab is up, its nodes, and the faults in force."""
    from fabric.live.lab import state  # noqa: PLC0415 — after the arguments
    from fabric.live.lab.find import condition  # noqa: PLC0415

    as_root()  # nobody else may see what there is of a lab
    lab = lab_name(inventory, name)
    word, listed = condition(lab)
    known = state.read(lab)
    if as_json:
        write_json(_json(lab, word, listed, known))
    else:
        write_lines(_text(lab, word, listed, known))
    return FINDINGS if word == "partial" else OK


def _json(
    lab: str, word: str, listed: list[tuple[Node, int | None]], known: State | None
) -> dict[str, object]:
    faults = known.faults if known else ()
    return {
        "schema": 1,
        "lab": lab,
        "state": word,
        "nodes": [
            {
                "name": node.name,
                "kind": node.kind,
                "namespace": node.namespace,
                "pid": pid,
                "addresses": list(node.addresses),
            }
            for node, pid in listed
        ],
        "faults": [{"fault": fault, "targets": list(targets)} for fault, targets in faults],
    }


def _text(
    lab: str, word: str, listed: list[tuple[Node, int | None]], known: State | None
) -> list[str]:
    from fabric.report.text import columns  # noqa: PLC0415

    if word == "down":
        return [f"{lab} is down."]
    rows = [
        (node.name, node.kind, node.management, "not running" if pid is None else f"process {pid}")
        for node, pid in listed
    ]
    lines = [f"{lab} is {word}: {len(listed)} nodes", *columns(rows)]
    faults = known.faults if known else ()
    lines += [f"fault in force: {fault} {' '.join(targets)}" for fault, targets in faults]
    if word == "partial":
        lines.append(f"`fabric lab down {lab}` removes what there is of it.")
    return lines
