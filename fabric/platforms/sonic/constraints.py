"""What SONiC refuses, and what it takes though it is wrong; the suite holds without YANG models.

Each rule below stands for a line of the YANG models (``src/sonic-yang-models``) or for a behaviour
of the daemons behind the tables that the models do not know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.sonic.rules import buffers, members, ports, qos, routing, schedulers, tables

if TYPE_CHECKING:
    from fabric.platforms.sonic.database import ConfigDb

_RULES = (
    *tables.RULES,
    *ports.RULES,
    *members.RULES,
    *routing.RULES,
    *qos.RULES,
    *schedulers.RULES,
    *buffers.RULES,
)


def check_config(config: ConfigDb) -> tuple[str, ...]:
    """Every problem of a CONFIG_DB, one sentence each, beginning with the row: nothing is well."""
    return tuple(problem for rule in _RULES for problem in rule(config))
