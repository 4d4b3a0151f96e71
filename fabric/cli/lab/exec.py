"""Run a command inside a node: fabric lab exec INVENTORY NODE -- COMMAND…"""

from __future__ import annotations

from typing import Annotated

import typer

from fabric.cli.lab._asking import LabArgument, NameOption, as_root, lab_name, told

NodeArgument = Annotated[str, typer.Argument(help="A switch or a host.")]
CommandArgument = Annotated[
    list[str] | None, typer.Argument(metavar="-- COMMAND…", help="Default: a shell.")
]


def command(
    inventory: LabArgument,
    node: NodeArgument,
    words: CommandArgument = None,
    *,
    name: NameOption = None,
) -> int:
    """Run a command inside a node; its exit status is ours."""
    from fabric.live.lab import find, nodes  # noqa: PLC0415 — after the arguments
    from fabric.live.programs import attached  # noqa: PLC0415

    as_root()
    lab = lab_name(inventory, name)
    with told():
        wanted = find.node_of(find.running(lab).layout, node)
        inside = nodes.inside(lab, wanted, words or ["/bin/bash"])
    return attached(inside)
