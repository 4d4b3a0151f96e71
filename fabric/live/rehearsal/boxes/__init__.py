"""The software of fake switches that are reached by a shell; ``make`` finds that of any system.

A module ``<system>.py`` here, or the package ``cli`` for the other systems, defines
``box(setup: Setup, world: World) -> Box``.
"""

from __future__ import annotations

import importlib
from importlib.util import find_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.live.rehearsal.box import Box, Setup, World


def make(setup: Setup, world: World) -> Box:
    """The software of a fake switch, booted.

    Raises:
        ValueError: there is none for the system.
    """
    name = f"{__name__}.{setup.system}"
    if find_spec(name) is None:
        name = "fabric.live.rehearsal.cli"
        if find_spec(name) is None:
            message = f"{setup.system}: there is no fake switch of this system"
            raise ValueError(message)
    made: Box = importlib.import_module(name).box(setup, world)
    return made
