"""Print the JSON Schema of an inventory, for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, write_json

Observed = Annotated[
    bool, typer.Option("--observed", help="The schema of observed facts instead (analyze).")
]
Job = Annotated[
    bool, typer.Option("--workload", help="The schema of a job instead (analyze workload).")
]


def command(*, observed: Observed = False, workload: Job = False, as_json: AsJson = False) -> int:
    """Print the JSON Schema of an inventory, for editors (it is JSON with and without --json)."""
    from fabric.inventory import json_schema  # noqa: PLC0415

    del as_json
    if observed and workload:
        msg = "--observed and --workload are two schemas"
        raise UsageError(msg, "one of them")
    if workload:
        write_json(json_schema.workload_schema_json())
    else:
        write_json(json_schema.observed_schema_json() if observed else json_schema.schema_json())
    return OK
