"""Write the skeleton of a new switch system into a checkout."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fabric.cli import OK, UsageError
from fabric.cli._show import AsJson, write_json, write_lines

NameArgument = Annotated[str, typer.Argument(help="Its name, as netmiko calls it: acme_os.")]
IntoOption = Annotated[Path, typer.Option("--into", help="The checkout.")]


def command(name: NameArgument, *, into: IntoOption = Path(), as_json: AsJson = False) -> int:
    """Write the skeleton of a new switch system into a checkout.

    No existing file is touched. The contract test then lists what is missing.
    """
    from fabric.text.skeleton import SystemNameError, existing, skeleton  # noqa: PLC0415

    missing = [
        room for room in ("fabric/platforms", "templates", "tests") if not (into / room).is_dir()
    ]
    if missing:
        msg = f"{into} is no checkout of fabric: it has no {missing[0]}"
        raise UsageError(msg, "run it at the top of a checkout, or name one with --into")
    try:
        there = existing(name, into)
        files = tuple(skeleton(name))
    except SystemNameError as error:
        raise UsageError(str(error), "for example acme_os") from None
    if there:
        msg = f"there is a system {name} already: {there[0]}"
        raise UsageError(msg, "choose another name; nothing was written")
    for path, text in files:
        target = into / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    test = f"pytest tests/platforms/test_contract.py -k {name}"
    if as_json:
        write_json({"schema": 1, "name": name, "files": [path for path, _ in files], "next": test})
    else:
        lines = [f"  {path}" for path, _ in files]
        write_lines(
            [
                f"Wrote {len(files)} files:",
                *lines,
                "",
                f"Next: {test}",
                "      docs/new-platform.md",
            ]
        )
    return OK
