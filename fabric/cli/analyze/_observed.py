"""``--observed``: the proof on a file of observed facts instead of an inventory."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli import FINDINGS, OK, UsageError
from fabric.cli._show import style, write_json, write_lines
from fabric.cli.analyze._asking import word_of

ObservedOption = Annotated[
    Path | None,
    typer.Option(
        "--observed",
        metavar="FILE.json",
        help="Routes and LLDP neighbours of real switches instead of an inventory "
        "(docs/observed.md).",
    ),
]
InventoryOrNot = Annotated[Path | None, typer.Argument(help="The inventory, a YAML file.")]


def refuse_mixed(given: dict[str, object]) -> None:
    """Refuse what says nothing about observed tables.

    Raises:
        UsageError: an option that was given.
    """
    names = [name for name, value in given.items() if value]
    if names:
        msg = f"--observed does not go with {', '.join(names)}"
        raise UsageError(msg, "routes are what the switches have: take the tables in that state")


def prove_observed(path: Path, rise: str | None, *, as_json: bool) -> int:
    """Prove on the facts of a file and print the verdict.

    Raises:
        UsageError: the facts lack what is asked for.
        fabric.model.finding.InputError: they cannot be read.
    """
    from fabric.analysis.observed_verdict import LackingError, verdict  # noqa: PLC0415
    from fabric.analysis.verdict import RISES  # noqa: PLC0415
    from fabric.inventory.observed import read_observed  # noqa: PLC0415
    from fabric.report import deadlock as report  # noqa: PLC0415
    from fabric.report.observed import observed_json, observed_lines  # noqa: PLC0415

    if rise is not None:
        word_of("--priority-rise", rise, RISES)
    facts = read_observed(path)
    try:
        found = verdict(facts, rise)
    except LackingError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg, error.fix) from None
    if as_json:
        head = {
            "schema": report.SCHEMA,
            "fabric": facts.name,
            "observed": path.name,
            "failed": [],
            "priority_rise": rise,
        }
        write_json({**head, **observed_json(found.verdict, found.loops)})
    else:
        lines = observed_lines(found.verdict, found.loops, found.priorities, style())
        title = facts.name or path.stem
        write_lines([f"{title} · {len(facts.devices):,} switches as observed", *lines])
    return OK if found.verdict.cbd is False else FINDINGS
