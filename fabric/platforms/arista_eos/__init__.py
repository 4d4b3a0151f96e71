"""Arista EOS: what its text means for a packet, what breaks it, what it has no word for.

Sources: pyavd 6.4.0 (schema and rendering of ``eos_cli_config_gen``), the native models
``aristanetworks/yang`` EOS-4.36.1F, the Arista 7388 DCQCN example of the Gaudi documentation.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.arista_eos.intended import intended, intended_settings
from fabric.platforms.arista_eos.left_out import left_out
from fabric.platforms.arista_eos.lines import config_of
from fabric.platforms.arista_eos.problems import problems_of
from fabric.platforms.arista_eos.reading import chains_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port; priority groups and headroom have no word: ``None``.

    Raises:
        ConfigError: there is no ``eos.cfg``, or it is no config of EOS.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``eos.cfg``, or it is no config of EOS.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: load balancing.

    Raises:
        ConfigError: there is no ``eos.cfg``, or it is no config of EOS.
    """
    return settings_of(config_of(files))
