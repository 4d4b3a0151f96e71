"""Print the JSON Schema of an inventory, for editors."""

from __future__ import annotations

from fabric.cli import OK
from fabric.cli._show import AsJson, write_json


def command(*, as_json: AsJson = False) -> int:
    """Print the JSON Schema of an inventory, for editors (it is JSON with and without --json)."""
    from fabric.inventory.json_schema import schema_json  # noqa: PLC0415

    del as_json
    write_json(schema_json())
    return OK
