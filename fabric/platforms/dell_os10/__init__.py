"""Dell SmartFabric OS10: what its text means for a packet, what breaks it, what it lacks.

Sources: ipspace/netlab (dellos10), Microsoft's Azure Local configurations, dellemc.os10, pages of
Dell's user and API guides. The DSCP map stands in none of them; the manifest says so.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.dell_os10.intended import intended
from fabric.platforms.dell_os10.left_out import left_out
from fabric.platforms.dell_os10.problems import problems_of
from fabric.platforms.dell_os10.reading import chains_of, read_config

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.device import DeviceModel
    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port.

    Raises:
        ConfigError: there is no ``os10.cfg``, or it is no config of OS10.
    """
    return chains_of(read_config(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``os10.cfg``, or it is no config of OS10.
    """
    return tuple(problems_of(read_config(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """Nothing holds for the whole switch that a rendered config sets.

    Raises:
        ConfigError: there is no ``os10.cfg``, or it is no config of OS10.
    """
    read_config(files)
    return {}


def intended_settings(_model: DeviceModel) -> dict[str, str]:
    """What :func:`settings` must find."""
    return {}
