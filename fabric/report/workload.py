"""A job on a fabric as text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabric.model.roce_packet import FAMILY_NAMES
from fabric.model.workload import ALLTOALL, RING
from fabric.report.text import Style, columns, wrapped
from fabric.report.workload_notes import meaning, notes
from fabric.report.workload_numbers import bytes_text, rate_text, seconds_text, size_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.model.workload_answer import (
        Binding,
        Phase,
        Seconds,
        WorkloadAnswer,
    )

_CLEARLY = 1.001
NONE = "no way"
_NEXT = "Next: the same with --fail DEVICE · --qps N · --matrix FILE.csv"


def workload_lines(found: WorkloadAnswer, style: Style) -> list[str]:
    """The answer first, then phases, tests, placements, and what the figures are."""
    lines = [_headline(found, style), *_facts(found, style)]
    if found.phases:
        lines += ["", *_phases(found), *_step(found, style), "", *_bindings(found.phases, style)]
    lines += ["", *_tests(found), *_above(found, style), "", *_placements(found)]
    for note in notes(found):
        lines += ["", *wrapped(f"Note: {note}.", style)]
    return [*lines, "", *wrapped(meaning(found), style), _NEXT]


def _headline(found: WorkloadAnswer, style: Style) -> str:
    if not found.complete:
        return style.paint(f"{found.name}: does not run, some ranks have no way to others", "red")
    step = found.step
    if step is not None and step.ideal is not None and step.hashed is not None:
        best, hashed = seconds_text(step.ideal), seconds_text(step.hashed)
        text = f"{found.name}: the network takes {best} of a step at best, {hashed} as hashed"
        return style.paint(text, "bold")
    largest = max(found.tests, key=lambda row: row.size)
    if found.hosts == 1 and largest.hashed is None:
        text = f"{found.name}: all ranks are on one host, nothing goes over the network"
        return style.paint(text, "bold")
    text = (
        f"{found.name}: {largest.operation} of {size_text(largest.size)} up to "
        f"{rate_text(largest.hashed)} GB/s busbw as hashed, {rate_text(largest.even)} split evenly"
    )
    return style.paint(text, "bold")


def _facts(found: WorkloadAnswer, style: Style) -> list[str]:
    each = f" × {found.gpus_per_host}" if found.gpus_per_host else ""
    nics = f"{found.nics} × {found.nic_gbps:g}G"
    family = FAMILY_NAMES[found.family]
    payload = f"{100 * found.efficiency:.2f} % payload, {found.goodput_gbytes_per_s:.2f} GB/s a NIC"
    parts = (
        f"{found.ranks:,} ranks on {found.hosts:,} host{'s' if found.hosts > 1 else ''}{each}",
        f"{nics} a host in use",
        f"RDMA MTU {found.rdma_mtu_bytes:,} over {family}: {payload}",
        f"all_reduce by {found.algorithm}",
        f"{found.qps} QPs a connection",
        f"{found.load_balancing} as planned",
        f"placement {found.placement}",
        f"seed {found.seed}",
    )
    return wrapped(" · ".join(parts), style, indent=2, first="  ")


def _phases(found: WorkloadAnswer) -> list[str]:
    of = "of step" if found.compute_s else "of comm."
    head = ("phase", "groups", "sent by a rank", "off leaf", "ideal", "even", "hashed", of)
    rows: list[tuple[str, ...]] = [head]
    for phase in found.phases:
        share = phase.shares[2]
        rows.append(
            (
                phase.name,
                f"{phase.groups:,} × {phase.size:,}",
                bytes_text(phase.bytes_per_rank),
                f"{100 * phase.crossing:.0f} %" if phase.pairs else "–",
                *_times(phase.seconds),
                "–" if share is None else f"{100 * share:.1f} %",
            )
        )
    return columns(rows, right=(1, 2, 3, 4, 5, 6, 7))


def _times(times: Seconds) -> tuple[str, str, str]:
    values = (times.ideal, times.even, times.hashed)
    if times.even == 0:
        return ("in host", "in host", "in host")
    shown = [NONE if v is None else seconds_text(v) for v in values]
    return (shown[0], shown[1], shown[2])


def _step(found: WorkloadAnswer, style: Style) -> list[str]:
    step = found.step
    if step is None or step.ideal is None or step.hashed is None or found.compute_s is None:
        return []
    compute = found.compute_s
    text = (
        f"With {seconds_text(compute)} of computing a step takes at least "
        f"{seconds_text(max(compute, step.hashed))} if all of this is hidden behind it, "
        f"{seconds_text(compute + step.hashed)} if nothing is (hashed)."
    )
    return ["", *wrapped(text, style)]


def _bindings(phases: Iterable[Phase], style: Style) -> list[str]:
    """What is full first, once for phases with the same answer."""
    told: dict[str, list[str]] = {}
    for phase in phases:
        if phase.pairs and phase.seconds.even is not None:
            told.setdefault(_binds(phase.seconds), []).append(phase.name)
    lines = []
    for text, names in told.items():
        lines += wrapped(f"Full first in {', '.join(names)}: {text}.", style, indent=2, first="  ")
    return lines


def _binds(times: Seconds) -> str:
    slow = times.hashed_binding
    if times.trials and slow.kind == "cable":
        return f"{_binding(times.binding)}; the slowest hashed flow waits at {slow.name}"
    return _binding(times.binding)


def _binding(binding: Binding) -> str:
    if binding.kind == "nic":
        return f"NICs, {binding.alike:,} of them, such as {binding.name}"
    alike = f", {binding.alike:,} as full" if binding.alike > 1 else ""
    return f"cable {binding.name}{alike}, {binding.times:.2f} × as busy as the busiest NIC"


def _tests(found: WorkloadAnswer) -> list[str]:
    head = ("test", "size", "factor", "bound", "ideal", "even", "hashed", "time hashed")
    rows: list[tuple[str, ...]] = [head]
    for row in found.tests:
        values = (row.bound, row.ideal, row.even, row.hashed)
        rows.append(
            (
                row.operation,
                size_text(row.size),
                f"{row.factor:.5g}",
                *(rate_text(v) for v in values),
                "–" if row.hashed_s is None else seconds_text(row.hashed_s),
            )
        )
    return ["busbw, GB/s", *columns(rows, right=(1, 2, 3, 4, 5, 6, 7))]


def _above(found: WorkloadAnswer, style: Style) -> list[str]:
    """Why a result above K·B can be right."""
    if found.hosts < 2 or not found.gpus_per_host:  # noqa: PLR2004 - one server has no network
        return []
    nics = found.nics * found.goodput_gbytes_per_s
    shares = {ALLTOALL: nics / found.gpus_per_host}
    above = {
        row.operation: shares.get(row.operation, nics)
        for row in found.tests
        if (row.bound or 0) > shares.get(row.operation, nics) * _CLEARLY
    }
    if not above:
        return []
    names = " and ".join(f"{word} above {rate_text(rate)}" for word, rate in above.items())
    share = " for a rank" if set(above) == {ALLTOALL} else ""
    why = "" if found.algorithm == RING else "; all_reduce is reduced inside each server first"
    text = (
        f"{names} GB/s, what a server's NICs carry{share}, is no error: not every byte leaves its "
        f"server{why}."
    )
    return ["", *wrapped(text, style)]


def _placements(found: WorkloadAnswer) -> list[str]:
    both = any(value is not None for row in found.placements for value in row.alltoall)
    head = [
        "placement",
        "all_reduce even",
        "hashed",
        *(["alltoall even", "hashed"] if both else []),
    ]
    if found.phases:
        head[1:1] = ["step even", "step hashed"]
    rows: list[list[str]] = [head]
    for row in found.placements:
        cells = [row.word]
        if found.phases:
            cells += [_or_none(row.step_even_s), _or_none(row.step_hashed_s)]
        cells += [rate_text(v) for v in (*row.all_reduce, *(row.alltoall if both else ()))]
        rows.append(cells)
    return columns(rows, right=tuple(range(1, len(head))))


def _or_none(seconds: float | None) -> str:
    return NONE if seconds is None else seconds_text(seconds)
