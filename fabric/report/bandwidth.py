"""Bandwidth as text and as JSON: the same figures, each with its definition."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fabric.report.bandwidth_theta import plain, theta_lines, theta_text, thetas_json
from fabric.report.text import columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.bandwidth import (
        Bandwidth,
        Bisection,
        Drain,
        Effective,
        FailureCost,
    )
    from fabric.report.text import Style

SCHEMA = 1
_KINDS = {
    "closed-form": "closed form, nothing failed",
    "exact": "exact, by integer program or by bounds that meet",
    "bounds": "between a bound and a cut that was found",
}


def bandwidth_json(found: Bandwidth) -> dict[str, object]:
    """As plain values (without ``schema``); parts that were not asked for are absent."""
    told: dict[str, object] = {
        "endpoints": found.endpoints,
        "detached": found.detached,
        "nic_gbps": found.nic_gbps,
    }
    if found.bisection:
        told["bisection"] = bisection_json(found.bisection)
    if found.thetas:
        told |= thetas_json(found)
    if found.effective:
        told["effective"] = [effective_json(one) for one in found.effective]
        told["notes"] = list(found.notes)
    return told


def bisection_json(found: Bisection) -> dict[str, object]:
    """``links`` in NIC rates; of an interval the upper end, and why it is one."""
    why = {"why_bounds": found.why} if found.kind == "bounds" else {}
    return {
        "links": plain(found.links),
        "gbps": plain(found.gbps),
        "ratio": plain(found.ratio),
        "kind": found.kind,
        "lower": plain(found.lower),
        "upper": plain(found.upper),
        **why,
    }


def effective_json(one: Effective) -> dict[str, object]:
    """One point of the curve over QPs."""
    return {
        "qps": one.qps,
        "hash": one.hash,
        "hypothetical": one.hypothetical,
        "pattern": one.pattern,
        "mean": one.mean,
        "sd": one.sd,
        "worst_pair": one.worst_pair,
        "striped": one.striped,
        "stranded": one.stranded,
        "trials": one.trials,
        "seed": one.seed,
    }


def bandwidth_lines(found: Bandwidth, style: Style) -> list[str]:
    """For a terminal."""
    lines = [*_endpoint_lines(found)]
    if found.bisection:
        lines += ["", *_bisection_lines(found.bisection, found.endpoints - found.detached)]
        if found.bisection.why:
            lines += wrapped(f"no more is known: {found.bisection.why}", style, indent=14)
    if found.thetas:
        lines += ["", *theta_lines(found, style)]
    if found.effective:
        lines += ["", *_effective_lines(found.effective, style)]
    for note in found.notes:
        lines += wrapped(note, style, indent=14, first="  Note        ")
    return lines


def _endpoint_lines(found: Bandwidth) -> Iterator[str]:
    yield f"  {found.endpoints:,} endpoints of {found.nic_gbps:g}G; rates below are in NIC rates"
    if found.detached:
        yield f"  {found.detached:,} of them have no live cable and are left out of every figure"
    if found.mixed_rates:
        yield (
            f"  NICs differ in rate; the unit is the most frequent one, {found.nic_gbps:g}G, so a "
            "slower NIC never has 100 %"
        )


def _bisection_lines(found: Bisection, endpoints: int) -> Iterator[str]:
    half = endpoints // 2
    size = f"{found.links:g}"
    if found.kind == "bounds":
        size = f"{found.lower:.4g} to {found.upper:.4g}"
    yield (
        f"  Bisection   {size} NIC rates across the worst equal halves of {half:,}: "
        f"{100 * found.ratio:.1f} %, {found.gbps:,.0f} Gb/s one way ({_KINDS[found.kind]})"
    )


def _effective_lines(effective: tuple[Effective, ...], style: Style) -> Iterator[str]:
    first = effective[0]
    what = {
        "bisection": "random halves, both ways",
        "permutation": "random permutation",
        "adversarial": "group to the next group, drawn",
    }[first.pattern]
    kind = "a heuristic" if first.hash == "ugal-like" else "hypothetical"
    label = f"{first.hash} ({kind})" if first.hypothetical else f"{first.hash}, as planned"
    yield f"  Effective   {what}; {label}; {first.trials} trials, seed {first.seed}"
    rows = [("QPs a pair", "mean", "± sd", "worst pair", "striped")]
    rows += [
        (
            f"{one.qps}",
            f"{100 * one.mean:.1f} %",
            f"{100 * one.sd:.1f}",
            f"{100 * one.worst_pair:.1f} %",
            f"{100 * one.striped:.1f} %",
        )
        for one in effective
    ]
    yield from columns(rows, right=(0, 1, 2, 3, 4), indent=4)
    if any(one.stranded for one in effective):
        share = max(one.stranded for one in effective)
        yield f"  {100 * share:.1f} % of the pairs have no way; they count as 0"
    yield from wrapped(
        "mean: of a pair's QPs together, max-min fair; striped: QPs × slowest QP, what a message "
        "split over all QPs sees",
        style,
        indent=4,
    )


def cost_json(row: FailureCost) -> dict[str, object]:
    """What one set of failures leaves."""
    return {
        "failed": list(row.failed),
        "stands_for": row.stands_for,
        "detached": row.detached,
        "bisection": bisection_json(row.bisection) if row.bisection else None,
        "worst_tor_uplink_ratio": row.worst_ratio,
        "worst_tor": row.worst_leaf,
        "theta_uniform_ecmp": plain(row.ecmp) if math.isfinite(row.ecmp) else None,
        "theta_uniform_nics": plain(row.nics) if math.isfinite(row.nics) else None,
    }


def cost_cells(row: FailureCost) -> tuple[str, str, str, str]:
    """Bisection, even-split θ, worst leaf, endpoints cut off."""
    cut, text = row.bisection, "–"
    if cut is not None:
        low = 100 * cut.lower / cut.links * cut.ratio if cut.links else 0.0
        text = f"{100 * cut.ratio:.1f} %"
        text = text if cut.kind != "bounds" else f"{low:.1f}–{text}"
    worst = f"{100 * row.worst_ratio:.1f} % {row.worst_leaf}".strip()
    return text, theta_text(row.ecmp), worst, f"{row.detached:,}"


def target_line(target: float, needed: tuple[int, float] | None) -> str:
    """How many QPs reach a target."""
    if needed is None:
        return f"  Target      {target:g} % is not reached with 256 QPs a pair"
    qps, mean = needed
    flows = f"{qps} QP{'s' if qps > 1 else ''} a pair"
    return f"  Target      {target:g} % is reached with {flows} ({100 * mean:.1f} %)"


def drain_json(found: Drain) -> dict[str, object]:
    """Whether a switch may be taken out."""
    return {
        "switch": found.switch,
        "may": found.may,
        "reasons": list(found.reasons),
        "slower": found.slower,
        "before": cost_json(found.before),
        "after": cost_json(found.after),
        "worst_next": cost_json(found.worst_next) if found.worst_next else None,
    }


def drain_lines(found: Drain) -> list[str]:
    """The answer first."""
    answer = "Yes" if found.may else f"No: {'; '.join(found.reasons)}"
    rows = [("", "bisection", "even-split θ", "worst leaf", "cut off")]
    rows += [
        (word, *cost_cells(row))
        for word, row in (("now", found.before), (f"without {found.switch}", found.after))
    ]
    worst = found.worst_next
    if worst:
        rows.append((f"and without {', '.join(worst.failed)} (the worst next)", *cost_cells(worst)))
    lines = [f"  {answer}"]
    if found.slower:
        many = "endpoint is" if found.slower == 1 else "endpoints are"
        lines.append(
            f"  {found.slower:,} {many} left on one leaf of two, at a part of the rate, and cut "
            "off if that one fails"
        )
    return [*lines, "", *columns(rows, right=(1, 2, 4))]
