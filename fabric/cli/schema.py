"""Print the JSON Schema of an inventory, for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli import OK
from fabric.cli._show import AsJson, write_json

Observed = Annotated[
    bool, typer.Option("--observed", help="The schema of observed facts instead (analyze).")
]


def command(*, observed: Observed = False, as_json: AsJson = False) -> int:
    """Print the JSON Schema of an inventory, for editors (it is JSON with and without --json)."""
    from fabric.inventory.json_schema import observed_schema_json, schema_json  # noqa: PLC0415

    del as_json
    write_json(observed_schema_json() if observed else schema_json())
    return OK
