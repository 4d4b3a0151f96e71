"""Options that ``push``, ``rehearse`` and ``rollback`` share; the words are those of a push.

typer reads parameters off a function's signature, so each command still lists those it takes.
"""

from __future__ import annotations

from typing import Annotated

import typer

BuildFolder = Annotated[
    str | None,
    typer.Argument(
        metavar="[BUILD_DIR]",
        help="Folder of a plan, or a fabric below build/; default: the only one there.",
    ),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read, compare and show; change nothing.")]
Offline = Annotated[
    bool, typer.Option("--offline", help="With --dry-run: do not even read devices.")
]
Refresh = Annotated[
    bool, typer.Option("--refresh", help="Make a new Change; a saved one no longer counts.")
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Approve without a question.")]
Approve = Annotated[
    str | None,
    typer.Option(
        "--approve", metavar="SHA", help="Approve the Change with this digest (or FILE) alone."
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Bring a push that was cut off to its end.")]
Devices = Annotated[
    list[str] | None,
    typer.Option("--device", "-d", help="Only this device, its diff in full; repeatable."),
]
Workers = Annotated[int, typer.Option("--workers", min=1, max=1000, help="Devices at a time.")]
WaveSize = Annotated[
    int, typer.Option("--wave-size", min=1, help="Devices in a wave, at the most.")
]
Window = Annotated[
    bool, typer.Option("--window", help="This is a maintenance window: traffic may stop.")
]
AcceptNew = Annotated[
    bool, typer.Option("--accept-new", help="Take down host keys that are not known yet.")
]
AcceptNoTimer = Annotated[
    bool,
    typer.Option("--accept-no-timer", help="Also systems that undo nothing by themselves."),
]
AllowExperimental = Annotated[
    bool, typer.Option("--allow-experimental", help="Also systems that are experimental.")
]
