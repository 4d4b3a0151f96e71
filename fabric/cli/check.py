"""Check an inventory and its design; write nothing."""

from __future__ import annotations

from fabric.cli._show import (
    AsJson,
    FailOn,
    derived,
    exit_code,
    severity,
    style,
    today,
    write_json,
    write_lines,
)
from fabric.cli.plan import InventoryArgument


def command(
    inventory: InventoryArgument, *, fail_on: FailOn = "error", as_json: AsJson = False
) -> int:
    """Check an inventory and its design; write nothing."""
    from fabric import flow  # noqa: PLC0415
    from fabric.report.findings import findings_json, findings_text  # noqa: PLC0415

    limit = severity(fail_on)
    found = flow.check_all(derived(inventory), today=today())
    if as_json:
        write_json({"fabric": found.fabric, **findings_json(found.findings)})
    else:
        tail = f"{found.rules_ok} rules hold · fabric rules lists them all"
        write_lines([found.fabric, *findings_text(found.findings, style()), f"  {tail}"])
    return exit_code(found.findings, limit)
