"""Cumulus Linux 5.14 with NVUE: what its config means for a packet, what breaks it, what it lacks.

Sources: CumulusNetworks/docs (cumulus-linux-514, NVUE command reference).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.cumulus_nvue.intended import intended, intended_settings
from fabric.platforms.cumulus_nvue.left_out import left_out
from fabric.platforms.cumulus_nvue.problems import problems_of
from fabric.platforms.cumulus_nvue.reading import chains_of, settings_of
from fabric.platforms.cumulus_nvue.tree import config_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each front port; priority groups and headroom are the switch's: ``None``.

    Raises:
        ConfigError: there is no ``fabric.nv``, or it is no config of NVUE.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch refuses, or takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``fabric.nv``, or it is no config of NVUE.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: the seed of the ECMP hash and the memory pools.

    Raises:
        ConfigError: there is no ``fabric.nv``, or it is no config of NVUE.
    """
    return settings_of(config_of(files))
