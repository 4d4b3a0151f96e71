"""The drawing of effective rates, and options that are about these rates alone."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fabric.cli import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.bandwidth import Bandwidth
    from fabric.model.design import Design


SvgOption = Annotated[
    Path | None, typer.Option("--svg", metavar="FILE", help="Draw the curve over QPs.")
]
PngOption = Annotated[
    Path | None, typer.Option("--png", metavar="FILE", help="The same as PNG; needs Pillow.")
]
_ABOUT = {"effective": "effective rates", "theta": "throughput"}


def refuse_useless(
    only: str | None,
    options: Mapping[str, object],
    failures: str | None,
    part: str = "effective",
) -> None:
    """Refuse options that would be passed over, before any long work.

    Raises:
        UsageError: one of ``options``, which are about ``part`` of one state, without it.
    """
    for option, value in options.items():
        about = f"{option} is about {_ABOUT[part]}"
        if value is not None and failures is not None:
            msg = f"{about} of one state, --failures looks at many"
            raise UsageError(msg, "leave one out; --fail names the state to look at")
        if value is not None and only not in (None, part):
            msg = f"{about}, and --only {only} leaves it out"
            raise UsageError(msg, f"leave --only out, or --only {part}")
    if failures is not None and only is not None:
        msg = f"--only {only}: --failures has figures of its own"
        raise UsageError(msg, "leave one out; --full adds θ and effective rates, --qps these alone")


def refuse_full(failures: str | None) -> None:
    """Refuse ``--full`` alone.

    Raises:
        UsageError: there are no failures to work out.
    """
    if failures is None:
        msg = "--full is about what single failures cost"
        raise UsageError(msg, "--failures 1 --full; without --failures every figure is there")


@dataclass(frozen=True, slots=True)
class Curve:
    """Files that the curve is drawn to."""

    svg: Path | None
    png: Path | None

    def draw(self, design: Design, found: Bandwidth) -> None:
        """Write them.

        Raises:
            UsageError: a file cannot be written.
        """
        from fabric.report.bandwidth_curve import curve  # noqa: PLC0415

        drawings: list[tuple[Path, bytes]] = []
        if self.svg or self.png:
            drawing = curve(found, design.intent.name)
        if self.svg is not None:
            from fabric.report.bandwidth_svg import svg_text  # noqa: PLC0415

            drawings.append((self.svg, svg_text(drawing).encode()))
        if self.png is not None:
            from fabric.report.bandwidth_png import png_bytes  # noqa: PLC0415

            drawings.append((self.png, png_bytes(drawing)))
        for file, content in drawings:
            try:
                file.write_bytes(content)
            except OSError as error:
                msg = f"cannot write {file}: {error.strerror}"
                raise UsageError(msg) from None


def curve_of(svg: Path | None, png: Path | None) -> Curve:
    """Where to draw, with all that is in the way told before the long work.

    Raises:
        UsageError: a file that cannot be written, an ending that promises another form, no Pillow.
    """
    for option, file, ending in (("--svg", svg, ".svg"), ("--png", png, ".png")):
        if file is not None:
            _writable(option, file, ending)
    if png is not None and find_spec("PIL") is None:
        msg = "--png needs Pillow, which is not installed"
        raise UsageError(msg, "pip install 'roce-fabric[png]', or --svg, which needs nothing")
    return Curve(svg, png)


def _writable(option: str, file: Path, ending: str) -> None:
    found = file.suffix.lower()
    if found not in {"", ending}:
        other = {".svg": "--svg", ".png": "--png"}.get(found)
        msg = f"{option} {file}: that option writes {ending[1:].upper()}"
        fix = f"{option} {file.with_suffix(ending)}"
        raise UsageError(msg, f"{other} {file}, or {fix}" if other else fix)
    there = file.is_file()
    try:
        with file.open("ab"):
            pass
    except OSError as error:
        msg = f"cannot write {file}: {error.strerror}"
        raise UsageError(msg, "name another file") from None
    if not there:
        file.unlink()
