"""The ports that a SKU has by its own split, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from fabric.model.hardware import Sku, SwitchModel


class PortRow(NamedTuple):
    number: int
    alias: str
    cage: int
    speed_gbps: int
    lanes: tuple[int, ...]


def sku_ports(model: SwitchModel, sku: Sku) -> dict[int, PortRow]:
    """By N of EthernetN."""
    cages = {cage.number: cage for cage in model.cages}
    rows: list[PortRow] = []
    for run in sku.ports:
        for number in run.cages:
            cage = cages[number]
            assert cage.first_port_number is not None
            for child in range(run.children):
                before = child * run.lanes_each
                rows.append(
                    PortRow(
                        cage.first_port_number + before,
                        run.alias.format(c=number, n=child + 1, s="abcdefgh"[child]),
                        number,
                        run.speed_gbps,
                        cage.lanes[before : before + run.lanes_each],
                    )
                )
    assert len({row.number for row in rows}) == len(rows)
    assert len({row.alias for row in rows}) == len(rows)
    return {row.number: row for row in rows}
