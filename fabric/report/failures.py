"""What single failures cost, as text and as JSON: the same facts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fabric.report.bandwidth import cost_cells, cost_json, effective_json
from fabric.report.bandwidth_theta import theta_json, theta_text
from fabric.report.text import columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabric.model.bandwidth import FailureCost, FailureSweep, WorstFailure
    from fabric.report.text import Style

_BASICS = (
    "Left out: θ by linear program and of other traffic, and effective rates, which take long for "
    "every kind. --full works them out, --qps 1,8 the effective rates alone."
)
_PARTED = (
    "Some pairs have no way with nothing failed (planes that no cable joins, or what is down): "
    "even split leaves them out, where θ of the whole is 0."
)
_ALIKE = (
    "Alike is meant for bisection, worst leaf and uniform traffic. Shift and adversarial go by the "
    "numbers of endpoints and groups, effective rates by hash and draw: they are of the failure "
    "that is named; others like it may differ."
)


def sweep_json(found: FailureSweep) -> dict[str, object]:
    """All single failures, one row a kind."""
    return {
        "unfailed": _row_json(found.unfailed, found.parts),
        "failures": found.of,
        "parted": found.parted,
        "worst": [_worst_json(one) for one in found.worst],
        "kinds": [_row_json(row, found.parts) for row in found.rows],
    }


def _row_json(row: FailureCost, parts: tuple[str, ...]) -> dict[str, object]:
    told: dict[str, object] = {**cost_json(row), "parallel": row.parallel or None}
    if "theta" in parts:
        told["theta"] = {theta.kind: theta_json(theta) for theta in row.thetas}
    if "effective" in parts:
        told["effective"] = [effective_json(one) for one in row.effective]
    if parts:
        told["left_out"] = row.left_out or None
    return told


def _worst_json(one: WorstFailure) -> dict[str, object]:
    return {
        "figure": one.figure,
        "unfailed": one.unfailed if math.isfinite(one.unfailed) else None,
        "value": one.value if math.isfinite(one.value) else None,
        "is_bound": one.is_bound,
        "unfailed_is_bound": one.unfailed_is_bound,
        "failed": list(one.failed),
        "stands_for": one.stands_for,
        "parallel": one.parallel or None,
        "unknown_kinds": one.unknown,
    }


def sweep_lines(found: FailureSweep, style: Style) -> list[str]:
    """The worst of each figure, then the kinds of failures, least even-split θ first."""
    order = sorted(found.rows, key=lambda row: (row.ecmp, row.worst_ratio))
    rows = [("fails", "alike", "bisection", "even-split θ", "worst leaf", "cut off")]
    rows += [
        (_name(row), f"{row.stands_for:,}", *cost_cells(row)) for row in (found.unfailed, *order)
    ]
    kinds = f"{len(found.rows)} kind{'' if len(found.rows) == 1 else 's'} worked out"
    failures = "the only single failure" if found.of == 1 else f"all {found.of:,} single failures"
    head = f"  {failures}, {kinds}"
    lines = [head, "", *_worst_lines(found), "", *columns(rows, right=(1, 2, 3, 5))]
    if found.parted:
        lines += wrapped(_PARTED, style, indent=2)
    if found.parts:
        lines += ["", *_full_lines((found.unfailed, *order))]
        lines += wrapped(_ALIKE, style, indent=2)
    else:
        lines += ["", *wrapped(_BASICS, style, indent=2)]
    return lines


def _name(row: FailureCost | WorstFailure) -> str:
    failed = ", ".join(row.failed) or "nothing"
    return f"{failed} (1 of {row.parallel} parallel)" if row.parallel > 1 else failed


def _worst_lines(found: FailureSweep) -> list[str]:
    rows = [("worst of each figure", "nothing down", "then", "when this fails", "alike")]
    for one in found.worst:
        value, whole = _least(one.value, one.is_bound), _least(one.unfailed, one.unfailed_is_bound)
        left = (value, f"{_name(one)}{_so_far(one)}", f"{one.stands_for:,}")
        if not one.failed:
            left = ("", f"{_none(one)}{_so_far(one)}", "")
        rows.append((one.figure, whole, *left))
    return columns(rows, right=(1, 2, 4))


def _none(one: WorstFailure) -> str:
    if one.unfailed_is_bound:
        return "no single failure is below that bound"
    return "none worked out lowers it" if one.unknown else "no single failure lowers it"


def _least(value: float, is_bound: bool) -> str:
    return f"{'≥ ' if is_bound else ''}{theta_text(value)}"


def _so_far(one: WorstFailure) -> str:
    if not one.unknown:
        return ""
    return f"; not known of {one.unknown:,} kind{'s' if one.unknown > 1 else ''}"


def _full_lines(order: tuple[FailureCost, ...]) -> Iterator[str]:
    """The costly figures; a column for each that any kind has."""
    cells = [dict(_full_cells(row)) for row in order]
    heads = list(dict.fromkeys(head for row in cells for head in row))
    rows = [("fails", *heads)]
    rows += [
        (_name(row), *(known.get(head, "–") for head in heads))
        for row, known in zip(order, cells, strict=True)
    ]
    yield from columns(rows, right=range(1, len(heads) + 1))
    if any(row.thetas for row in order):
        yield "  θ: any paths (LP), or even split; not capped by the NICs"
    drawn = next((one for row in order for one in row.effective), None)
    if drawn is not None:
        how = f"{drawn.hash}{' (hypothetical)' if drawn.hypothetical else ', as planned'}"
        draw = f"{drawn.pattern} pattern, {how}, {drawn.trials} trials, seed {drawn.seed}"
        yield f"  QPs a pair: effective rate, mean of the pairs; {draw}"
    missing = [row for row in order if row.left_out]
    for reason in dict.fromkeys(row.left_out for row in missing):
        kinds = [row for row in missing if row.left_out == reason]
        yield f"  Not worked out for {_name(kinds[0])}{_others(len(kinds) - 1)}: {reason}"
    reasons = (theta.why_null for row in order for theta in row.thetas if theta.why_null)
    for reason in dict.fromkeys(reasons):
        yield f"  –: {reason}"


def _others(count: int) -> str:
    return f" and {count:,} kinds more" if count else ""


def _full_cells(row: FailureCost) -> Iterator[tuple[str, str]]:
    for theta in row.thetas:
        if theta.lp is None and theta.ecmp is None:
            continue
        yield f"θ {theta.kind}", theta_text(theta.lp)
        if theta.kind != "uniform":  # the table of kinds has that
            yield f"{theta.kind}, even", theta_text(theta.ecmp)
    for one in row.effective:
        yield f"{one.qps} QP{'s' if one.qps > 1 else ''}", f"{100 * one.mean:.1f} %"
