"""Rates, times and sizes of a job as people read them."""

from __future__ import annotations


def rate_text(value: float | None) -> str:
    """GB/s: one digit behind the point, below 10 two."""
    if value is None:
        return "–"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}"  # noqa: PLR2004 - four digits at most


def seconds_text(seconds: float) -> str:
    """Three digits: ``43.7 ms``."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:,.3g} {unit}" if seconds < 1000 * size else f"{seconds:,.0f} s"
    return f"{seconds * 1e9:.3g} ns"


def bytes_text(value: float) -> str:
    """Four digits, of 1000: ``413.4 GB``."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if value >= size:
            return f"{value / size:.4g} {unit}"
    return f"{value:.0f} B"


def size_text(value: int) -> str:
    """Of 1024, as nccl-tests takes it: ``8G``."""
    for unit, shift in (("G", 30), ("M", 20), ("K", 10)):
        if value >= 1 << shift and value % (1 << shift) == 0:
            return f"{value >> shift}{unit}"
    return str(value)
