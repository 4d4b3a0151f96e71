"""H3C Comware 7 and 9: what its text means for a packet, what breaks it, what it lacks.

Sources: the Comware 7 command reference, H3C's guides "Configuring PFC" and "BGP overview" of 2024.
Units of buffers, WRED and deadlock detection differ by model and stand in none of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.hp_comware.intended import intended
from fabric.platforms.hp_comware.left_out import left_out
from fabric.platforms.hp_comware.problems import problems_of
from fabric.platforms.hp_comware.reading import chains_of, read_config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port.

    Raises:
        ConfigError: there is no ``comware.cfg``, or it is no config of Comware.
    """
    return chains_of(read_config(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``comware.cfg``, or it is no config of Comware.
    """
    return tuple(problems_of(read_config(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """Nothing holds for the whole switch that a rendered config sets.

    Raises:
        ConfigError: there is no ``comware.cfg``, or it is no config of Comware.
    """
    read_config(files)
    return {}


def intended_settings(_model: DeviceModel) -> dict[str, str]:
    """What :func:`settings` must find."""
    return {}
