"""Ways out of a CBD and what single cables cost, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.units import short_bytes_text
from fabric.report.text import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.model.deadlock import (
        Cure,
        HeadroomCost,
        KindCost,
        PathCost,
        Remedy,
        SingleFailureCosts,
    )
    from fabric.report.text import Style

_LOAD = (
    "load: of the fullest cable between switches when every endpoint sends at its line rate, as "
    "much to each other one, split equally at every switch"
)


def cures_lines(cures: Sequence[Cure], style: Style) -> list[str]:
    """What helps, what the switches cannot carry, what leaves a CBD; each with its price."""
    helps = [cure for cure in cures if cure.helps]
    beyond = [cure for cure in cures if not cure.cbd and not cure.fits]
    fails = [cure for cure in cures if cure.cbd]
    lines = _block("Ways out, checked", helps, style)
    if not helps:
        lines += ["Ways out, checked: none of those that were tried"]
    lines += _block("No CBD with these, but the switches cannot carry them", beyond, style)
    lines += _block("These do not help", fails, style)
    if any(_load_text(cure.paths) for cure in cures if cure.paths and _same_pairs(cure)):
        lines += wrapped(_LOAD, style, indent=2)
    return lines


def _block(title: str, cures: Sequence[Cure], style: Style) -> list[str]:
    if not cures:
        return []
    lines = [f"{title}:"]
    for cure in cures:
        facts = "; ".join(_facts(cure))
        lines += wrapped(f"{cure.title}: {facts}", style, indent=4, first="  - ")
        if not cure.cbd:
            lines += wrapped(f"how: {cure.change}", style, indent=4, first="    ")
        if cure.note:
            lines += wrapped(cure.note, style, indent=4)
    return lines


def _facts(cure: Cure) -> Iterable[str]:
    if cure.cbd:
        yield "still a CBD"
        return
    yield "no CBD, whatever else fails" if cure.survives_failures else "no CBD"
    if cure.priorities > cure.limit:
        many = "more than 8" if cure.levels > 8 else str(cure.priorities)  # noqa: PLR2004
        yield f"needs {many} lossless priorities, {cure.limit_by} carries {cure.limit}"
    elif cure.priorities != cure.priorities_before:
        yield f"{cure.priorities} lossless priorities (now {cure.priorities_before})"
    elif cure.levels > 1:
        yield f"the {cure.priorities} lossless priorities of the plan suffice"
    if cure.headroom is not None and cure.priorities <= cure.limit:
        yield _headroom_text(cure.headroom)
    if cure.port_headroom:
        yield cure.port_headroom
    yield from _pairs(cure)
    if cure.paths is not None and _same_pairs(cure):
        yield _load_text(cure.paths) or "the same load"


def _pairs(cure: Cure) -> Iterable[str]:
    lost = cure.unreachable
    if _same_pairs(cure):
        if lost:
            yield f"{lost:,} pairs of leaves without a way, as now"
    elif not lost:
        yield f"every pair of leaves has a way (now {cure.unreachable_before:,} have none)"
    else:
        yield f"{lost:,} ordered pairs of leaves without a way (now {cure.unreachable_before:,})"


def _same_pairs(cure: Cure) -> bool:
    return cure.unreachable == cure.unreachable_before


def _headroom_text(cost: HeadroomCost) -> str:
    before, after = cost.before_share, cost.after_share
    if before is None or after is None:
        sizes = f"{short_bytes_text(cost.before_bytes)} → {short_bytes_text(cost.after_bytes)}"
        return f"headroom {sizes} on {cost.device}, whose pool is not known"
    text = f"headroom {_percent(before)} → {_percent(after)} of the pool on {cost.device}"
    return f"{text}, more than there is" if after > 1 else text


def _percent(share: float) -> str:
    return f"{share * 100:.2g} %" if share < 0.1 else f"{share * 100:.0f} %"  # noqa: PLR2004


def _load_text(paths: PathCost) -> str:
    """Change of load and length; empty: none."""
    parts = []
    loads = [f"{load:.2f}" for load in (paths.load_before, paths.load_after)]
    if loads[0] != loads[1]:
        parts.append(f"load {loads[0]} → {loads[1]}")
        rates = [f"{rate:.0%}".replace("%", " %") for rate in paths.throughput]
        if rates[0] != rates[1]:
            parts.append(f"uniform traffic gets {rates[1]} of line rate (now {rates[0]})")
    if abs(paths.hops_after - paths.hops_before) >= 0.005:  # noqa: PLR2004
        parts.append(f"{paths.hops_before:.2f} → {paths.hops_after:.2f} cables a packet")
    return ", ".join(parts)


def cure_json(cure: Cure) -> dict[str, object]:
    """A cure as plain values; ``helps``: verified, and possible on these switches."""
    headroom, paths = cure.headroom, cure.paths
    return {
        "name": cure.name,
        "title": cure.title,
        "change": cure.change,
        "helps": cure.helps,
        "cbd": cure.cbd,
        "levels": cure.levels,
        "survives_failures": cure.survives_failures,
        "priorities_before": cure.priorities_before,
        "priorities": cure.priorities,
        "priorities_limit": cure.limit,
        "unreachable_pairs_before": cure.unreachable_before,
        "unreachable_pairs": cure.unreachable,
        "headroom": headroom
        and {
            "device": headroom.device,
            "before_bytes": headroom.before_bytes,
            "after_bytes": headroom.after_bytes,
            "before_share": headroom.before_share,
            "after_share": headroom.after_share,
        },
        "uniform_even_split": paths
        and {
            "mean_hops_before": paths.hops_before,
            "mean_hops": paths.hops_after,
            "fullest_cable_load_before": paths.load_before,
            "fullest_cable_load": paths.load_after,
        },
        "note": cure.note,
    }


def single_failure_lines(costs: SingleFailureCosts, style: Style) -> list[str]:
    """What the loss of one cable costs, by kind, and what keeps pairs together."""
    some = "" if costs.complete else " (a few cables of each kind were worked out)"
    lines = [f"If one cable fails, under minimal paths{some}:"]
    for kind in costs.kinds:
        lines += wrapped(_kind_text(kind), style, indent=4, first="  - ")
    if costs.remedies:
        lines.append("What keeps pairs together, checked over every such failure:")
        if not costs.complete:
            lines[-1] = "What keeps pairs together, checked over a few of such failures:"
    for remedy in costs.remedies:
        text = f"{remedy.title}: {'; '.join(_remedy_facts(remedy, costs))}"
        lines += wrapped(text, style, indent=4, first="  - ")
        lines += wrapped(f"how: {remedy.change}", style, indent=4, first="    ")
    return lines


def _kind_text(kind: KindCost) -> str:
    name = f"{kind.kind}, {kind.cables:,} cables"
    parts = []
    if kind.worked_out:
        cbd = f", {kind.with_cbd:,} leave a CBD" if kind.with_cbd else ", no CBD"
        parts.append(
            f"{kind.with_unreachable:,} of {kind.worked_out:,} worked out part a pair, up to "
            f"{kind.worst_pairs:,} ordered pairs of leaves ({kind.worst}){cbd}"
            if kind.with_unreachable
            else f"none of {kind.worked_out:,} worked out parts a pair{cbd}"
        )
    if kind.paired:
        parts.append(f"{kind.paired:,} have a parallel one beside them and part nobody")
    return f"{name}: {'; '.join(parts)}"


def _remedy_facts(remedy: Remedy, costs: SingleFailureCosts) -> Iterable[str]:
    parted, stuck = remedy.with_unreachable, remedy.with_cbd
    yield f"{parted:,} of {remedy.checked:,} still part a pair" if parted else "no pair is parted"
    yield f"{stuck:,} of {remedy.checked:,} leave a CBD" if stuck else "no CBD"
    if remedy.priorities > costs.limit:
        yield (
            f"needs {remedy.priorities} lossless priorities, {costs.limit_by} carries {costs.limit}"
        )
    elif remedy.priorities != costs.priorities:
        yield f"{remedy.priorities} lossless priorities (now {costs.priorities})"
    if remedy.note:
        yield remedy.note


def single_failures_json(costs: SingleFailureCosts) -> dict[str, object]:
    """The same as plain values."""
    return {
        "complete": costs.complete,
        "kinds": [
            {
                "kind": kind.kind,
                "cables": kind.cables,
                "with_parallel": kind.paired,
                "worked_out": kind.worked_out,
                "with_unreachable": kind.with_unreachable,
                "with_cbd": kind.with_cbd,
                "worst": kind.worst,
                "worst_pairs": kind.worst_pairs,
            }
            for kind in costs.kinds
        ],
        "remedies": [
            {
                "title": remedy.title,
                "change": remedy.change,
                "helps": remedy.helps and remedy.priorities <= costs.limit,
                "checked": remedy.checked,
                "with_unreachable": remedy.with_unreachable,
                "with_cbd": remedy.with_cbd,
                "priorities": remedy.priorities,
                "priorities_limit": costs.limit,
                "note": remedy.note,
            }
            for remedy in costs.remedies
        ],
    }
