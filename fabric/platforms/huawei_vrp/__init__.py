"""Huawei VRP on CloudEngine: what its text means for a packet, what breaks it, what has no word.

Source: CE6800 and CE8800 V300R023C00 command reference and configuration guide, as stored in
WheaterW/INTA-project. Two families of boxes (``a`` and ``b``) differ in commands.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.huawei_vrp.config import config_of
from fabric.platforms.huawei_vrp.intended import intended
from fabric.platforms.huawei_vrp.left_out import left_out
from fabric.platforms.huawei_vrp.problems import problems_of
from fabric.platforms.huawei_vrp.reading import chains_of
from fabric.platforms.huawei_vrp.settings import intended_settings, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port; priority groups and thresholds of pauses are not read.

    Raises:
        ConfigError: there is no ``vrp.cfg``, or it is no config of VRP.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``vrp.cfg``, or it is no config of VRP.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: hash seed, what PFC goes by, ECN, headroom pool.

    Raises:
        ConfigError: there is no ``vrp.cfg``, or it is no config of VRP.
    """
    return settings_of(config_of(files))
