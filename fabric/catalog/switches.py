"""A switch file's data → ``SwitchModel``; what the schema alone cannot see is checked here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.catalog.errors import CatalogFileError, FieldProblem
from fabric.catalog.items import source
from fabric.catalog.modes import breakout_mode
from fabric.catalog.tables import buffer_table, headroom_rows
from fabric.model.hardware import BreakoutMode, Cage, Sku, SkuPorts, SwitchModel

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.catalog.switch_schema import CagesData, RunData, SkuData, SwitchData
    from fabric.model.hardware import Asic

_UNKNOWN_FORM = ""


def switch(name: str, file: str, note: str, data: SwitchData, asic: Asic) -> SwitchModel:
    """The model; ``note`` is added to its source.

    Raises:
        CatalogFileError: parts of the file contradict each other.
    """
    problems = [*_table_problems(data), *_cage_problems(data)]
    if problems:
        raise CatalogFileError(file, problems)
    skus = tuple(_sku(data, sku_name, sku) for sku_name, sku in data.skus.items())
    cages = tuple(_cages(data))
    problems = [*_lane_problems(cages), *_split_problems(cages, skus)]
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
    )


def _span(numbers: list[int]) -> range:
    first, last, *step = numbers
    return range(first, last + 1, step[0] if step else 1)


def _usable(data: SwitchData) -> tuple[int, ...]:
    return tuple(n for run in data.cages if not run.management for n in _span(run.numbers))


def _run(run: RunData | None, count: int) -> list[int | None]:
    if run is None:
        return [None] * count
    if run.each is not None:
        return list(run.each)
    assert run.first is not None and run.step is not None  # noqa: S101, PT018 - the schema's rule
    return [run.first + run.step * n for n in range(count)]


def _cages(data: SwitchData) -> Iterator[Cage]:
    for run in data.cages:
        numbers = _span(run.numbers)
        shared = tuple(breakout_mode(text, alias, run.lanes) for text, alias in run.modes.items())
        lanes = _run(run.first_lane, len(numbers))
        ports = _run(run.first_port_number, len(numbers))
        for number, first_lane, port in zip(numbers, lanes, ports, strict=True):
            yield Cage(
                number=number,
                kind=run.form_factor or _UNKNOWN_FORM,
                speed_gbps=run.speed_gbps,
                lane_count=run.lanes,
                lanes=()
                if first_lane is None
                else tuple(range(first_lane, first_lane + run.lanes)),
                first_port_number=port,
                modes=shared or _fixed_modes(data, number),
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
            run.alias,
            switchable=False,
        )
        for run in data.skus[data.default_sku].ports
        if cage in _span(run.cages)
    )


def _sku(data: SwitchData, name: str, sku: SkuData) -> Sku:
    usable = set(_usable(data))
    ports = tuple(
        SkuPorts(tuple(_span(run.cages)), run.children, run.speed_gbps, run.lanes_each, run.alias)
        for run in sku.ports
    )
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


def _table_problems(data: SwitchData) -> Iterator[FieldProblem]:
    """References to tables and SKUs that the file does not have."""
    if data.default_sku is not None and data.default_sku not in data.skus:
        yield FieldProblem("default_sku", f"no SKU {data.default_sku!r} below skus")
    for name, sku in data.skus.items():
        if sku.headroom is not None and sku.headroom not in data.headroom:
            yield FieldProblem(f"skus.{name}.headroom", f"no table {sku.headroom!r} below headroom")
        for place, table in sku.buffers.items():
            if table not in data.buffers:
                field = f"skus.{name}.buffers.{place}"
                yield FieldProblem(field, f"no table {table!r} below buffers")
    for name, table in data.buffers.items():
        if table.profiles not in data.profiles:
            field = f"buffers.{name}.profiles"
            yield FieldProblem(field, f"no set {table.profiles!r} below profiles")
            continue
        for profile, share in data.profiles[table.profiles].items():
            if share.pool not in table.pools:
                message = f"profile {profile} of set {table.profiles} needs pool {share.pool}"
                yield FieldProblem(f"buffers.{name}.pools", message)


def _cage_problems(data: SwitchData) -> Iterator[FieldProblem]:
    """Runs of cages that overlap, have lists of another length, or modes that do not fit."""
    seen: set[int] = set()
    for index, run in enumerate(data.cages):
        numbers = _span(run.numbers)
        if not numbers:
            yield FieldProblem(f"cages[{index}].numbers", "holds no cage: first is above last")
        for number in sorted(seen.intersection(numbers)):
            yield FieldProblem(f"cages[{index}].numbers", f"cage {number} occurs twice")
        seen.update(numbers)
        yield from _run_problems(f"cages[{index}]", run, len(numbers))


def _run_problems(field: str, run: CagesData, count: int) -> Iterator[FieldProblem]:
    for key, values in (
        ("first_lane", run.first_lane),
        ("first_port_number", run.first_port_number),
    ):
        if values is not None and values.each is not None and len(values.each) != count:
            message = f"{len(values.each)} values for {count} cages"
            yield FieldProblem(f"{field}.{key}.each", message)
    for text, alias in run.modes.items():
        try:
            mode = breakout_mode(text, alias, run.lanes)
        except ValueError as error:
            yield FieldProblem(f"{field}.modes", str(error))
            continue
        if mode.children * mode.speeds_gbps[0] > run.speed_gbps:
            message = f"{text!r} is more than the cage's {run.speed_gbps}G"
            yield FieldProblem(f"{field}.modes", message)


def _lane_problems(cages: tuple[Cage, ...]) -> Iterator[FieldProblem]:
    owner: dict[int, int] = {}
    for cage in cages:
        for lane in cage.lanes:
            if lane in owner:
                message = f"cages {owner[lane]} and {cage.number} both have lane {lane}"
                yield FieldProblem("cages", message)
                break
            owner[lane] = cage.number


def _split_problems(cages: tuple[Cage, ...], skus: tuple[Sku, ...]) -> Iterator[FieldProblem]:
    lanes = {cage.number: cage.lane_count for cage in cages}
    for sku in skus:
        seen: set[int] = set()
        for index, run in enumerate(sku.ports):
            field = f"skus.{sku.name}.ports[{index}]"
            for number in run.cages:
                if number not in lanes:
                    yield FieldProblem(field, f"no cage {number}")
                elif number in seen:
                    yield FieldProblem(field, f"cage {number} occurs twice")
                elif run.children * run.lanes_each > lanes[number]:
                    message = f"needs more lanes than cage {number} has, {lanes[number]}"
                    yield FieldProblem(field, message)
                seen.add(number)
