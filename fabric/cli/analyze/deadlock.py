"""Prove that PFC cannot deadlock, or show the cycle of buffers port by port."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK, UsageError
from fabric.cli._show import AsJson, derived, style, write_json, write_lines
from fabric.cli.analyze._asking import (
    FailOption,
    MoreArgument,
    RiseOption,
    RootOption,
    RoutingOption,
    asked,
    down,
    switches_of,
    word_of,
)
from fabric.cli.analyze._observed import (
    InventoryOrNot,
    ObservedOption,
    prove_observed,
    refuse_mixed,
)
from fabric.cli.analyze._sweep import sweep
from fabric.cli.analyze._ways_out import draw, ways_out

if TYPE_CHECKING:
    from fabric.analysis.verdict import Question
    from fabric.cli.analyze._ways_out import WaysOut
    from fabric.model.deadlock import DeadlockVerdict
    from fabric.model.design import Design

CertificateOption = Annotated[
    bool, typer.Option("--certificate-only", help="Only the argument, not each buffer.")
]
SvgOption = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the cycle, if there is one.")
]
FailuresOption = Annotated[
    str | None,
    typer.Option(
        "--failures",
        metavar="1|2|sample:N",
        help="All single cables and switches, all sets of two cables, or N sets of two, drawn.",
    ),
]


def command(
    inventory: InventoryOrNot = None,
    more: MoreArgument = None,
    *,
    fail: FailOption = None,
    failures: FailuresOption = None,
    routing: RoutingOption = "as-planned",
    priority_rise: RiseOption = None,
    root: RootOption = None,
    certificate_only: CertificateOption = False,
    svg: SvgOption = None,
    observed: ObservedOption = None,
    as_json: AsJson = False,
) -> int:
    """Prove that PFC cannot deadlock, or show the cycle of buffers port by port."""
    from fabric.analysis import verdict as proof  # noqa: PLC0415 — after the arguments

    if observed is not None:
        refuse_mixed(
            {
                "an inventory": inventory,
                "--fail": fail,
                "--failures": failures,
                "--root": root,
                "--routing": routing != proof.AS_PLANNED,
                "--certificate-only": certificate_only,
                "--svg": svg,
            }
        )
        return prove_observed(observed, priority_rise, as_json=as_json)
    if inventory is None:
        msg = "an inventory is missing"
        raise UsageError(msg, "name one, or a file of observed facts after --observed")
    word_of("--routing", routing, proof.ROUTINGS)
    if priority_rise is not None:
        word_of("--priority-rise", priority_rise, proof.RISES)
    design = derived(inventory).design
    failed = down(design, fail, more)
    roots = switches_of(design, "--root", root)
    if roots and routing != "updown":
        msg = f"--root {roots[0]}: --routing {routing} has no root"
        raise UsageError(msg, "--root goes with --routing updown")
    question = proof.Question(routing, priority_rise, *failed, roots)
    if failures is not None and svg is not None:
        msg = "--svg draws one cycle, --failures asks about many states"
        raise UsageError(msg, "leave one out; --fail names the state to draw")
    if failures is not None:
        return sweep(design, question, failures, only=certificate_only, as_json=as_json)
    answer = proof.certificate_only if certificate_only else proof.verdict
    found = asked(design, lambda: answer(design, question))
    ways = ways_out(design, question, found)
    _print(design, question, found, ways, as_json=as_json)
    if svg is not None:
        draw(svg, design, found)
    return OK if found.cbd is False else FINDINGS


def _print(
    design: Design, question: Question, found: DeadlockVerdict, ways: WaysOut, *, as_json: bool
) -> None:
    from fabric.analysis.verdict import priority_numbers  # noqa: PLC0415
    from fabric.report import deadlock as report  # noqa: PLC0415

    if as_json:
        head = {"schema": report.SCHEMA, "fabric": design.intent.name}
        asked_for = {"failed": list(question.failed), "priority_rise": question.rise}
        write_json({**head, **asked_for, **report.verdict_json(found), **ways.json()})
        return
    state = f" · down: {', '.join(question.failed)}" if question.failed else ""
    numbers = priority_numbers(design, question.rise)
    lines = [*report.verdict_lines(found, numbers, style()), *ways.lines(style())]
    write_lines([f"{design.intent.name}{state}", *lines])
