"""``--failures``: many sets of failures at once."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from fabric.cli import FINDINGS, INTERRUPTED, OK, UsageError
from fabric.cli._show import style, write_json, write_lines
from fabric.cli.analyze._asking import asked

if TYPE_CHECKING:
    from fabric.analysis.sweeps import Extent
    from fabric.analysis.verdict import Question
    from fabric.model.deadlock import SweepVerdict
    from fabric.model.design import Design

_EVERY_S = 0.2


def sweep(design: Design, question: Question, word: str, *, only: bool, as_json: bool) -> int:
    """Work the sets out and print them. ``only``: a certificate was asked for.

    Raises:
        UsageError: a word that names no sets, or too many of them.
    """
    from fabric.analysis.sweeps import Extent  # noqa: PLC0415 — after the arguments

    if only:
        msg = "--certificate-only looks at no buffers, so it has no failures to work out"
        raise UsageError(msg, "one of --certificate-only and --failures")
    try:
        extent = Extent.of(word)
    except ValueError as error:
        msg = f"--failures {error}"
        raise UsageError(msg, "N is at least 1") from None
    found = _found(design, question, extent)
    _print(design, question, found, as_json=as_json)
    if found.unfailed is not None and found.unfailed.cbd:
        return FINDINGS
    if found.with_cbd or (found.nodes is not None and found.nodes.with_cbd):
        return FINDINGS
    ended = found.complete and (found.nodes is None or found.nodes.complete)
    return OK if ended else INTERRUPTED


def _found(design: Design, question: Question, extent: Extent) -> SweepVerdict:
    from fabric.analysis.failure_sets import MAX_SETS, SweepTooLargeError  # noqa: PLC0415
    from fabric.analysis.sweeps import swept  # noqa: PLC0415

    shown = _Shown()
    try:
        return asked(design, lambda: swept(design, question, extent, progress=shown.progress))
    except SweepTooLargeError as error:
        fix = f"--failures sample:N looks at N sets of two cables, up to {MAX_SETS:,}"
        raise UsageError(str(error), fix) from None
    finally:
        shown.clear()


class _Shown:
    """How far it is, on a terminal."""

    def __init__(self) -> None:
        self._is_terminal = sys.stderr.isatty()
        self._last_s = time.monotonic()

    def progress(self, done: int, of: int) -> None:
        """Sets done, of how many."""
        now_s = time.monotonic()
        if self._is_terminal and now_s - self._last_s > _EVERY_S:
            self._last_s = now_s
            sys.stderr.write(f"\r{done:,} of {of:,} sets, Ctrl-C for what is known by then")

    def clear(self) -> None:
        """Wipe the line."""
        if self._is_terminal:
            sys.stderr.write("\r\x1b[K")


def _print(design: Design, question: Question, found: SweepVerdict, *, as_json: bool) -> None:
    from fabric.analysis.verdict import priority_numbers  # noqa: PLC0415
    from fabric.report import deadlock, sweep  # noqa: PLC0415

    if as_json:
        head = {"schema": deadlock.SCHEMA, "fabric": design.intent.name}
        asked_for = {"failed": list(question.failed), "priority_rise": question.rise}
        more = {"routing": question.routing, **sweep.sweep_json(found)}
        write_json({**head, **asked_for, **more})
        return
    state = f" · down: {', '.join(question.failed)}" if question.failed else ""
    numbers = priority_numbers(design, question.rise)
    lines = sweep.sweep_lines(found, numbers, style())
    write_lines([f"{design.intent.name}{state} · routing {question.routing}", *lines])
