"""What a switch does where nothing is written: by itself, and in the modes of `qos roce`.

Sources: Cumulus Linux 5.14, pages Quality of Service and RoCE; `nv config show --all` of 5.5.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.model.qos import QueueSettings
from fabric.platforms import CODES, DSCPS

if TYPE_CHECKING:
    from fabric.platforms.cumulus_nvue.tree import Node

MTU_BYTES = 9216
POLL_MS, ROBUSTNESS = 100, 3
KMIN_BYTES, KMAX_BYTES, PMAX_PERCENT = 150_000, 1_500_000, 100
LOSSLESS_MODES = ("lossless", "lossless-single-ipool")
_ROCE, _CNP = 3, 6
_SHARES = (12, 13)  # of even and odd queues
_IN_ROCE_MODE = 50
_ON = ("on", "enabled")


@dataclass(frozen=True)
class Defaults:
    """By switch priority, or by traffic class. ``pfc``: priorities, on every port."""

    trusts_dscp: bool
    to_class: tuple[int, ...]
    pfc: tuple[int, ...]
    marked: tuple[int, ...]
    queues: tuple[QueueSettings, ...]


def roce_mode(config: Node) -> str | None:
    """The mode of RoCE; ``None``: it is off."""
    roce = config.at("qos", "roce")
    states = (roce.value("enable"), roce.value("state"))
    if not config.has("qos", "roce") or any(s is not None and s not in _ON for s in states):
        return None
    return roce.value("mode") or LOSSLESS_MODES[0]


def defaults_of(config: Node) -> Defaults | None:
    """What holds before anything is written; ``None``: a mode whose values were not read."""
    mode = roce_mode(config)
    if mode is None:
        queues = tuple(QueueSettings(n, "dwrr", _SHARES[n % 2]) for n in range(CODES))
        return Defaults(False, tuple(range(CODES)), (), (0,), queues)  # noqa: FBT003 - trust
    if mode not in (*LOSSLESS_MODES, "lossy"):
        return None
    to_class = tuple(n if n in (_ROCE, _CNP) else 0 for n in range(CODES))
    return Defaults(
        trusts_dscp=True,
        to_class=to_class,
        pfc=(_ROCE,) if mode in LOSSLESS_MODES else (),
        marked=(0, _ROCE),
        queues=tuple(_roce_queue(number) for number in range(CODES)),
    )


def _roce_queue(number: int) -> QueueSettings:
    if number == _CNP:
        return QueueSettings(number, "strict")
    share = _IN_ROCE_MODE if number in (0, _ROCE) else None
    return QueueSettings(number, "dwrr" if share else None, share)


def default_class(dscp: int) -> int:
    """The switch priority of a DSCP that no line names."""
    return dscp * CODES // DSCPS
