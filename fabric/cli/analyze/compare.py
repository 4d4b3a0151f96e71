"""The same load on several designs, side by side with what they are made of."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, derived, write_json, write_lines
from fabric.cli.analyze._asking import word_of
from fabric.cli.analyze._progress import Shown
from fabric.cli.analyze.bandwidth import (
    LimitOption,
    PatternOption,
    QpsOption,
    SeedOption,
    TrialsOption,
    numbers,
)

InventoriesArgument = Annotated[list[Path], typer.Argument(help="Inventories, two or more.")]


def command(
    inventories: InventoriesArgument,
    *,
    qps: QpsOption = "1,8",
    pattern: PatternOption = "bisection",
    trials: TrialsOption = 50,
    seed: SeedOption = 1,
    time_limit: LimitOption = 120.0,
    as_json: AsJson = False,
) -> int:
    """The same load on several designs, side by side with what they are made of."""
    from fabric.analysis.bandwidth.answer import Asked  # noqa: PLC0415
    from fabric.analysis.bandwidth.comparing import compared  # noqa: PLC0415
    from fabric.analysis.bandwidth.demand import NoGroupsError  # noqa: PLC0415
    from fabric.analysis.bandwidth.patterns import PATTERNS  # noqa: PLC0415
    from fabric.report import comparison as report  # noqa: PLC0415

    if len(inventories) < 2:  # noqa: PLR2004 - to compare
        msg = "one inventory has nothing to be compared with"
        raise UsageError(msg, "fabric analyze bandwidth looks at one")
    word_of("--pattern", pattern, PATTERNS)
    asked = Asked(
        qps=numbers(qps), pattern=pattern, trials=trials, seed=seed, time_limit_s=time_limit
    )
    designs = [(derived(path).design, str(path)) for path in inventories]
    shown = Shown("designs")
    found = []
    try:
        for number, (design, path) in enumerate(designs, 1):
            found.append(compared(design, path, asked))
            shown.progress(number, len(designs))
    except NoGroupsError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg, "take another --pattern") from None
    except ValueError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg, "give every inventory hosts") from None
    finally:
        shown.clear()
    if as_json:
        write_json({"schema": report.SCHEMA, **report.comparison_json(found)})
    else:
        write_lines(report.comparison_lines(found))
    return OK
