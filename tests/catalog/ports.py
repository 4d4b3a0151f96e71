"""The ports that a SKU has by its own split, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.hardware import Cage, Sku, SkuPorts, SwitchModel


class PortRow(NamedTuple):
    number: int
    alias: str
    cage: int
    speed_gbps: int
    lanes: tuple[int, ...]


def sku_ports(model: SwitchModel, sku: Sku) -> dict[int, PortRow]:
    """By N of EthernetN."""
    cages = {cage.number: cage for cage in model.cages}
    rows = [
        row
        for run in sku.ports
        for index, number in enumerate(run.cages)
        for row in _rows(run, index, cages[number])
    ]
    assert len({row.number for row in rows}) == len(rows)
    aliases = [row.alias for row in rows if row.alias]
    assert len(set(aliases)) == len(aliases)
    return {row.number: row for row in rows}


def _rows(run: SkuPorts, index: int, cage: Cage) -> Iterator[PortRow]:
    first_port = run.port_numbers[index] if run.port_numbers else cage.first_port_number
    first_lane = run.first_lanes[index] if run.first_lanes else cage.lanes[0]
    step = run.port_number_step or run.lanes_each
    assert first_port is not None
    for child in range(run.children):
        lane = first_lane + (run.lane_order[child] if run.lane_order else child * run.lanes_each)
        n = child + run.first_child
        yield PortRow(
            first_port + child * step,
            run.alias.format(
                c=cage.number,
                c1=cage.number + 1,
                n=n,
                n0=n - 1,
                s="abcdefgh"[n - 1],
                l=child * run.lanes_each + 1,
            ),
            cage.number,
            run.speed_gbps,
            tuple(range(lane, lane + run.lanes_each)),
        )
