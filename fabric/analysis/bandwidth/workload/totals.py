"""Sums and multiples of times, and what of a traffic leaves its leaf."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from typing import TYPE_CHECKING

from fabric.model.workload_answer import Seconds

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.analysis.bandwidth.plant import Plant
    from fabric.analysis.bandwidth.workload.matrices import Traffic


def shared(unit: Seconds, volume: float) -> Seconds:
    """The times of ``volume`` bytes, given those of one."""
    return replace(
        unit,
        ideal=_times(unit.ideal, volume),
        even=_times(unit.even, volume),
        hashed=_times(unit.hashed, volume),
        hashed_sd=unit.hashed_sd * volume,
        round_robin=_times(unit.round_robin, volume),
    )


def at_least(times: Seconds, floor: float, delay: float = 0.0) -> Seconds:
    """The same, but none shorter than ``floor``, and all ``delay`` later."""
    if not floor and not delay:
        return times
    return replace(
        times,
        ideal=_raised(times.ideal, floor, delay),
        even=_raised(times.even, floor, delay),
        hashed=_raised(times.hashed, floor, delay),
        round_robin=_raised(times.round_robin, floor, delay),
    )


def _raised(seconds: float | None, floor: float, delay: float) -> float | None:
    return None if seconds is None else max(seconds, floor) + delay


def summed(parts: Iterable[Seconds]) -> Seconds:
    """One phase after the other; ``None`` where one of them is."""
    listed = list(parts)
    return Seconds(
        ideal=_sum(part.ideal for part in listed),
        ideal_how="sum",
        even=_sum(part.even for part in listed),
        hashed=_sum(part.hashed for part in listed),
        hashed_sd=sqrt(sum(part.hashed_sd**2 for part in listed)),
        round_robin=_sum(part.round_robin for part in listed),
        trials=min((part.trials for part in listed if part.trials), default=0),
        why_null=next((part.why_null for part in listed if part.why_null), ""),
    )


def _times(seconds: float | None, volume: float) -> float | None:
    return None if seconds is None else seconds * volume


def _sum(values: Iterable[float | None]) -> float | None:
    total = 0.0
    for value in values:
        if value is None:
            return None
        total += value
    return total


def crossing(plant: Plant, traffic: Traffic) -> float:
    """Share of the bytes between servers whose ends hang on different leaves."""
    total = float(traffic.amount.sum())
    apart = (plant.leaf[traffic.source] != plant.leaf[traffic.target]).any(axis=1)
    return float(traffic.amount[apart].sum()) / total if total else 0.0
