"""The class map in the words of the host's tools: mlnx_qos lists and dcb maps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.intent import RocePolicy
    from fabric.model.qos import ClassMap, TrafficClass

_PRIORITIES = range(8)
_DSCPS = range(64)


@dataclass(frozen=True, slots=True)
class DcbWords:
    """Maps as iproute2's ``dcb`` takes and prints them (dcb-pfc(8), dcb-ets(8))."""

    pfc_set: str
    pfc_shown: str
    prio_tc: str
    tc_tsa: str
    tc_bw: str


def dscp_priorities(class_map: ClassMap, roce: RocePolicy, *, mlx5: bool) -> str:
    """Return ``DSCP:priority`` pairs that make an adapter class packets as the switches do.

    RoCE, CNP and every class but the default one are always named. Of the default class only
    the DSCPs are that the adapter would otherwise put into a lossless priority: mlx5 takes
    DSCP/8, the kernel's table is empty and gives priority 0.
    """
    priority = {dscp: c.priority for c in class_map.classes for dscp in c.dscps}
    default = class_map.of_dscp(0)
    named = {roce.dscp, roce.cnp_dscp}
    lossless = class_map.lossless_priorities
    for dscp in _DSCPS:
        native = dscp // 8 if mlx5 else 0
        if dscp not in default.dscps or (native in lossless and priority[dscp] != native):
            named.add(dscp)
    return " ".join(f"{dscp}:{priority[dscp]}" for dscp in sorted(named))


def pfc_list(class_map: ClassMap) -> str:
    """Return the eight values of ``mlnx_qos --pfc``: ``0,0,0,1,0,0,0,0``."""
    lossless = class_map.lossless_priorities
    return ",".join("1" if priority in lossless else "0" for priority in _PRIORITIES)


def dcb_words(class_map: ClassMap) -> DcbWords:
    """Return PFC and scheduling of the class map for ``dcb``."""
    lossless = class_map.lossless_priorities
    default = class_map.of_dscp(0)
    tc = {c.priority: c.traffic_class for c in class_map.classes}
    shares = _shares(class_map.classes)
    return DcbWords(
        pfc_set=" ".join(("all:off", *(f"{priority}:on" for priority in lossless))),
        pfc_shown=_map("on" if priority in lossless else "off" for priority in _PRIORITIES),
        prio_tc=_map(tc.get(priority, default.traffic_class) for priority in _PRIORITIES),
        tc_tsa=_map("ets" if number in shares else "strict" for number in _PRIORITIES),
        tc_bw=_map(shares.get(number, 0) for number in _PRIORITIES),
    )


def _map(values: Iterable[str | int]) -> str:
    return " ".join(f"{n}:{value}" for n, value in enumerate(values))


def _shares(classes: tuple[TrafficClass, ...]) -> dict[int, int]:
    """Percent by traffic class with a weight; 802.1Qaz wants them to sum to 100."""
    weights: dict[int, int] = {}
    for traffic_class in classes:
        if traffic_class.scheduler == "dwrr":
            weight = traffic_class.weight or 1
            number = traffic_class.traffic_class
            weights[number] = max(weight, weights.get(number, 0))
    total = sum(weights.values())
    shares = {number: weight * 100 // total for number, weight in weights.items()}
    rest = 100 - sum(shares.values())
    # What rounding down left goes to those that lost most, ties to the lower class.
    by_loss = sorted(weights, key=lambda n: (-(weights[n] * 100 % total), n))
    return shares | {number: shares[number] + 1 for number in by_loss[:rest]}
