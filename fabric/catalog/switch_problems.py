"""What the schema of a switch file cannot see: parts that contradict each other."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.catalog.errors import FieldProblem
from fabric.catalog.modes import breakout_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.catalog.switch_schema import CagesData, PipelinesData, SkuPortsData, SwitchData
    from fabric.model.hardware import Cage, Sku


def span(numbers: list[int]) -> range:
    """``[first, last]`` or ``[first, last, step]``, the last included."""
    first, last, *step = numbers
    return range(first, last + 1, step[0] if step else 1)


def data_problems(data: SwitchData) -> list[FieldProblem]:
    """Missing tables and SKUs, cages that occur twice, modes that a cage cannot hold."""
    return [*_table_problems(data), *_cage_problems(data), *_sku_problems(data)]


def model_problems(
    cages: tuple[Cage, ...], skus: tuple[Sku, ...], pipelines: PipelinesData | None
) -> list[FieldProblem]:
    """Lanes that two cages claim, cages split as they cannot be, cages of no or two pipelines."""
    return [
        *_lane_problems(cages),
        *_split_problems(cages, skus),
        *_pipeline_problems(cages, pipelines),
    ]


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
    for name, pools in data.buffers.items():
        if pools.profiles not in data.profiles:
            field = f"buffers.{name}.profiles"
            yield FieldProblem(field, f"no set {pools.profiles!r} below profiles")
            continue
        for profile, share in data.profiles[pools.profiles].items():
            if share.pool not in pools.pools:
                message = f"profile {profile} of set {pools.profiles} needs pool {share.pool}"
                yield FieldProblem(f"buffers.{name}.pools", message)


def _cage_problems(data: SwitchData) -> Iterator[FieldProblem]:
    """Runs of cages that overlap, have lists of another length, or modes that do not fit."""
    seen: set[int] = set()
    for index, run in enumerate(data.cages):
        numbers = span(run.numbers)
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


def _sku_problems(data: SwitchData) -> Iterator[FieldProblem]:
    """Lists of a SKU's own numbers and lanes that have another length than their run."""
    for name, sku in data.skus.items():
        for index, run in enumerate(sku.ports):
            yield from _own_problems(f"skus.{name}.ports[{index}]", run)


def _own_problems(field: str, run: SkuPortsData) -> Iterator[FieldProblem]:
    cages = len(span(run.cages))
    for key, values in (
        ("first_lane", run.first_lane),
        ("first_port_number", run.first_port_number),
    ):
        if values is not None and values.each is not None and len(values.each) != cages:
            message = f"{len(values.each)} values for {cages} cages"
            yield FieldProblem(f"{field}.{key}.each", message)
    if run.lane_order and len(run.lane_order) != run.children:
        message = f"{len(run.lane_order)} values for {run.children} ports"
        yield FieldProblem(f"{field}.lane_order", message)


def _split_problems(cages: tuple[Cage, ...], skus: tuple[Sku, ...]) -> Iterator[FieldProblem]:
    lanes = {cage.number: cage.lane_count for cage in cages}
    for sku in skus:
        children: set[tuple[int, int]] = set()
        used: Counter[int] = Counter()
        for index, run in enumerate(sku.ports):
            field = f"skus.{sku.name}.ports[{index}]"
            numbers = range(run.first_child, run.first_child + run.children)
            for number in run.cages:
                mine = {(number, child) for child in numbers}
                used[number] += run.children * run.lanes_each
                if number not in lanes:
                    yield FieldProblem(field, f"no cage {number}")
                elif children & mine:
                    yield FieldProblem(field, f"cage {number} occurs twice")
                elif used[number] > lanes[number]:
                    message = f"needs more lanes than cage {number} has, {lanes[number]}"
                    yield FieldProblem(field, message)
                children |= mine


def _pipeline_problems(
    cages: tuple[Cage, ...], pipelines: PipelinesData | None
) -> Iterator[FieldProblem]:
    listed = [number for group in pipelines.cages for number in group] if pipelines else []
    known = {cage.number for cage in cages}
    for number, count in Counter(listed).items():
        if number not in known:
            yield FieldProblem("pipelines.cages", f"no cage {number}")
        elif count > 1:
            yield FieldProblem("pipelines.cages", f"cage {number} occurs twice")
