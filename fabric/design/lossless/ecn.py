"""ECN marking from speed and round-trip time, clamped so that it starts before PFC.

A port's priority group pauses at T(n) = α·B/(1 + α·n) with n groups equally congested: B the
shared pool without headroom, α = 2^dynamic_th. PFC counts at ingress, ECN at egress; one ingress
that feeds several congested egresses is the hard case, so both thresholds stay below T(n).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor
from typing import TYPE_CHECKING

from fabric.model.qos import Derived, EcnProfile, Term
from fabric.model.units import bytes_per_second, bytes_text

if TYPE_CHECKING:
    from fabric.model.intent import EcnPolicy

KMAX_BDP = 3
KMAX_TO_KMIN = 4
KMIN_MTUS = 2
RTT_SOURCE = "roce.rtt_us of the inventory; 20 µs unless set (Huawei EDOC1100155250)"
KMAX_SOURCE = "Huawei EDOC1100155250, static ECN: Kmax = 2 … 3 × BDP (100GE, 20 µs: 500 / 750 kB)"
KMIN_SOURCE = (
    "HPCC simulator, DCQCN config: Kmin : Kmax = 1 : 4 "
    "(alibaba-edu/High-Precision-Congestion-Control simulation/mix/config.txt)"
)
THRESHOLD_SOURCE = "dynamic threshold: T(n) = α·B/(1 + α·n)"


@dataclass(frozen=True, slots=True)
class Limit:
    """Where PFC begins on the device with the least buffer among those that share a profile."""

    pool_bytes: int  # B
    pool_text: str
    dynamic_th: int
    congested_ports: int  # n

    @property
    def alone_bytes(self) -> int:
        """T(1)."""
        return floor(pause_threshold(self.dynamic_th, self.pool_bytes, 1))

    @property
    def together_bytes(self) -> int:
        """T(n)."""
        return floor(pause_threshold(self.dynamic_th, self.pool_bytes, self.congested_ports))


def pause_threshold(dynamic_th: int, pool_bytes: float, congested: int) -> float:
    """T(n) in bytes: what each of ``congested`` priority groups may hold before it pauses."""
    alpha = 2.0**dynamic_th
    return alpha * pool_bytes / (1 + alpha * congested)


def ports_until_below(dynamic_th: int, pool_bytes: float, kmax_bytes: float) -> int:
    """Smallest n ≥ 1 with T(n) < ``kmax_bytes``: from there on PFC comes before full marking."""
    alpha = 2.0**dynamic_th
    return max(1, floor((alpha * pool_bytes / kmax_bytes - 1) / alpha) + 1)


def dcqcn_pause_bytes(
    buffer_bytes: float, ports: int, priorities: int, flight_bytes: float
) -> float:
    """t_PFC of the DCQCN paper: (B − p·n·t_flight)/(p·n), a static share of the buffer."""
    groups = ports * priorities
    return (buffer_bytes - groups * flight_bytes) / groups


def dcqcn_mark_bytes(pause_bytes: float, beta: float) -> float:
    """Its sufficient bound: Kmin < β/(β + 1) · t_PFC."""
    return pause_bytes * beta / (beta + 1)


def marking(policy: EcnPolicy, speed_gbps: int, mtu_bytes: int, limit: Limit | None) -> EcnProfile:
    """Kmin, Kmax, Pmax of one kind of port. ``limit`` None: the pool is not known, no clamp.

    The user's own values are taken as they are; rules judge them.
    """
    kmax = _kmax(policy, speed_gbps, mtu_bytes, limit)
    kmin = _kmin(policy, mtu_bytes, kmax.value, limit)
    return EcnProfile(
        kmin_bytes=kmin,
        kmax_bytes=kmax,
        pmax_percent=policy.pmax_percent,
        pause_alone_bytes=limit.alone_bytes if limit else None,
        pause_together_bytes=limit.together_bytes if limit else None,
        congested_ports=limit.congested_ports if limit else 0,
    )


def _own(name: str, value: int) -> Derived:
    term = Term(name, value, "B", f"roce.ecn.{name.lower()}_bytes as written", "inventory")
    return Derived(value, "B", "inventory", (term,), "inventory")


def _kmax(policy: EcnPolicy, speed_gbps: int, mtu_bytes: int, limit: Limit | None) -> Derived:
    if policy.kmax_bytes is not None:
        return _own("Kmax", policy.kmax_bytes)
    bdp = round(policy.rtt_us * 1e-6 * bytes_per_second(speed_gbps))
    terms = [
        Term("BDP", bdp, "B", f"{policy.rtt_us:g} µs · {speed_gbps} Gb/s / 8", RTT_SOURCE),
        Term("rule", KMAX_BDP * bdp, "B", f"{KMAX_BDP} · BDP", KMAX_SOURCE),
    ]
    value = KMAX_BDP * bdp
    least = (policy.kmin_bytes or KMIN_MTUS * mtu_bytes) * 2
    if value < least:
        value = least
        terms.append(Term("at least", value, "B", "twice the smallest Kmin", KMIN_SOURCE))
    if limit is None:
        terms.append(Term("clamp", value, "B", "not clamped: pool unknown", THRESHOLD_SOURCE))
        return Derived(value, "B", "rule, not clamped", tuple(terms), KMAX_SOURCE)
    cap, cap_term = _cap(limit, least)
    terms.append(cap_term)
    basis = "rule" if value <= cap else "rule, clamped below PFC"
    return Derived(min(value, cap), "B", basis, tuple(terms), KMAX_SOURCE)


def _cap(limit: Limit, least: int) -> tuple[int, Term]:
    """T(n) where marking fits below it, else T(1): beyond that a lone queue pauses first."""
    n = limit.congested_ports
    if limit.together_bytes >= least:
        return limit.together_bytes, _threshold_term(limit, n, limit.together_bytes, "")
    text = f"; T({n}) = {bytes_text(limit.together_bytes)} leaves no room for marking"
    return limit.alone_bytes, _threshold_term(limit, 1, limit.alone_bytes, text)


def _threshold_term(limit: Limit, n: int, value: int, remark: str) -> Term:
    text = (
        f"α = {2.0**limit.dynamic_th:g}, B = {bytes_text(limit.pool_bytes)} "
        f"({limit.pool_text}){remark}"
    )
    return Term(f"PFC from T({n})", value, "B", text, THRESHOLD_SOURCE)


def _kmin(policy: EcnPolicy, mtu_bytes: int, kmax: int, limit: Limit | None) -> Derived:
    if policy.kmin_bytes is not None:
        return _own("Kmin", policy.kmin_bytes)
    least = KMIN_MTUS * mtu_bytes
    value = max(kmax // KMAX_TO_KMIN, least)
    terms = [
        Term("rule", kmax // KMAX_TO_KMIN, "B", f"Kmax / {KMAX_TO_KMIN}", KMIN_SOURCE),
        Term(
            "at least", least, "B", f"{KMIN_MTUS} · MTU", "below it nearly every packet is marked"
        ),
    ]
    if limit is not None and least < limit.together_bytes <= value:
        n, threshold = limit.congested_ports, limit.together_bytes
        value = threshold - 1
        terms.append(_threshold_term(limit, n, threshold, "; marking starts one byte below"))
    if value >= kmax:
        value = kmax // 2
        terms.append(Term("at most", value, "B", "half of Kmax, the least that orders both", ""))
    return Derived(value, "B", "rule", tuple(terms), KMIN_SOURCE)
