"""`fabric show systems`: the switch systems that an inventory can name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.cli import OK
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.report import listing

if TYPE_CHECKING:
    from pathlib import Path

    from fabric.model.platform import PlatformSpec

SCHEMA = 1


def systems(*, as_json: AsJson = False) -> int:
    """Switch systems by the names to write, and what each can do as far as a source confirms it."""
    from fabric import catalog  # noqa: PLC0415
    from fabric.files.locate import templates_root  # noqa: PLC0415
    from fabric.report.models import system_row  # noqa: PLC0415

    roots = (templates_root(),)
    specs = [catalog.platform_spec(name, roots) for name in catalog.platform_names(roots)]
    rows = [system_row(spec, _timer(spec, roots)) for spec in specs if spec.kind == "switch"]
    if as_json:
        write_json({"schema": SCHEMA, "systems": rows})
    else:
        note = (
            "No procedure has been run on hardware by this project: docs/platforms has a page each."
        )
        write_lines([*listing.table_lines(rows), "", f"  {note}"])
    return OK


def _timer(spec: PlatformSpec, roots: tuple[Path, ...]) -> str | None:
    from fabric.catalog.push import push_spec, pushable_names  # noqa: PLC0415
    from fabric.platforms import procedures  # noqa: PLC0415

    if spec.name not in pushable_names(roots):
        return None
    found = procedures(spec, push_spec(spec.name, roots))
    return found[1].timer.value if found else None
