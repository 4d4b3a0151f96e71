"""The same load on several designs, side by side with what they are made of."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, derived, write_json, write_lines
from fabric.cli.analyze._asking import somebody_fix, word_of
from fabric.cli.analyze._failed_in_each import failed_in_each
from fabric.cli.analyze._progress import Shown
from fabric.cli.analyze.bandwidth import (
    HashOption,
    LimitOption,
    PatternOption,
    QpsOption,
    SeedOption,
    TrialsOption,
    numbers,
)

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import Asked
    from fabric.model.comparison import Compared
    from fabric.model.design import Design

FailOption = Annotated[
    list[str] | None,
    typer.Option(
        "--fail",
        metavar="[FABRIC=]A:B|DEVICE",
        help="What is down, as in analyze bandwidth: in every design, or in the one of that name. "
        "May be repeated.",
    ),
]
InventoriesArgument = Annotated[list[Path], typer.Argument(help="Inventories, two or more.")]


def command(
    inventories: InventoriesArgument,
    *,
    qps: QpsOption = "1,8",
    hash_model: HashOption = "planned",
    pattern: PatternOption = "bisection",
    trials: TrialsOption = 50,
    seed: SeedOption = 1,
    fail: FailOption = None,
    time_limit: LimitOption = 120.0,
    as_json: AsJson = False,
) -> int:
    """The same load on several designs, side by side with what they are made of."""
    from fabric.analysis.bandwidth.answer import HASHES, Asked  # noqa: PLC0415
    from fabric.analysis.bandwidth.patterns import PATTERNS  # noqa: PLC0415
    from fabric.report import comparison as report  # noqa: PLC0415

    if len(inventories) < 2:  # noqa: PLR2004 - to compare
        msg = "one inventory has nothing to be compared with"
        raise UsageError(msg, "fabric analyze bandwidth looks at one")
    word_of("--pattern", pattern, PATTERNS)
    word_of("--hash", hash_model, HASHES)
    asked = Asked(
        qps=numbers(qps),
        hash=hash_model,
        pattern=pattern,
        trials=trials,
        seed=seed,
        time_limit_s=time_limit,
    )
    found = _found([(derived(path).design, str(path)) for path in inventories], asked, fail or [])
    if as_json:
        write_json({"schema": report.SCHEMA, **report.comparison_json(found)})
    else:
        write_lines(report.comparison_lines(found))
    return OK


def _found(designs: list[tuple[Design, str]], asked: Asked, fail: list[str]) -> list[Compared]:
    from fabric.analysis.bandwidth.comparing import compared  # noqa: PLC0415
    from fabric.analysis.bandwidth.demand import NoGroupsError  # noqa: PLC0415
    from fabric.analysis.bandwidth.paths import LoopError  # noqa: PLC0415
    from fabric.analysis.bandwidth.placing import TooManyFlowsError  # noqa: PLC0415

    failed = failed_in_each(designs, fail)
    shown = Shown("designs")
    found = []
    try:
        for number, ((design, path), lost) in enumerate(zip(designs, failed, strict=True), 1):
            here = replace(asked, cables=lost.cables, switches=lost.switches)
            found.append(compared(design, path, here))
            shown.progress(number, len(designs))
    except (NoGroupsError, TooManyFlowsError) as error:
        msg = f"{path}: {error}"
        raise UsageError(msg, "take another --pattern or --hash, or fewer --qps") from None
    except LoopError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg, f"fabric analyze deadlock {path} shows where") from None
    except ValueError as error:
        msg = f"{path}: {error}"
        raise UsageError(msg, somebody_fix(design, failed=bool(fail))) from None
    finally:
        shown.clear()
    return found
