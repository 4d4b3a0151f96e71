"""The drawing of effective rates, and options that are about these rates alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.cli import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fabric.model.bandwidth import Bandwidth
    from fabric.model.design import Design


def refuse_useless(
    only: str | None, curves: Mapping[str, object], failures: str | None, *, full: bool
) -> None:
    """Refuse options that would be passed over, before any long work.

    Raises:
        UsageError: one of ``curves`` without effective rates, or beside those of many states.
    """
    if full and failures is None:
        msg = "--full is about what single failures cost"
        raise UsageError(msg, "--failures 1 --full; without --failures every figure is there")
    for option, value in curves.items():
        if value is not None and failures is not None:
            msg = f"{option} is about one state, --failures looks at many"
            raise UsageError(msg, "leave one out; --fail names the state to look at")
        if value is not None and only not in (None, "effective"):
            msg = f"{option} is about effective rates, and --only {only} leaves them out"
            raise UsageError(msg, "leave --only out, or --only effective")
    if failures is not None and only is not None:
        msg = f"--only {only}: --failures has figures of its own"
        raise UsageError(msg, "leave one out; --full adds θ and effective rates, --qps these alone")


def writable(file: Path) -> None:
    """Refuse a file that cannot be written, before the long work.

    Raises:
        UsageError: with the reason; an ending that promises another form.
    """
    if file.suffix.lower() not in {"", ".svg"}:
        msg = f"--svg {file}: the curve is drawn as SVG"
        raise UsageError(msg, f"--svg {file.with_suffix('.svg')}")
    there = file.is_file()
    try:
        with file.open("ab"):
            pass
    except OSError as error:
        msg = f"cannot write {file}: {error.strerror}"
        raise UsageError(msg, "name another file") from None
    if not there:
        file.unlink()


def draw(file: Path, design: Design, found: Bandwidth) -> None:
    """Write the curve.

    Raises:
        UsageError: the file cannot be written.
    """
    from fabric.report.bandwidth_svg import curve_svg  # noqa: PLC0415

    drawing = curve_svg(found, design.intent.name)
    try:
        file.write_text(drawing, encoding="utf-8")
    except OSError as error:
        msg = f"cannot write {file}: {error.strerror}"
        raise UsageError(msg) from None
