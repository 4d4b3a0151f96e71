"""A switch file's data → ``SwitchModel``; what the schema alone cannot see is checked here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fabric.catalog.errors import CatalogFileError
from fabric.catalog.items import source
from fabric.catalog.modes import alias_of_cage, breakout_mode
from fabric.catalog.switch_problems import data_problems, model_problems, span
from fabric.catalog.tables import buffer_table, headroom_rows
from fabric.model.hardware import BreakoutMode, Cage, Sku, SkuPorts, SwitchModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.catalog.switch_schema import CagesData, RunData, SkuData, SkuPortsData, SwitchData
    from fabric.model.hardware import Asic

_UNKNOWN_FORM = ""


def switch(name: str, file: str, note: str, data: SwitchData, asic: Asic) -> SwitchModel:
    """The model; ``note`` is added to its source.

    Raises:
        CatalogFileError: parts of the file contradict each other.
    """
    problems = data_problems(data)
    if problems:
        raise CatalogFileError(file, problems)
    skus = tuple(_sku(data, sku_name, sku) for sku_name, sku in data.skus.items())
    cages = tuple(_cages(data))
    pipelines = data.pipelines
    problems = model_problems(cages, skus, pipelines)
    if problems:
        raise CatalogFileError(file, problems)
    limit, buffer = data.max_logical_ports, data.buffer_limit_bytes
    return SwitchModel(
        name=name,
        vendor=data.vendor,
        asic=asic,
        cages=cages,
        usable_cages=_usable(data),
        skus=skus,
        default_sku=data.default_sku,
        sonic_platform=data.sonic_platform,
        max_logical_ports=limit.value if limit else None,
        naming=tuple((system, f"{n.unsplit}|{n.split}") for system, n in data.naming.items()),
        buffer_limit_bytes=buffer.value if buffer else None,
        generic=data.generic,
        source=source(data.source, note),
        max_ports_per_pipeline=pipelines.max_ports if pipelines else None,
        pipelines=tuple(tuple(cages) for cages in pipelines.cages) if pipelines else (),
        syntax=tuple((system, said.family) for system, said in data.syntax.items()),
    )


def _usable(data: SwitchData) -> tuple[int, ...]:
    return tuple(n for run in data.cages if not run.management for n in span(run.numbers))


def _run(run: RunData | None, count: int) -> list[int | None]:
    if run is not None and run.each is not None:
        return list(run.each)
    if run is None or run.first is None or run.step is None:
        return [None] * count
    return [run.first + run.step * n for n in range(count)]


def _cages(data: SwitchData) -> Iterator[Cage]:
    for run in data.cages:
        numbers = span(run.numbers)
        shared = tuple(breakout_mode(text, alias, run.lanes) for text, alias in run.modes.items())
        lanes = _run(run.first_lane, len(numbers))
        ports = _run(run.first_port_number, len(numbers))
        for place, (number, first_lane, port) in enumerate(
            zip(numbers, lanes, ports, strict=True), 1
        ):
            yield Cage(
                number=number,
                kind=run.form_factor or _UNKNOWN_FORM,
                speed_gbps=run.speed_gbps,
                lane_count=run.lanes,
                lanes=_lanes(first_lane, run.lanes),
                first_port_number=port,
                modes=_of_cage(shared, number) or _fixed_modes(data, number),
                names=_names(run, number, place),
            )


def _names(run: CagesData, number: int, place: int) -> tuple[tuple[str, str], ...]:
    return tuple(
        (system, stated.name.replace("{c}", str(number)).replace("{i}", str(place)))
        for system, stated in run.names.items()
    )


def _lanes(first: int | None, count: int) -> tuple[int, ...]:
    return () if first is None else tuple(range(first, first + count))


def _of_cage(modes: tuple[BreakoutMode, ...], cage: int) -> tuple[BreakoutMode, ...]:
    """The same tuple where no alias depends on the cage in a way that only we know."""
    if not any("{c1}" in mode.alias or "{l}" in mode.alias for mode in modes):
        return modes
    return tuple(
        replace(m, alias=alias_of_cage(m.alias, cage, m.children, m.lanes_each)) for m in modes
    )


def _fixed_modes(data: SwitchData, cage: int) -> tuple[BreakoutMode, ...]:
    """The default SKU's own split, where no file lists modes that the box would offer."""
    if data.default_sku is None:
        return ()
    return tuple(
        BreakoutMode(
            f"{run.children}x{run.speed_gbps}G",
            run.children,
            (run.speed_gbps,),
            run.lanes_each,
            alias_of_cage(run.alias, cage, run.children, run.lanes_each),
            switchable=False,
        )
        for run in data.skus[data.default_sku].ports
        if cage in span(run.cages)
    )


def _sku(data: SwitchData, name: str, sku: SkuData) -> Sku:
    usable = set(_usable(data))
    ports = tuple(_sku_ports(run) for run in sku.ports)
    speeds = {run.speed_gbps for run in ports if usable.intersection(run.cages)}
    return Sku(
        name=name,
        headroom=headroom_rows(data.headroom[sku.headroom]) if sku.headroom else (),
        buffers=tuple(
            buffer_table(place, data.buffers[table], data.profiles)
            for place, table in sku.buffers.items()
        ),
        port_speeds_gbps=tuple(sorted(speeds, reverse=True)),
        ports=ports,
    )


def _sku_ports(run: SkuPortsData) -> SkuPorts:
    cages = tuple(span(run.cages))
    return SkuPorts(
        cages=cages,
        children=run.children,
        speed_gbps=run.speed_gbps,
        lanes_each=run.lanes_each,
        alias=run.alias,
        first_child=run.first_child,
        port_numbers=_stated(run.first_port_number, len(cages)),
        port_number_step=run.port_number_step,
        first_lanes=_stated(run.first_lane, len(cages)),
        lane_order=tuple(run.lane_order),
    )


def _stated(run: RunData | None, count: int) -> tuple[int, ...]:
    return tuple(value for value in _run(run, count) if value is not None)
