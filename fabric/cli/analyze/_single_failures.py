"""``analyze bandwidth --failures 1``: what each single failure costs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.cli import OK, UsageError
from fabric.cli._show import style, write_json, write_lines
from fabric.cli.analyze._asking import somebody_fix
from fabric.cli.analyze._progress import Shown

if TYPE_CHECKING:
    from fabric.analysis.bandwidth.answer import Asked
    from fabric.model.bandwidth import FailureSweep
    from fabric.model.design import Design


def costly_parts(asked: Asked, *, full: bool) -> tuple[str, ...]:
    """What is worked out beyond bisection, worst leaf and even-split θ of uniform traffic.

    Who says how flows are drawn or hashed asks for effective rates.
    """
    from fabric.analysis.bandwidth.answer import Asked  # noqa: PLC0415 - after the arguments

    if full:
        return ("theta", "effective")
    usual = Asked()
    told = ("qps", "hash", "pattern", "trials", "seed")
    drawn = any(getattr(asked, key) != getattr(usual, key) for key in told)
    return ("effective",) if drawn else ()


def single_failures(
    design: Design,
    asked: Asked,
    word: str,
    names: list[str],
    parts: tuple[str, ...],
    *,
    as_json: bool,
) -> int:
    """Work them out and print them. ``parts``: of the costly ones (``theta``, ``effective``).

    Raises:
        UsageError: a word that names no sets, too many of them, nothing to send.
    """
    from fabric.report import bandwidth, failures  # noqa: PLC0415 - after the arguments

    if word != "1":
        msg = f"--failures {word}: single failures are worked out"
        raise UsageError(msg, "--failures 1; sets of failures are named with --fail")
    found = _found(design, asked, parts)
    if as_json:
        head: dict[str, object] = {"schema": bandwidth.SCHEMA, "fabric": design.intent.name}
        write_json({**head, "failed": names, **failures.sweep_json(found)})
    else:
        state = f" · down: {', '.join(names)}" if names else ""
        write_lines([f"{design.intent.name}{state}", *failures.sweep_lines(found, style())])
    return OK


def _found(design: Design, asked: Asked, parts: tuple[str, ...]) -> FailureSweep:
    from fabric.analysis.bandwidth.answer import State, answer  # noqa: PLC0415
    from fabric.analysis.bandwidth.demand import NoGroupsError  # noqa: PLC0415
    from fabric.analysis.bandwidth.failing import swept  # noqa: PLC0415
    from fabric.analysis.bandwidth.failing_in_full import in_full  # noqa: PLC0415
    from fabric.analysis.failure_sets import SweepTooLargeError  # noqa: PLC0415

    shown = Shown("kinds of failures")
    full = Shown("kinds of failures in full")
    try:
        if parts:  # what the fabric does not have is said before the long work
            answer(design, replace(asked, only="effective", qps=asked.qps[:1], trials=1))
        found = swept(
            State(design, asked.cables, asked.switches),
            time_limit_s=asked.time_limit_s,
            progress=shown.progress,
        )
        if parts:
            found = in_full(design, asked, replace(found, parts=parts), progress=full.progress)
    except SweepTooLargeError as error:
        raise UsageError(str(error), "name what fails with --fail") from None
    except NoGroupsError as error:
        raise UsageError(str(error), "take another --pattern or --hash") from None
    except ValueError as error:
        failed = bool(asked.cables or asked.switches)
        raise UsageError(str(error), somebody_fix(design, failed=failed)) from None
    finally:
        shown.clear()
    return found
