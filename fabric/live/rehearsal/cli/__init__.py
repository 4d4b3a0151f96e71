"""Fake switches that are reached by a CLI: one engine, with a system's words as data.

What a system says and knows stands in ``templates/<system>/rehearse/``: ``system.yaml`` (modes,
texts, what it ships with), ``grammar.yaml`` (configuration lines), ``commands*.yaml``. Every reply
names the document or transcript it comes from; one that has none is noted when it is given.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.live.rehearsal.cli.data import load_system
from fabric.live.rehearsal.cli.device import CliBox

if TYPE_CHECKING:
    from fabric.live.rehearsal.box import Box, Setup, World


def box(setup: Setup, world: World) -> Box:
    """A fake switch.

    Raises:
        OSError: there is no ``rehearse`` folder for this system.
    """
    return CliBox(load_system(setup.system), setup, world)
