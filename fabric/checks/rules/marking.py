"""4xx: ECN thresholds against PFC."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.checks.ports import PortFault, by_cause
from fabric.checks.rules import ERROR, WARNING, Found, NotChecked, rule
from fabric.model.units import bytes_per_second, bytes_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.checks.facts import Facts
    from fabric.model.qos import LosslessProfile

_LEAST_PACKETS = 2
_ALL_PERCENT = 100
_SUBJECT = "ecn"
_NEEDS = ("lossless",)


def _in_bytes(facts: Facts) -> list[LosslessProfile]:
    """Profiles whose thresholds are bytes, so that they can be compared with bytes."""
    return [profile for profile in facts.profiles_in_use if profile.ecn.fill is None]


def _unit(facts: Facts) -> Iterator[NotChecked]:
    """One line for each system that counts percent of a buffer whose size nobody states."""
    systems = {
        facts.hardware[facts.users(p)[0]].platform.title
        for p in facts.profiles_in_use
        if p.ecn.fill is not None
    }
    for system in sorted(systems):
        text = f"{system} counts thresholds in percent of a queue's buffer, whose size is not known"
        yield NotChecked(system, text)


def _blind(facts: Facts) -> Iterator[NotChecked]:
    """One line for each system in percent, and each model whose shared pool is not known."""
    yield from _unit(facts)
    blind = {
        facts.hardware[facts.users(p)[0]].model.name
        for p in _in_bytes(facts)
        if p.ecn.pause_alone_bytes is None
    }
    for model in sorted(blind):
        yield NotChecked(model, f"the shared buffer pool of {model} is not known")


def _found(facts: Facts, faults: Iterable[PortFault]) -> Iterator[Found]:
    def numbers(profile: LosslessProfile) -> str:
        ecn = profile.ecn
        bdp = round(facts.roce.rtt_us * 1e-6 * bytes_per_second(profile.speed_gbps))
        return (
            f"Kmin {bytes_text(ecn.kmin_bytes.value)} ({ecn.kmin_bytes.basis}), "
            f"Kmax {bytes_text(ecn.kmax_bytes.value)} ({ecn.kmax_bytes.basis}), "
            f"BDP {bytes_text(bdp)} at an RTT of {facts.roce.rtt_us:g} µs"
        )

    return by_cause(facts, _SUBJECT, faults, numbers)


@rule(
    "RCE403",
    title="Kmax above the pause threshold of a lone port",
    severity=ERROR,
    needs=_NEEDS,
    why="even one congested port is paused before it is marked in full: congestion control never "
    "gets its say",
    fix="lower roce.ecn.kmax_bytes, or raise roce.dynamic_th",
    example="""\
roce: {ecn: {kmin_bytes: 2000000, kmax_bytes: 20000000}}""",
)
def above_alone(facts: Facts) -> Iterator[Found | NotChecked]:
    """Compare Kmax with T(1) = alpha x B / (1 + alpha): B the shared pool, alpha = 2^dynamic_th."""
    yield from _blind(facts)
    yield from _found(
        facts,
        (
            PortFault(profile, f"Kmax {bytes_text(kmax)} is above T(1) = {bytes_text(limit)}")
            for profile in _in_bytes(facts)
            if (limit := profile.ecn.pause_alone_bytes) is not None
            and (kmax := profile.ecn.kmax_bytes.value) > limit
        ),
    )


@rule(
    "RCE404",
    title="Kmax above the pause threshold under shared congestion",
    severity=WARNING,
    needs=_NEEDS,
    why="with that many ports congested at once the shared pool leaves each less than Kmax, and "
    "PFC acts before marking is complete",
    fix="lower roce.ecn.kmax_bytes below T(n), or raise roce.dynamic_th",
    example="""\
roce: {ecn: {kmin_bytes: 1048576, kmax_bytes: 2097152}}   # SONiC's stock values, 64 ports""",
)
def above_together(facts: Facts) -> Iterator[Found | NotChecked]:
    """Compare Kmax with T(n) = alpha x B / (1 + alpha x n), n all cabled ports of the switch.

    A Kmax above T(1) is left to RCE403.
    """
    yield from _blind(facts)
    yield from _found(facts, _crowded(facts))


def _crowded(facts: Facts) -> Iterator[PortFault]:
    for profile in _in_bytes(facts):
        ecn = profile.ecn
        kmax, alone, together = (
            ecn.kmax_bytes.value,
            ecn.pause_alone_bytes,
            ecn.pause_together_bytes,
        )
        if alone is not None and together is not None and together < kmax <= alone:
            yield PortFault(
                profile,
                f"Kmax {bytes_text(kmax)} is above T({ecn.congested_ports}) = "
                f"{bytes_text(together)}, where PFC begins with all cabled ports congested",
            )


@rule(
    "RCE405",
    title="ECN thresholds upside down or out of range",
    severity=ERROR,
    needs=_NEEDS,
    why="WRED needs 0 < Kmin < Kmax; below two packets it marks an idle link",
    fix="set Kmin between two packets and Kmax, and a marking probability of 1 to 100 %",
    example="""\
roce: {ecn: {kmin_bytes: 800000, kmax_bytes: 400000}}""",
)
def disordered(facts: Facts) -> Iterator[Found | NotChecked]:
    """Look at Kmin < Kmax and 0 < Pmax <= 100 (errors), and Kmin >= 2 MTU (warning)."""
    yield from _unit(facts)
    yield from _found(facts, _out_of_range(facts))


def _out_of_range(facts: Facts) -> Iterator[PortFault]:
    for profile in _in_bytes(facts):
        ecn = profile.ecn
        kmin, kmax = ecn.kmin_bytes.value, ecn.kmax_bytes.value
        if kmin >= kmax:
            text = f"Kmin {bytes_text(kmin)} is not below Kmax {bytes_text(kmax)}: kmin >= kmax"
            yield PortFault(profile, text, "order")
        elif kmin < _LEAST_PACKETS * profile.mtu_bytes:
            packet = bytes_text(profile.mtu_bytes)
            text = f"Kmin {bytes_text(kmin)} is less than two packets of {packet}"
            yield PortFault(profile, text, "least", WARNING)
        if not 0 < ecn.pmax_percent <= _ALL_PERCENT:
            yield PortFault(
                profile, f"the marking probability at Kmax is {ecn.pmax_percent} %", "pmax"
            )


@rule(
    "RCE406",
    title="PFC acts before ECN",
    severity=WARNING,
    needs=_NEEDS,
    why="the queue is paused before the first packet is marked, so the senders never learn of the "
    "congestion",
    fix="lower roce.ecn.kmin_bytes below the pause threshold",
    example="""\
roce: {ecn: {kmin_bytes: 2000000, kmax_bytes: 10000000, pmax_percent: 20}}""",
)
def pause_first(facts: Facts) -> Iterator[Found | NotChecked]:
    """Compare Kmin with T(n), the share of a port when all cabled ports are congested."""
    yield from _blind(facts)
    yield from _found(
        facts,
        (
            PortFault(
                profile,
                f"PFC acts before ECN: Kmin {bytes_text(kmin)} is above "
                f"T({profile.ecn.congested_ports}) = {bytes_text(limit)}",
            )
            for profile in _in_bytes(facts)
            if (limit := profile.ecn.pause_together_bytes) is not None
            and (kmin := profile.ecn.kmin_bytes.value) > limit
        ),
    )
