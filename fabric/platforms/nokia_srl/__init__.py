"""Nokia SR Linux: what its configuration means for a packet, what breaks it, what it lacks.

Sources: ``nokia/srlinux-yang-models`` v25.3, whose names, ranges and defaults these are; the SR
Linux QoS guide (24.10: named queues and forwarding classes; 25.10: PFC).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.nokia_srl.intended import intended, intended_settings
from fabric.platforms.nokia_srl.left_out import left_out
from fabric.platforms.nokia_srl.problems import problems_of
from fabric.platforms.nokia_srl.reading import chains_of, settings_of
from fabric.platforms.nokia_srl.tree import config_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port; a member of a LAG has its LAG's.

    Raises:
        ConfigError: there is no ``srlinux.json``, or it is no config of SR Linux.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch refuses, or takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``srlinux.json``, or it is no config of SR Linux.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: the seed of the ECMP hash.

    Raises:
        ConfigError: there is no ``srlinux.json``, or it is no config of SR Linux.
    """
    return settings_of(config_of(files))
