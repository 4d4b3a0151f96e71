"""Whether a host's settings and the switches' class map say the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabric.model.device import HostModel
    from fabric.model.qos import TrafficClass


@dataclass(frozen=True, slots=True)
class Disagreement:
    """One setting that differs: what it is, and its value at either end."""

    what: str
    host: str
    switch: str


def disagreements(model: HostModel) -> tuple[Disagreement, ...]:
    """Return every setting of the host that the class map of the switches contradicts."""
    roce = model.roce
    data, cnp = (model.class_map.of_dscp(dscp) for dscp in (roce.dscp, roce.cnp_dscp))
    pairs = (
        (f"priority of RoCE (DSCP {roce.dscp})", roce.priority, data.priority),
        (f"class of DSCP {roce.dscp}", "lossless", _kind(data)),
        (f"priority of CNP (DSCP {roce.cnp_dscp})", roce.cnp_priority, cnp.priority),
        (f"class of DSCP {roce.cnp_dscp}", "lossy", _kind(cnp)),
        ("what decides the class", "dscp", roce.trust),
        (
            "RoCE priority among the PFC priorities",
            str(roce.priority),
            _member(roce.priority, model.class_map.lossless_priorities),
        ),
    )
    return tuple(
        Disagreement(what, str(host), str(switch))
        for what, host, switch in pairs
        if str(host) != str(switch)
    )


def _kind(traffic_class: TrafficClass) -> str:
    return "lossless" if traffic_class.lossless else "lossy"


def _member(priority: int, priorities: tuple[int, ...]) -> str:
    return str(priority) if priority in priorities else ", ".join(map(str, priorities)) or "none"
