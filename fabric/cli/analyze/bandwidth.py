"""Bisection, throughput and effective rates, with what failures cost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, derived, style, write_json, write_lines
from fabric.cli.analyze._asking import FailOption, MoreArgument, down, somebody_fix, word_of
from fabric.cli.analyze._curve import PngOption, SvgOption, curve_of, refuse_full, refuse_useless
from fabric.cli.analyze._matrix import MatrixOption, PermutationOption, read
from fabric.cli.analyze._progress import Shown
from fabric.cli.analyze._single_failures import costly_parts, single_failures
from fabric.cli.plan import InventoryArgument

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import Asked
    from fabric.model.bandwidth import Bandwidth
    from fabric.model.design import Design

QpsOption = Annotated[str, typer.Option("--qps", help="Flows a pair: 1,8 or 1,2,4,8,16,32.")]
HashOption = Annotated[
    str,
    typer.Option("--hash", help="planned, ecmp, ecmp-polarised, dlb, spray, valiant or ugal-like."),
]
PatternOption = Annotated[
    str, typer.Option("--pattern", help="bisection, permutation or adversarial.")
]
TrialsOption = Annotated[int, typer.Option("--trials", min=1, help="Drawn patterns.")]
SeedOption = Annotated[int, typer.Option("--seed", min=0, help="The same seed, the same digits.")]
OnlyOption = Annotated[
    str | None, typer.Option("--only", help="bisection, theta or effective alone.")
]
LimitOption = Annotated[
    float, typer.Option("--time-limit", min=0.1, help="Seconds for each LP and integer program.")
]
FailuresOption = Annotated[
    str | None, typer.Option("--failures", metavar="1", help="What each single failure costs.")
]
FullOption = Annotated[
    bool,
    typer.Option("--full", help="With --failures: θ by LP, other traffic, effective rates."),
]
TargetOption = Annotated[
    float | None,
    typer.Option("--target", min=0.0, max=100.0, help="Percent: how many QPs reach it."),
]


def command(
    inventory: InventoryArgument,
    more: MoreArgument = None,
    *,
    qps: QpsOption = "1,8",
    hash_model: HashOption = "planned",
    pattern: PatternOption = "bisection",
    trials: TrialsOption = 50,
    seed: SeedOption = 1,
    only: OnlyOption = None,
    fail: FailOption = None,
    failures: FailuresOption = None,
    full: FullOption = False,
    target: TargetOption = None,
    permutation: PermutationOption = None,
    matrix: MatrixOption = None,
    time_limit: LimitOption = 120.0,
    svg: SvgOption = None,
    png: PngOption = None,
    as_json: AsJson = False,
) -> int:
    """Bisection, throughput and effective rates, with what failures cost."""
    from fabric.analysis.bandwidth.answer import HASHES, PARTS, Asked  # noqa: PLC0415
    from fabric.analysis.bandwidth.patterns import PATTERNS  # noqa: PLC0415

    word_of("--hash", hash_model, HASHES)
    word_of("--pattern", pattern, PATTERNS)
    if only is not None:
        word_of("--only", only, PARTS)
    flows = numbers(qps)
    if full:
        refuse_full(failures)
    refuse_useless(only, {"--svg": svg, "--png": png, "--target": target}, failures)
    refuse_useless(only, {"--permutation": permutation, "--matrix": matrix}, failures, "theta")
    curve = curve_of(svg, png)
    design = derived(inventory).design
    failed = down(design, fail, more)
    asked = Asked(
        only=only,
        qps=flows,
        hash=hash_model,
        pattern=pattern,
        trials=trials,
        seed=seed,
        time_limit_s=time_limit,
        cables=failed.cables,
        switches=failed.switches,
        permutation=permutation,
        matrix=None if matrix is None else read(matrix, design),
    )
    names = sorted(failed.cables | failed.switches)
    if failures is not None:
        parts = costly_parts(asked, full=full)
        return single_failures(design, asked, failures, names, parts, as_json=as_json)
    found, needed = _found(design, asked, target)
    curve.draw(design, found)
    _print(design, names, found, needed, target, as_json=as_json)
    return OK


def numbers(text: str) -> tuple[int, ...]:
    """``1,8`` as numbers.

    Raises:
        UsageError: something else.
    """
    words = [word.strip() for word in text.split(",")]
    if not all(word.isascii() and word.isdecimal() and 0 < int(word) <= 1024 for word in words):  # noqa: PLR2004
        msg = f"--qps {text}: numbers of flows a pair, 1 to 1024"
        raise UsageError(msg, "for example --qps 1,2,4,8,16,32")
    return tuple(dict.fromkeys(sorted(int(word) for word in words)))


def _found(
    design: Design, asked: Asked, target: float | None
) -> tuple[Bandwidth, tuple[int, float] | None]:
    from fabric.analysis.bandwidth.answer import answer  # noqa: PLC0415
    from fabric.analysis.bandwidth.demand import NoGroupsError  # noqa: PLC0415
    from fabric.analysis.bandwidth.paths import LoopError  # noqa: PLC0415
    from fabric.analysis.bandwidth.placing import TooManyFlowsError  # noqa: PLC0415
    from fabric.analysis.bandwidth.reaching import qps_for  # noqa: PLC0415

    shown = Shown("trials")
    try:
        found = answer(design, asked, progress=shown.progress)
        needed = None if target is None else qps_for(design, asked, target / 100)
    except NoGroupsError as error:
        raise UsageError(str(error), "take another --pattern or --hash") from None
    except TooManyFlowsError as error:
        raise UsageError(str(error), "fewer --qps, or --hash ecmp") from None
    except LoopError as error:
        raise UsageError(str(error), "fabric analyze deadlock shows where") from None
    except ValueError as error:
        failed = bool(asked.cables or asked.switches)
        raise UsageError(str(error), somebody_fix(design, failed=failed)) from None
    finally:
        shown.clear()
    return found, needed


def _print(
    design: Design,
    names: list[str],
    found: Bandwidth,
    needed: tuple[int, float] | None,
    target: float | None,
    *,
    as_json: bool,
) -> None:
    from fabric.report import bandwidth as report  # noqa: PLC0415

    if as_json:
        head: dict[str, object] = {"schema": report.SCHEMA, "fabric": design.intent.name}
        told = {**head, "failed": names, **report.bandwidth_json(found)}
        if target is not None:
            reached = {"qps": needed[0], "mean": needed[1]} if needed else None
            told["target"] = {"percent": target, "reached": reached}
        write_json(told)
        return
    state = f" · down: {', '.join(names)}" if names else ""
    title = design.topology.shape.title
    lines = [f"{design.intent.name} · {title}{state}", *report.bandwidth_lines(found, style())]
    if target is not None:
        lines += ["", report.target_line(target, needed)]
    lines += [
        "",
        "Next: fabric analyze bandwidth --failures 1 · --qps 1,2,4,8,16,32 --svg curve.svg",
    ]
    write_lines(lines)
