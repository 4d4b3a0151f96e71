"""Traffic whose throughput is asked for beside the named kinds: drawn, or from a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from fabric.model.design import Design
    from fabric.model.traffic import TrafficMatrix

PermutationOption = Annotated[
    int | None,
    typer.Option("--permutation", min=0, metavar="SEED", help="θ of a permutation drawn with it."),
]
MatrixOption = Annotated[
    Path | None,
    typer.Option(
        "--matrix",
        metavar="FILE",
        help="θ of a traffic matrix: CSV with from,to,gbps (or rate, or bytes), or JSON.",
    ),
]


def read(file: Path, design: Design) -> TrafficMatrix:
    """The matrix of a file, its names those of the design.

    Raises:
        fabric.model.finding.InputError: every problem of the file.
    """
    from fabric.inventory.matrix import read_matrix  # noqa: PLC0415

    return read_matrix(file, design.topology)
