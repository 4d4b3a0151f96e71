"""Ways out of a CBD and what single cables cost, for people and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.units import short_bytes_text
from fabric.report.text import wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.model.deadlock import Cure, HeadroomCost, PathCost
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
        lines += wrapped(f"{cure.title}: {facts}", style, indent=6, first="  - ")
        if not cure.cbd:
            lines += wrapped(f"how: {cure.change}", style, indent=9, first="    ")
        if cure.note:
            lines += wrapped(cure.note, style, indent=4)
    return lines


def _facts(cure: Cure) -> Iterable[str]:
    if cure.cbd:
        yield "still a CBD"
        return
    yield "no CBD, whatever else fails" if cure.survives_failures else "no CBD"
    if cure.priorities > cure.limit:
        many = "more than 8" if cure.priorities > 8 else str(cure.priorities)  # noqa: PLR2004
        yield f"needs {many} lossless priorities, {cure.limit_by} carries {cure.limit}"
    elif cure.priorities != cure.priorities_before:
        yield f"{cure.priorities} lossless priorities (now {cure.priorities_before})"
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
    change = paths.load_after / paths.load_before - 1 if paths.load_before else 0.0
    if abs(change) >= 0.0005:  # noqa: PLR2004 — what rounds to 0.0 %
        loads = f"load {paths.load_before:.3g} → {paths.load_after:.3g}"
        parts.append(f"{loads} ({paths.throughput - 1:+.0%} of uniform throughput)")
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
