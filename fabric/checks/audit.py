"""A switch that nobody planned, judged by its own config: is what should be lossless lossless?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from fabric.checks.chain import listed, paused_queue
from fabric.checks.following import follow, lossless_dscps
from fabric.model.audit import Audit
from fabric.model.finding import Finding, Severity

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from fabric.model.platform import PlatformSpec
    from fabric.model.qos import QosChain

_FEW = 8
_CODES = 8


@dataclass(frozen=True, slots=True)
class _Fault:
    rule: str
    severity: Severity
    text: str
    why: str
    fix: str


def audit(
    device: str,
    chains: Sequence[QosChain],
    problems: Sequence[str],
    spec: PlatformSpec,
    *,
    dscps: tuple[int, ...] = (),
) -> Audit:
    """Judge the chains of one switch. ``problems``: what its system gets wrong in silence.

    ``dscps``: what should be lossless; empty: all that ends in a lossless priority group on some
    port.
    """
    states = spec.capabilities.states_buffers
    wanted = dscps or lossless_dscps(chains, states_buffers=states)
    followed = tuple(
        follow(chain, dscp, states_buffers=states) for chain in chains for dscp in wanted
    )
    faults: dict[_Fault, list[str]] = {}
    for one in followed:
        if one.broken_at:
            fault = _broken(one.why)
            faults.setdefault(fault, []).append(one.port)
    for chain in chains:
        for fault in _of_port(chain, spec):
            faults.setdefault(fault, []).append(chain.port)
    findings = [_finding(device, f, ports, len(chains)) for f, ports in faults.items()]
    if not wanted:
        findings.append(_nothing(device, len(chains)))
    findings += _problems(device, problems)
    findings.sort(key=lambda finding: -finding.severity)
    return Audit(device, spec.name, wanted, bool(dscps), followed, tuple(findings))


def _broken(why: str) -> _Fault:
    return _Fault(
        "RCE302",
        Severity.ERROR,
        why,
        "one hop that sends RoCE into a lossy buffer drops packets under congestion",
        "bind the class map of the ports that are right: DSCP → TC → queue and PG, PFC, buffer",
    )


def _of_port(chain: QosChain, spec: PlatformSpec) -> Iterator[_Fault]:
    able, enabled = spec.capabilities, chain.pfc_priorities
    if len(enabled) > able.max_lossless_priorities or len(enabled) == _CODES:
        yield _Fault(
            "RCE304",
            Severity.ERROR,
            f"PFC is on for {listed(enabled)}",
            "each lossless priority takes headroom on every port; chips and systems carry few",
            "keep PFC to the priorities that need it, usually RoCE's alone",
        )
    for priority in enabled if able.ecn else ():
        queue = paused_queue(chain, priority)
        if not chain.queues[queue].ecn:
            yield _Fault(
                "RCE311",
                Severity.ERROR,
                f"lossless queue {queue} marks nothing: ECN is off",
                "without marks the senders never slow down: every congestion becomes a pause",
                "bind a WRED profile with ECN on to the queue",
            )
    missing = sorted(set(enabled) - set(chain.watchdog_priorities))
    if able.watchdog and missing:
        yield _Fault(
            "RCE315",
            Severity.ERROR,
            f"PFC is on for {listed(enabled)}, the watchdog guards "
            f"{listed(chain.watchdog_priorities)}",
            "a broken NIC that pauses for ever freezes the fabric behind it",
            "arm the watchdog on every priority that has PFC, on every port",
        )


def _finding(device: str, fault: _Fault, ports: list[str], count: int) -> Finding:
    alike = tuple(dict.fromkeys(ports))
    only = alike[0] if len(alike) == 1 else None
    where = only or ("every port" if len(alike) == count else f"{len(alike):,} ports")
    rest = len(alike) - _FEW
    more = (f"and {rest:,} more ports",) if rest > 0 else ()
    return Finding(
        rule=fault.rule,
        severity=fault.severity,
        subject=f"{device} {only}" if only else device,
        message=f"{device}: {where}: {fault.text}",
        why=fault.why,
        fix=fault.fix,
        evidence=() if only else (*alike[:_FEW], *more),
        device=device,
        port=only,
        keys=(fault.text,),
    )


def _nothing(device: str, ports: int) -> Finding:
    return Finding(
        rule="RCE302",
        severity=Severity.ERROR,
        subject=device,
        message=f"{device}: no DSCP is lossless on any of {ports:,} ports",
        why="RoCE is dropped under congestion here, and the NIC then resends whole windows",
        fix="name the DSCPs that should be lossless with --dscp to see where their chains break",
        device=device,
        keys=("none",),
    )


def _problems(device: str, problems: Sequence[str]) -> Iterator[Finding]:
    """All in one finding: where one line is wrong, its like on other ports often is too."""
    if not problems:
        return
    rest = len(problems) - _FEW
    more = (f"and {rest:,} more",) if rest > 0 else ()
    also = f" (and {len(problems) - 1:,} more)" if len(problems) > 1 else ""
    yield Finding(
        rule="RCE393",
        severity=Severity.WARNING,
        subject=device,
        message=f"{device}: {problems[0]}{also}",
        why="the switch refuses it, or takes it and lacks in silence what RoCE needs",
        fix="correct these lines on the switch",
        evidence=(*problems[1:_FEW], *more),
        device=device,
        keys=("problems",),
    )
