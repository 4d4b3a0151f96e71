"""Throughput of traffic matrices as text and as JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fabric.report.text import columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabric.model.bandwidth import Bandwidth, Matrices, Theta
    from fabric.report.text import Style

_TRAFFIC = {
    "uniform": "everybody to everybody",
    "shift": "endpoint i to i + N/2",
    "adversarial": "group i to group i + 1",
}
_SMALL = 0.01
_NOT_CROSSING = "no traffic crosses a cable between switches"
_HEADER = ("Throughput θ", "any paths (LP)", "even split", "volumetric bound", "NICs", "")
_UNITS = {
    "rate": "θ multiplies the NIC rates of the file",
    "gbps": "θ multiplies the Gb/s of the file",
    "bytes": "bytes: 1 = the NIC with most of them at one NIC rate",
}


def thetas_json(found: Bandwidth) -> dict[str, object]:
    """``theta`` by traffic, the worst leaf, ``matrix`` of a file if one was given."""
    told: dict[str, object] = {
        "theta": {theta.kind: theta_json(theta) for theta in found.thetas},
        "worst_tor_uplink_ratio": found.worst_ratio,
        "worst_tor": found.worst_leaf,
    }
    given = found.matrices
    if given is not None:
        phases = [{"phase": t.kind or None, **theta_json(t)} for t in given.phases]
        told["matrix"] = {"file": given.file, "unit": given.unit, "phases": phases}
    return told


def theta_json(theta: Theta) -> dict[str, object]:
    """One θ; what is infinite or was not had is ``null`` with the reason."""
    why = theta.why_null
    values: dict[str, object] = {}
    for key, value in (
        ("lp", theta.lp),
        ("ecmp", theta.ecmp),
        ("volumetric", theta.volumetric),
        ("nics", theta.nics),
    ):
        crossing = value is None or math.isfinite(value)
        values[key] = plain(value) if value is not None and crossing else None
        why = why if crossing else _NOT_CROSSING
    told = {**values, "why_null": why or None}
    if theta.pairs:
        told |= {"pairs": theta.pairs, "left_out": theta.left_out}
    return told if theta.seed is None else {**told, "seed": theta.seed}


def plain(value: float) -> float:
    """Without the dust of floating point; what is small keeps its digits."""
    return round(value, 9) if abs(value) >= _SMALL else float(f"{value:.7g}")


def theta_lines(found: Bandwidth, style: Style) -> Iterator[str]:
    """The table, what no LP was had of, the worst leaf, what θ is."""
    given = found.matrices
    thetas = (*found.thetas, *(given.phases if given else ()))
    yield from columns([_HEADER, *map(_row, thetas)], right=(1, 2, 3, 4))
    share = 100 * (found.worst_ratio or 0)
    yield f"  Worst leaf  {found.worst_leaf}: uplinks carry {share:.1f} % of its NICs"
    if given is not None:
        yield from _given_lines(given, style)
    yield from _reasons(thetas, style)
    yield from wrapped(_meaning(found), style, indent=2)


def _meaning(found: Bandwidth) -> str:
    one = "every NIC at line rate"
    if found.mixed_rates:
        one = f"every endpoint sending {found.nic_gbps:g}G, whatever the rate of its own NIC"
    return (
        f"θ: the greatest multiple of the traffic that can be carried, 1 = {one}, not capped by "
        "the NICs; NICs: where the first of them is full. Even split: what hashing gives with many "
        "small flows."
    )


def _given_lines(given: Matrices, style: Style) -> Iterator[str]:
    yield from wrapped(f"Matrix      {given.file}; {_UNITS[given.unit]}", style, indent=2)


def _name(theta: Theta) -> str:
    return theta.kind or "matrix"


def _row(theta: Theta) -> tuple[str, ...]:
    figures = (theta.lp, theta.ecmp, theta.volumetric, theta.nics)
    return (f"  {_name(theta)}", *map(theta_text, figures), _about(theta))


def _about(theta: Theta) -> str:
    if theta.ecmp is None:
        return theta.why_null
    if theta.seed is not None:
        return f"everybody to one other, drawn with seed {theta.seed}"
    if theta.kind in _TRAFFIC and not theta.pairs:
        return _TRAFFIC[theta.kind]
    lost = f", {theta.left_out:,} left out: an end is down" if theta.left_out else ""
    return f"{theta.pairs:,} pair{'s' if theta.pairs > 1 else ''}{lost}"


def _reasons(thetas: Iterable[Theta], style: Style) -> Iterator[str]:
    for theta in thetas:
        if theta.lp is None and theta.ecmp is not None:
            yield from wrapped(f"No LP of {_name(theta)}: {theta.why_null}", style, indent=2)


def theta_text(value: float | None) -> str:
    """Four digits; a dash for what could not be had."""
    if value is None:
        return "–"
    if 0 < value < _SMALL:
        return f"{value:.3g}"
    return f"{value:.4f}" if math.isfinite(value) else "no limit"
