"""``show interfaces status`` and the interface counters."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.platforms.sonic.readers.columns import by_row
from fabric.reading.numbers import speed_mbps, up_or_down, whole

if TYPE_CHECKING:
    from fabric.model.reading import Reading

_STATES = {"U": "up", "D": "down", "X": "down"}  # X: admin down
_NO_FEC = {"", "N/A", "auto"}  # what the port does is not said


def _state(cell: str) -> str | None:
    return _STATES.get(cell.strip().upper()[:1])


def _fec(cell: str) -> str | None:
    return None if cell in _NO_FEC else cell


_COUNTERS = {
    "state": ("oper", _state),
    "rx_ok": ("rx_packets", whole),
    "rx_err": ("in_errors", whole),
    "rx_drp": ("in_drops", whole),
    "rx_ovr": ("in_overruns", whole),
    "tx_ok": ("tx_packets", whole),
    "tx_err": ("out_errors", whole),
    "tx_drp": ("out_drops", whole),
    "tx_ovr": ("out_overruns", whole),
}
_FEC = {
    "state": ("oper", _state),
    "fec_corr": ("fec_corrected", whole),
    "fec_uncorr": ("fec_uncorrected", whole),
    "fec_symbol_err": ("fec_symbol_errors", whole),
}
_STATUS = {
    "oper": ("oper", up_or_down),
    "admin": ("admin", up_or_down),
    "mtu": ("mtu", whole),
    "speed": ("speed_mbps", speed_mbps),
    "fec": ("fec", _fec),
}


def status(text: str) -> Reading:
    """``show interfaces status``: speed ``100G`` or ``1000M``; lags stand among the ports."""
    return by_row(text, "interface", "interfaces", _STATUS)


def counters(text: str) -> Reading:
    """``show interfaces counters``, the whole table or its ``errors``."""
    return by_row(text, "iface", "interfaces", _COUNTERS)


def fec(text: str) -> Reading:
    """``show interfaces counters fec-stats``."""
    return by_row(text, "iface", "interfaces", _FEC)
