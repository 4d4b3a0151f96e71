"""What the schema of a switch file cannot see: parts that contradict each other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.catalog.errors import FieldProblem
from fabric.catalog.modes import breakout_mode

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.catalog.switch_schema import CagesData, SwitchData
    from fabric.model.hardware import Cage, Sku


def span(numbers: list[int]) -> range:
    """``[first, last]`` or ``[first, last, step]``, the last included."""
    first, last, *step = numbers
    return range(first, last + 1, step[0] if step else 1)


def data_problems(data: SwitchData) -> list[FieldProblem]:
    """Missing tables and SKUs, cages that occur twice, modes that a cage cannot hold."""
    return [*_table_problems(data), *_cage_problems(data)]


def model_problems(cages: tuple[Cage, ...], skus: tuple[Sku, ...]) -> list[FieldProblem]:
    """Lanes that two cages claim, and SKUs that split cages which cannot be split so."""
    return [*_lane_problems(cages), *_split_problems(cages, skus)]


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
