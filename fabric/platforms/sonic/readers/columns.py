"""Tables of SONiC by the words of their header."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.reading import Reading
from fabric.reading.numbers import whole
from fabric.reading.tables import Table, tables

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from fabric.model.reading import Facts, Json

Row = dict[str, str]


def tables_with(text: str, *words: str) -> list[Table]:
    """The tables whose header has all these words, in any case; those without a row too."""
    wanted = {word.lower() for word in words}
    return [
        Table(
            [{k.lower(): v for k, v in row.items()} for row in table.rows],
            table.unparsed,
            table.names,
        )
        for table in tables(text)
        if wanted <= {name.lower() for name in table.names}
    ]


def left(found: Iterable[Table]) -> tuple[str, ...]:
    """Lines that are no rows, of all tables."""
    return tuple(line for table in found for line in table.unparsed)


def known(row: Row, cells: Mapping[str, tuple[str, Callable[[str], Json]]]) -> Facts:
    """``{column: (fact, reader)}`` → facts of a row; N/A, empty and odd cells are left out."""
    facts: Facts = {}
    for column, (fact, read) in cells.items():
        value = read(row[column]) if column in row else None
        if value is not None:
            facts[fact] = value
    return facts


def by_row(
    text: str, key: str, fact: str, cells: Mapping[str, tuple[str, Callable[[str], Json]]]
) -> Reading:
    """Facts of a table with one row a port: ``{fact: {port: {…}}}``. ``key``: the port's column."""
    found = tables_with(text, key, *list(cells)[:1])
    if not found:
        return Reading()
    rows: Facts = {row[key]: known(row, cells) for t in found for row in t.rows if row[key]}
    return Reading({fact: rows}, left(found))


def numbered(text: str, key: str, prefix: str, fact: str) -> Reading:
    """One row a port, one column a queue or group: ``{fact: {port: {"PG0": n}}}``."""
    found = [
        table
        for table in tables_with(text, key)
        if any(
            name.lower().startswith(prefix) and name[len(prefix) :].isdecimal()
            for name in table.names
        )
    ]
    if not found:
        return Reading()
    rows: Facts = {}
    for row in (row for table in found for row in table.rows):
        counts = {k.upper(): whole(v) for k, v in row.items() if k != key}
        rows[row[key]] = {k: v for k, v in counts.items() if v is not None}
    return Reading({fact: rows}, left(found))
