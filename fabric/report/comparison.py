"""Designs side by side, as text and as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fabric.report.bandwidth import bandwidth_json
from fabric.report.text import columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabric.model.comparison import Compared

SCHEMA = 1


def comparison_json(found: Sequence[Compared]) -> dict[str, object]:
    """One object a design."""
    return {
        "designs": [
            {
                "inventory": one.inventory,
                "fabric": one.fabric,
                "title": one.title,
                "failed": list(one.failed),
                "switches": dict(one.switches),
                "cables": one.cables,
                "long_cables": one.long_cables,
                "optics": one.optics,
                "cable_m": one.length_m,
                **bandwidth_json(one.bandwidth),
            }
            for one in found
        ]
    }


def comparison_lines(found: Sequence[Compared]) -> list[str]:
    """One row a figure, one column a design."""
    rows: list[tuple[str, ...]] = [("", *(one.fabric for one in found))]
    rows.append(("topology", *(one.title for one in found)))
    if any(one.failed for one in found):
        rows.append(("down", *(", ".join(one.failed) or "nothing" for one in found)))
    rows.append(("endpoints", *(f"{one.bandwidth.endpoints:,}" for one in found)))
    rows.append(("switches", *(f"{sum(n for _, n in one.switches):,}" for one in found)))
    rows.append(
        ("  of", *(", ".join(f"{n:,} {model}" for model, n in one.switches) for one in found))
    )
    rows.append(("cables", *(f"{one.cables:,}" for one in found)))
    rows.append(("  above 3 m", *(f"{one.long_cables:,}" for one in found)))
    rows.append(("optics", *(f"{one.optics:,}" for one in found)))
    rows += _rates(found)
    return [*columns(rows), "", *_words(found)]


def _words(found: Sequence[Compared]) -> list[str]:
    """What the figures are of."""
    units = ", ".join(f"{one.fabric} {one.bandwidth.nic_gbps:g}G" for one in found)
    lines = [f"  Rates are in NIC rates ({units}); θ is not capped by them."]
    if found[0].bandwidth.effective:
        first = found[0].bandwidth.effective[0]
        draw = f"{first.pattern} pattern, {first.trials} trials, seed {first.seed}"
        lines.append(f"  Effective: {draw}, mean of the pairs; hash {_hashes(found)}.")
    for one in found:
        if one.bandwidth.detached:
            lines.append(
                f"  {one.fabric}: {one.bandwidth.detached:,} endpoints have no live cable and are "
                "left out."
            )
        stranded = max((e.stranded for e in one.bandwidth.effective), default=0.0)
        if stranded:
            lines.append(
                f"  {one.fabric}: {100 * stranded:.1f} % of the pairs have no way, counted 0."
            )
    return lines


def _hashes(found: Sequence[Compared]) -> str:
    """The models, by design where they differ."""
    first = [one.bandwidth.effective[0] for one in found]
    told = [f"{e.hash}{' (hypothetical)' if e.hypothetical else ', as planned'}" for e in first]
    if len(set(told)) == 1:
        return told[0]
    pairs = zip(found, told, strict=True)
    return "; ".join(f"of {one.fabric} {word}" for one, word in pairs)


def _rates(found: Sequence[Compared]) -> list[tuple[str, ...]]:
    rows = [("bisection", *(_bisection(one) for one in found))]
    for kind in ("uniform", "shift", "adversarial"):
        thetas = [next(t for t in one.bandwidth.thetas if t.kind == kind) for one in found]
        rows.append((f"θ {kind}, LP", *(_number(theta.lp) for theta in thetas)))
        rows.append(("  even split", *(_number(theta.ecmp) for theta in thetas)))
    rows.append(
        (
            "worst leaf uplinks",
            *(f"{100 * (one.bandwidth.worst_ratio or 0):.1f} %" for one in found),
        )
    )
    for place, first in enumerate(found[0].bandwidth.effective):
        effective = [one.bandwidth.effective[place] for one in found]
        flows = f"{first.qps} QP{'s' if first.qps > 1 else ''}"
        rows.append((f"effective, {flows}", *(f"{100 * e.mean:.1f} %" for e in effective)))
    return rows


def _bisection(one: Compared) -> str:
    cut = one.bandwidth.bisection
    if cut is None:
        return "–"
    share = f"{100 * cut.ratio:.1f} %"
    if cut.kind == "bounds" and cut.links:
        share = f"{100 * cut.ratio * cut.lower / cut.links:.1f}–{share}"
    return f"{share} ({cut.kind}), {cut.gbps:,.0f} Gb/s"


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.4f}" if math.isfinite(value) else "no limit"
