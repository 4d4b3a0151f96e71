"""What a designer looks at first: devices, ports, ratios, bisection, headroom."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.model.plan import Summary, TierSummary
from fabric.model.units import short_bytes_text, speed_text
from fabric.report.deadlock import short_text
from fabric.report.expected import ASK, expected_text
from fabric.report.text import Style, columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.bandwidth import Effective
    from fabric.model.deadlock import DeadlockVerdict
    from fabric.model.design import Design
    from fabric.model.platform import PlatformSpec
    from fabric.model.topology import Switch


def summarise(
    design: Design, deadlock: DeadlockVerdict, effective: Effective | None = None
) -> Summary:
    """The summary of a design and its deadlock verdict; every figure is already in them.

    ``effective``: the rates that a target asked for, ``None``: nobody did.
    """
    topology, intent = design.topology, design.intent
    shape = topology.shape
    systems = sorted(
        {
            f"{hardware.platform.title}, {hardware.model.name}"
            for hardware in (intent.hardware.of(s.name, s.role) for s in topology.switches)
        }
    )
    speeds = [port.speed_gbps for host in topology.hosts for port in host.ports]
    return Summary(
        fabric=intent.name,
        title=shape.title,
        hosts=len(topology.hosts),
        nics=len(speeds),
        switches=len(topology.switches),
        links=len(topology.links),
        hardware=" and ".join(systems),
        tiers=_tiers(design),
        bisection_gbps=shape.bisection_gbps,
        bisection_note=shape.bisection_note,
        endpoints=shape.endpoints,
        line_rate_gbps=min(speeds, default=0),
        asn_reason=design.addressing.asn_reason,
        notes=(*design.addressing.notes, *design.underlay.notes),
        deadlock=short_text(deadlock),
        expect="" if effective is None else expected_text(effective),
    )


def _tiers(design: Design) -> tuple[TierSummary, ...]:
    roles: dict[tuple[int, str], list[Switch]] = {}
    for switch in design.topology.switches:
        roles.setdefault((switch.position.tier, switch.role), []).append(switch)
    return tuple(_tier(design, role, roles[tier, role]) for tier, role in sorted(roles))


def _tier(design: Design, role: str, switches: list[Switch]) -> TierSummary:
    used = [sum(port.used for port in switch.ports) for switch in switches]
    # Side cages are for management: no fabric cable fits.
    free = [sum(not port.used and not port.side for port in switch.ports) for switch in switches]
    generic = all(design.intent.hardware.of(s.name, s.role).model.generic for s in switches)
    fits = {fit.device: fit.used_fraction for fit in design.lossless.fits}
    fractions = [f for f in (fits.get(s.name) for s in switches) if f is not None]
    return TierSummary(
        role=role,
        switches=len(switches),
        ports_used=max(used),
        ports_free=-1 if generic else min(free),
        oversubscription=dict(design.topology.shape.oversubscription).get(role),
        asn_text=_asn_text([design.addressing.asn(s.name) for s in switches], switches),
        headroom_used=max(fractions, default=None),
    )


def _asn_text(asns: Sequence[int], switches: Sequence[Switch]) -> str:
    distinct = sorted(set(asns))
    if len(distinct) == 1:
        return str(distinct[0])
    groups = {s.position.group for s in switches}
    span = f"{distinct[0]}–{_tail(distinct[0], distinct[-1])}"
    if len(distinct) < len(asns) and len(distinct) == len(groups):
        return f"{span}, one per group"
    return span


def _tail(first: int, last: int) -> str:
    """The digits of ``last`` that differ, at least four: 4200001000–1015."""
    a, b = str(first), str(last)
    kept = 4
    if len(a) != len(b) or len(b) <= 2 * kept or a[:-kept] != b[:-kept]:
        return b
    return b[-kept:]


def _ratio(value: float | None) -> str:
    if value is None:
        return "–"
    if value == 0:
        return "no uplink"
    larger = f"{max(value, 1 / value):.3f}".rstrip("0").rstrip(".")  # 1.067: three decimals
    return f"{larger} : 1" if value >= 1 else f"1 : {larger}"


def _percent(value: float | None) -> str:
    if value is None:
        return "not known"
    return f"{value:.0%}" if value >= 0.1 else f"{value:.1%}"  # noqa: PLR2004 — two digits


def _hosts_text(design: Design) -> str:
    """Hosts and NICs: alike, or counted by what they have."""
    kinds = Counter(
        (
            len(host.ports),
            max((len(port.cabled) for port in host.ports), default=1),
            *sorted({port.speed_gbps for port in host.ports}),
        )
        for host in design.topology.hosts
    )
    return " and ".join(
        f"{count:,} host{'s' if count > 1 else ''} × {nics} × "
        + (f"bond of {cables} × " if cables > 1 else "")
        + "/".join(speed_text(speed) for speed in speeds)
        for (nics, cables, *speeds), count in kinds.items()
    )


def _headline(summary: Summary, design: Design) -> str:
    hosts = _hosts_text(design) or "no hosts"
    return (
        f"{summary.fabric} · {summary.title} · {hosts} · {summary.switches:,} switches "
        f"({summary.hardware}) · {summary.links:,} cables"
    )


def _roce_rows(design: Design) -> list[tuple[str, str]]:
    roce = design.intent.roce
    tos = roce.dscp << 2
    systems = _systems(design)
    able = [system for system in systems if system.capabilities.lossless]
    unable = " and ".join(system.title for system in systems if not system.capabilities.lossless)
    path = f"DSCP {roce.dscp} → priority {roce.priority}"
    cnp_path = f"DSCP {roce.cnp_dscp} → priority {roce.cnp_priority}"
    if able:
        path += f" → queue {roce.priority}, lossless"
        cnp_path += f" → queue {roce.cnp_priority}, {_cnp_text(design, able)}"
    if unable:
        path += f"; ordinary traffic on {unable}"
        cnp_path += f"; no queue of its own on {unable}"
    byte = f"traffic class byte {tos} ({tos | 2} with ECT); NCCL_IB_TC={tos}"
    rising = _rising_rows(design) if able else []
    return [("RoCE", f"{path}; {byte}"), *rising, ("CNP", cnp_path), *_profile_rows(design)]


def _rising_rows(design: Design) -> list[tuple[str, str]]:
    """Where RoCE changes its class on the way."""
    rise = design.intent.roce.rise
    names = () if rise is None else rise.steps[1:]
    steps = [c for c in design.lossless.class_map.classes if c.name in names]
    if rise is None or not steps:
        return []
    classes = ", then ".join(
        f"DSCP {c.dscps[0]} → priority {c.priority} → queue {c.queue}" for c in steps
    )
    return [("rises", f"on {' and '.join(rise.kinds)} cables to {classes}, lossless too")]


def _systems(design: Design) -> list[PlatformSpec]:
    """The switch systems in use, by name."""
    hardware = design.intent.hardware
    used = {
        s.name: s for s in (hardware.of(x.name, x.role).platform for x in design.topology.switches)
    }
    return [used[name] for name in sorted(used)]


def _cnp_text(design: Design, systems: Sequence[PlatformSpec]) -> str:
    """How CNP is scheduled, and its cap where a system can have one."""
    cnp = next(c for c in design.lossless.class_map.classes if c.name == "cnp")
    uncapped = [s.title for s in systems if not s.capabilities.rate_cap]
    if cnp.max_rate_percent is None or len(uncapped) == len(systems):
        return f"{cnp.scheduler}, uncapped"
    but = f" (uncapped on {' and '.join(uncapped)})" if uncapped else ""
    return f"{cnp.scheduler}, capped at {cnp.max_rate_percent} %{but}"


def _profile_rows(design: Design) -> list[tuple[str, str]]:
    """One line for all profiles that mark, or pause, alike."""
    in_use = [profile for profile in design.lossless.profiles if profile.in_use]
    if not in_use:
        return [("Lossless", "none: this system has no PFC on these ports")]
    ecn: dict[str, dict[str, None]] = {}
    pfc: dict[str, dict[str, None]] = {}
    for profile in in_use:
        speed, marks = speed_text(profile.speed_gbps), profile.ecn
        levels = (
            marks.fill.text
            if marks.fill
            else f"{short_bytes_text(marks.kmin_bytes.value)} … "
            f"{short_bytes_text(marks.kmax_bytes.value)}"
        )
        most = (marks.fill or marks).pmax_percent
        mark = f"mark {levels}, {most} % at most ({speed}"
        pause = (
            f"xoff {profile.xoff_bytes.value:,} B ({speed}, {profile.configured_cable_m} m, "
            f"MTU {profile.mtu_bytes}, {profile.asic}: {profile.xoff_bytes.basis}"
        )
        ecn.setdefault(mark, {})[profile.role] = None
        pfc.setdefault(pause, {})[profile.role] = None
    rows = [
        (name, f"{text}; {', '.join(roles)})")
        for name, texts in (("ECN", ecn), ("PFC", pfc))
        for text, roles in texts.items()
    ]
    untold = _without_ecn(design)
    return (
        [*rows, ("ECN", f"not told to {untold}: its units are not confirmed")] if untold else rows
    )


def _without_ecn(design: Design) -> str:
    """Titles of the lossless systems in use whose config holds no thresholds."""
    hardware = design.intent.hardware
    specs = {hardware.of(s.name, s.role).platform.name: s for s in design.topology.switches}
    able = (hardware.of(s.name, s.role).platform for s in specs.values())
    titles = {p.title for p in able if p.capabilities.lossless and not p.capabilities.ecn}
    return ", ".join(sorted(titles))


def bisection_text(summary: Summary) -> str:
    """Ideal bisection and what it is measured against."""
    if summary.bisection_gbps is None:
        return f"not known: {summary.bisection_note}"
    rate = summary.line_rate_gbps
    full = summary.endpoints // 2 * rate
    ratio = f" = {summary.bisection_gbps / full:.3g} of full" if full else ""
    return (
        f"{summary.bisection_gbps / rate:g} × {speed_text(rate)} of "
        f"{summary.endpoints // 2}{ratio} ({summary.bisection_note})"
        if rate
        else summary.bisection_note
    )


def summary_lines(summary: Summary, design: Design, style: Style) -> list[str]:
    """The summary as lines."""
    lines = wrapped(_headline(summary, design), style)
    pfc = any(profile.in_use for profile in design.lossless.profiles)
    table = [("tier", "switches", "ports used/free", "down : up", "ASN", "headroom of pool")]
    table += [
        (
            tier.role,
            f"{tier.switches:,}",
            f"{tier.ports_used} / {'any' if tier.ports_free < 0 else tier.ports_free}",
            _ratio(tier.oversubscription),
            tier.asn_text,
            _percent(tier.headroom_used) if pfc else "–",
        )
        for tier in summary.tiers
    ]
    lines += ["", *columns(table, right=(1, 2, 3, 5)), ""]
    for name, text in _roce_rows(design):
        lines += wrapped(text, style, indent=13, first=f"  {name:<9}  ")
    lines.append("")
    lines += wrapped(bisection_text(summary), style, indent=13, first="  Bisection  ")
    if summary.endpoints > 1:
        lines += wrapped(summary.expect or ASK, style, indent=13, first="  Expect     ")
    lines += wrapped(summary.asn_reason, style, indent=13, first="  ASN        ")
    if summary.deadlock:
        lines += wrapped(summary.deadlock, style, indent=13, first="  Deadlock   ")
    for note in summary.notes:
        lines += wrapped(note, style, indent=13, first="  Note       ")
    return lines
