"""What commands share: printing results and findings, finding the design that is meant."""

from __future__ import annotations

import json
import sys
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import FINDINGS, OK, USAGE, UsageError
from fabric.model.finding import Severity
from fabric.plan.store import PlanError, only_plan, read_plan
from fabric.report.findings import count_line, error_lines, findings_json, worst
from fabric.report.text import Style, terminal_style

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.flow import Derived
    from fabric.model.finding import Finding, InputError

BUILD = Path("build")

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
FailOn = Annotated[
    str, typer.Option("--fail-on", help="Exit 1 from this severity on: info … critical.")
]
InventoryOption = Annotated[
    Path | None,
    typer.Option("--inventory", "-i", help="Inventory; default: the only plan below build/."),
]
OutOption = Annotated[Path, typer.Option("--out", help="Folder that holds the plans.")]


def style() -> Style:
    """Style of standard output."""
    return terminal_style(is_terminal=sys.stdout.isatty())


def write_lines(lines: Iterable[str]) -> None:
    """Result to standard output."""
    sys.stdout.write("\n".join(lines) + "\n")


def write_json(value: object) -> None:
    """Result as JSON to standard output."""
    sys.stdout.write(json.dumps(value, indent=1, ensure_ascii=False) + "\n")


def content_of(file: str) -> bytes:
    """A file's bytes; ``-`` is standard input.

    Raises:
        UsageError: it cannot be read.
    """
    if file == "-":
        return sys.stdin.buffer.read()
    try:
        return Path(file).read_bytes()
    except OSError as error:
        msg = f"cannot read {file}: {error.strerror}"
        raise UsageError(msg) from None


def severity(word: str) -> Severity:
    """A severity by its word.

    Raises:
        UsageError: there is none of that name.
    """
    try:
        return Severity[word.upper()]
    except KeyError:
        names = ", ".join(level.word for level in Severity)
        msg = f"--fail-on {word}: severities are {names}"
        raise UsageError(msg) from None


def exit_code(findings: Sequence[Finding], fail_on: Severity) -> int:
    """0, or 1 when something is at or above ``fail_on``."""
    level = worst(findings)
    return OK if level is None or level < fail_on else FINDINGS


def today() -> date:
    """The date that suppressions expire by."""
    return date.today()  # noqa: DTZ011 — the user's own calendar


def show_input_error(error: InputError, *, as_json: bool) -> int:
    """All problems of the input, on standard error; JSON on standard output."""
    if as_json:
        write_json(findings_json(error.findings))
        return USAGE
    shape = terminal_style(is_terminal=sys.stderr.isatty())
    lines = [line for finding in error.findings for line in error_lines(finding, shape)]
    lines.append(f"{count_line(error.findings)}. Nothing was written.")
    sys.stderr.write("\n".join(lines) + "\n")
    return USAGE


def planned_inventory(out: Path) -> Path:
    """The inventory inside the only plan below ``out``.

    Raises:
        UsageError: there is no plan, or there are several.
    """
    try:
        folder = only_plan(out, "name the inventory of one: `-i FILE`")
        return folder / "inputs" / read_plan(folder).inventory
    except PlanError as error:
        raise UsageError(str(error), error.fix) from None


def derived(inventory: Path | None, out: Path = BUILD) -> Derived:
    """The design of ``inventory``, or of the only plan below ``out``."""
    from fabric import flow  # noqa: PLC0415 — needs pydantic

    return flow.derive(inventory or planned_inventory(out), plans=out)
