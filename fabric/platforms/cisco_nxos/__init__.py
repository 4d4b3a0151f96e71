"""Cisco NX-OS (Nexus 9000): what its text means for a packet, what breaks it, what is left out.

Sources: ``roce_enable.py`` and Microsoft's Azure Local reference configs (QoS block), the grammar
of ``batfish/batfish`` for NX-OS, Cisco's DME model (``CiscoDevNet/terraform-provider-nxos``),
``CiscoTestAutomation/genielibs``, Cisco's Nexus 9000 guides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.cisco_nxos.intended import intended, intended_settings
from fabric.platforms.cisco_nxos.left_out import left_out
from fabric.platforms.cisco_nxos.lines import config_of
from fabric.platforms.cisco_nxos.problems import problems_of
from fabric.platforms.cisco_nxos.reading import chains_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = ["chains", "intended", "intended_settings", "left_out", "problems", "settings"]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each Ethernet port; priority groups and headroom are not said: ``None``.

    Raises:
        ConfigError: there is no ``nxos.cfg``, or it is no config of NX-OS.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """What the switch takes though it breaks lossless Ethernet, one sentence each.

    Raises:
        ConfigError: there is no ``nxos.cfg``, or it is no config of NX-OS.
    """
    return tuple(problems_of(config_of(files)))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: the seed of ECMP, the MTU of network-qos.

    Raises:
        ConfigError: there is no ``nxos.cfg``, or it is no config of NX-OS.
    """
    return settings_of(config_of(files))
