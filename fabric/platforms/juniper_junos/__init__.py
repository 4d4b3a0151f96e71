"""Juniper Junos and Junos Evolved on QFX5000: what its text means for a packet, what breaks it.

Sources: validated designs of ``Juniper/jvd`` (QFX5240, QFX5130, QFX5230), the native models
``Juniper/yang`` 24.4R1-EVO, Juniper's pages on DSCP-based PFC, the PFC watchdog and ``load``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.juniper_junos.config import config_of
from fabric.platforms.juniper_junos.intended import intended, intended_settings
from fabric.platforms.juniper_junos.left_out import left_out
from fabric.platforms.juniper_junos.problems import problems_of
from fabric.platforms.juniper_junos.reading import chains_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each port, from ``set`` lines or the curly form; thresholds are percent.

    Raises:
        ConfigError: there is no ``junos.conf``, or it is no config of Junos.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``junos.conf``, or it is no config of Junos.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: load balancing.

    Raises:
        ConfigError: there is no ``junos.conf``, or it is no config of Junos.
    """
    return settings_of(config_of(files))
