"""SONiC: what its CONFIG_DB means, which of its rules YANG does not know, what only a box knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.sonic.constraints import check_config
from fabric.platforms.sonic.database import config_of
from fabric.platforms.sonic.intended import intended, intended_settings
from fabric.platforms.sonic.left_out import left_out
from fabric.platforms.sonic.reading import chains_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabric.model.qos import QosChain

__all__ = [
    "chains",
    "check_config",
    "intended",
    "intended_settings",
    "left_out",
    "problems",
    "settings",
]


def chains(files: Mapping[str, str], device: str) -> tuple[QosChain, ...]:
    """The chain of each port as ``config_db.json`` states it.

    Raises:
        ConfigError: there is no such file, or it is no CONFIG_DB.
    """
    return chains_of(config_of(files), device)


def problems(files: Mapping[str, str]) -> tuple[str, ...]:
    """Everything wrong with ``config_db.json``; see :func:`check_config`.

    Raises:
        ConfigError: there is no such file, or it is no CONFIG_DB.
    """
    return check_config(config_of(files))


def settings(files: Mapping[str, str]) -> dict[str, str]:
    """What holds for the whole switch: the type that the hash seed follows from.

    Raises:
        ConfigError: there is no such file, or it is no CONFIG_DB.
    """
    return settings_of(config_of(files))
