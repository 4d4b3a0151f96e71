"""`fabric show models`: the hardware that an inventory can name."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, write_json, write_lines
from fabric.report import listing
from fabric.report.models import nic_row, server_row, switch_row

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")
SCHEMA = 1


def models(
    text: Annotated[
        str, typer.Argument(help="Only names that hold this, such as sn5; default: all.")
    ] = "",
    *,
    inventory: Annotated[
        Path | None,
        typer.Option("--inventory", "-i", help="With the models/ folder beside this inventory."),
    ] = None,
    as_json: AsJson = False,
) -> int:
    """Hardware of the catalogue: switches, NICs and servers, by the names to write."""
    from fabric import catalog  # noqa: PLC0415

    own = () if inventory is None else (inventory.resolve().parent / "models",)
    folders = tuple(folder for folder in own if folder.is_dir())

    def rows(
        names: Sequence[str], load: Callable[..., T], row: Callable[[T], dict[str, object]]
    ) -> list[dict[str, object]]:
        return [row(load(name, folders)) for name in names if text.lower() in name]

    try:
        found = {
            "switches": rows(catalog.switch_names(folders), catalog.switch_model, switch_row),
            "nics": rows(catalog.nic_names(folders), catalog.nic, nic_row),
            "servers": rows(catalog.server_names(folders), catalog.server, server_row),
        }
    except catalog.CatalogFileError as error:
        raise UsageError(str(error), "mend the file") from error
    if as_json:
        write_json({"schema": SCHEMA, **found})
        return OK
    tables = [listing.table_lines(entries) for entries in found.values() if entries]
    lines = [line for table in tables for line in ("", *table)]
    write_lines(lines[1:] or [f"no model has {text!r} in its name"])
    return OK
