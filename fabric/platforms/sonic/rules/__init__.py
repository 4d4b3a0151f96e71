"""Rules over a CONFIG_DB. Each module has ``RULES``: functions from a CONFIG_DB to sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from fabric.platforms.sonic.database import number

if TYPE_CHECKING:
    from fabric.model.qos import QosChain
    from fabric.platforms.sonic.database import ConfigDb, Row

Rule = Callable[["ConfigDb"], Iterator[str]]


def outside(where: str, row: Row, field: str, low: int, high: int) -> Iterator[str]:
    """A sentence if the field is there and no number from ``low`` to ``high``."""
    if field in row:
        value = number(row[field])
        if value is None or not low <= value <= high:
            yield f"{where}: {field} {row[field]!r} is not a number from {low} to {high}"


def missing(where: str, row: Row, *fields: str) -> Iterator[str]:
    """A sentence for each field that is not there."""
    yield from (f"{where}: {field} is missing" for field in fields if field not in row)


def unlike(where: str, row: Row, field: str, allowed: frozenset[str]) -> Iterator[str]:
    """A sentence if the field is there and none of the words that the model knows."""
    if field in row and row[field] not in allowed:
        yield f"{where}: {field} {row[field]!r} is none of {', '.join(sorted(allowed))}"


def stopped_queue(chain: QosChain, priority: int) -> int | None:
    """The queue that a received PFC stops; where the port does not say, that of the class."""
    stops = chain.pfc_priority_to_queue[priority]
    return chain.tc_to_queue[priority] if stops is None else stops
