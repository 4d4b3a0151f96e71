"""CONFIG_DB as a value, and the rows of its tables as they are meant.

Old images wrote references in brackets (``[DSCP_TO_TC_MAP|AZURE]``) and several ports in one key
(``Ethernet0,Ethernet4|3-4``); recorded configs of them are understood too.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fabric.platforms import CODES, ConfigError

if TYPE_CHECKING:
    from collections.abc import Mapping

ConfigDb = dict[str, dict[str, Any]]
Row = dict[str, Any]

CONFIG_FILE = "config_db.json"

_SPAN = re.compile(r"([0-9]+)(?:-([0-9]+))?")


def config_of(files: Mapping[str, str]) -> ConfigDb:
    """CONFIG_DB of a device's files.

    Raises:
        ConfigError: the file is missing, no JSON, or not tables of rows.
    """
    if CONFIG_FILE not in files:
        msg = f"there is no {CONFIG_FILE}"
        raise ConfigError(msg)
    try:
        data = json.loads(files[CONFIG_FILE])
    except json.JSONDecodeError as error:
        msg = f"{CONFIG_FILE} is no JSON: {error}"
        raise ConfigError(msg) from error
    if not isinstance(data, dict) or not all(isinstance(rows, dict) for rows in data.values()):
        msg = f"{CONFIG_FILE} does not hold tables of rows"
        raise ConfigError(msg)
    return data


def rows(config: ConfigDb, table: str) -> dict[str, Row]:
    """The rows of a table that are rows; an absent table has none."""
    return {key: row for key, row in config.get(table, {}).items() if isinstance(row, dict)}


def plain_name(reference: object) -> str | None:
    """The name in a reference; ``None`` for none."""
    if not isinstance(reference, str) or not reference:
        return None
    return reference.strip("[]").rpartition("|")[2]


@lru_cache(maxsize=256)
def span(text: str) -> range | None:
    """``3`` or ``3-4`` as numbers; ``None`` for anything else."""
    found = _SPAN.fullmatch(text)
    if not found:
        return None
    low, high = found.groups()
    return range(int(low), int(high or low) + 1)


def by_port(config: ConfigDb, table: str) -> dict[str, dict[int, Row]]:
    """Rows of a table keyed ``port|number`` or ``port|low-high``, by port and number.

    Of rows that overlap the later one counts; numbers from 8 on are left aside.
    """
    found: dict[str, dict[int, Row]] = {}
    for key, row in rows(config, table).items():
        ports, _, text = key.rpartition("|")
        wanted = [n for n in span(text) or () if n < CODES]
        if wanted:
            for port in ports.split(","):
                found.setdefault(port, {}).update(dict.fromkeys(wanted, row))
    return found


def per_port_rows(config: ConfigDb, table: str) -> dict[str, Row]:
    """Rows of a table keyed by port, keys of several ports taken apart."""
    return {port: row for key, row in rows(config, table).items() for port in key.split(",")}


def number(value: object) -> int | None:
    """A number written as text."""
    text = str(value)
    return int(text) if text.isascii() and text.isdigit() else None


def integer(value: object) -> int | None:
    """A number written as text, below zero too."""
    text = str(value)
    size = number(text.removeprefix("-"))
    return -size if size is not None and text.startswith("-") else size


def numbers(value: object) -> tuple[int, ...]:
    """``3,4`` as numbers; what is no number is left aside."""
    found = (number(part.strip()) for part in str(value or "").split(","))
    return tuple(sorted(n for n in found if n is not None))
