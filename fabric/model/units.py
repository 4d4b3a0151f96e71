"""Units as people read them; conversions that several rooms share."""

from __future__ import annotations

QUANTUM_BYTES = 64  # one 802.3 pause quantum is 512 bit times
PROPAGATION_M_PER_S = 198_000_000  # light in fibre and copper, 0.66 c


def bytes_per_second(speed_gbps: float) -> float:
    """Line rate in bytes per second."""
    return speed_gbps * 1e9 / 8


def count_text(value: int) -> str:
    """``33792`` → ``33,792``."""
    return f"{value:,}"


def bytes_text(value: int) -> str:
    """Exact bytes with thousands separators: ``33,792 B``."""
    return f"{value:,} B"


def short_bytes_text(value: float) -> str:
    """Rounded, decimal prefixes: ``1.5 MB``."""
    for unit, size in (("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if abs(value) >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def speed_text(speed_gbps: float) -> str:
    """``400`` → ``400G``."""
    return f"{speed_gbps:g}G"
