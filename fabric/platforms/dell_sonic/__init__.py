"""Dell Enterprise SONiC's ``sonic-cli``: what its text means, what breaks it, what it lacks.

Not community SONiC: the same switch software below, another owner of its configuration. Sources:
the running configs of ``ansible-collections/dellemc.enterprise_sonic`` 4.1.0, Dell's renderers of
``show running-configuration``, ``sonic-net/sonic-mgmt`` spytest, the CLI reference guide.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.dell_sonic.intended import intended, intended_settings
from fabric.platforms.dell_sonic.left_out import left_out
from fabric.platforms.dell_sonic.lines import config_of
from fabric.platforms.dell_sonic.problems import problems_of
from fabric.platforms.dell_sonic.reading import chains_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port; its headroom follows from speed and cable: ``None``.

    Raises:
        ConfigError: there is no ``sonic-cli.cfg``, or it is no config of this system.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch refuses, or takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``sonic-cli.cfg``, or it is no config of this system.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: the seed of the ECMP hash.

    Raises:
        ConfigError: there is no ``sonic-cli.cfg``, or it is no config of this system.
    """
    return settings_of(config_of(files))
