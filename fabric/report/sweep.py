"""A failure sweep as text and as JSON: the same facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.report.deadlock import assumption_lines, verdict_json, verdict_lines
from fabric.report.text import columns, wrapped

if TYPE_CHECKING:
    from fabric.model.deadlock import DeadlockVerdict, SweepVerdict
    from fabric.report.text import Style


def sweep_json(found: SweepVerdict) -> dict[str, object]:
    """One sweep as plain values (without ``schema``)."""
    value: dict[str, object] = {
        "sets": found.sets,
        "of": found.of,
        "with_cbd": found.with_cbd,
        "with_unreachable": found.with_unreachable,
        "smallest": None,
        "worked_out": found.worked_out,
        "coverage": found.coverage,
        "complete": found.complete,
    }
    if found.smallest is not None:
        failed, verdict = found.smallest
        value["smallest"] = {"failed": list(failed), **verdict_json(verdict)}
    if found.unfailed is not None:
        value["unfailed"] = {
            "cbd": found.unfailed.cbd,
            "unreachable_pairs": found.unfailed.unreachable_pairs,
        }
    if found.nodes is not None:
        value["nodes"] = sweep_json(found.nodes)
    if found.assumptions:
        value["assumptions"] = [
            {"text": a.text, "how": a.how, "why": a.why} for a in found.assumptions
        ]
    return value


def sweep_lines(found: SweepVerdict, priorities: tuple[int, ...], style: Style) -> list[str]:
    """The sweep for a reader. ``priorities``: 802.1p number of each level."""
    parts = [found, *([found.nodes] if found.nodes is not None else [])]
    rows = [("", "with a CBD", "with unreachable pairs")]
    if found.unfailed is not None:
        base = found.unfailed
        pairs = f"{base.unreachable_pairs:,} pairs" if base.unreachable_pairs else "no"
        rows.append(("nothing failed", "yes" if base.cbd else "no", pairs))
    rows += [(p.coverage, f"{p.with_cbd:,}", f"{p.with_unreachable:,}") for p in parts]
    lines = [_headline(parts, style), *columns(rows, right=(1, 2))]
    shown = _worst(parts)
    if shown is None:
        return [*lines, "", *assumption_lines(found, style)]
    failed, verdict = shown
    state = f"{' and '.join(failed)} down" if failed else "with nothing failed"
    lines += ["", *wrapped(f"Smallest counter-example: {state}.", style)]
    return [*lines, *verdict_lines(verdict, priorities, style)]


def _headline(parts: list[SweepVerdict], style: Style) -> str:
    unfailed = parts[0].unfailed
    if unfailed is not None and unfailed.cbd:
        return style.paint("CBD (deadlock possible) with nothing failed already", "red")
    if any(part.with_cbd for part in parts):
        return style.paint("CBD (deadlock possible) after some failures", "red")
    if any(not part.complete for part in parts):
        return style.paint("no CBD so far: interrupted, the rest is not proven", "yellow")
    if any(part.sets < part.of for part in parts):
        return style.paint("no CBD in what was drawn: the rest is not proven", "yellow")
    return style.paint("no CBD after any of these failures", "green")


def _worst(parts: list[SweepVerdict]) -> tuple[tuple[str, ...], DeadlockVerdict] | None:
    """A counter-example with a CBD before one with unreachable pairs, the fewest failures first."""
    known = [part.smallest for part in parts if part.smallest is not None]
    return min(known, key=lambda one: (not one[1].cbd, len(one[0])), default=None)
