"""What a new plan changes against the one before, in words and in JSON."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from fabric.report.text import Style, columns

if TYPE_CHECKING:
    from fabric.model.change import Comparison, DeviceChange


def comparison_json(comparison: Comparison | None) -> dict[str, object] | None:
    """A comparison as plain values; ``None`` when there was no plan before."""
    if comparison is None:
        return None
    return {
        "devices": [
            {
                "name": change.name,
                "kind": change.kind,
                "state": change.state,
                "files": [
                    {"name": f.name, "added": f.added, "removed": f.removed} for f in change.files
                ],
            }
            for change in comparison.devices
        ],
        "inputs": list(comparison.inputs),
        "other_files": [
            {"name": f.name, "added": f.added, "removed": f.removed} for f in comparison.other_files
        ],
        "moved_cables": [
            {"link": cable.link, "before": cable.before, "after": cable.after}
            for cable in comparison.moved
        ],
        "unchanged_devices": comparison.unchanged_devices,
        "unchanged_hosts": comparison.unchanged_hosts,
    }


def change_line(comparison: Comparison | None, *, changed: bool) -> str:
    """``Changed since last plan: …`` in one line."""
    if not changed:
        return "Changed since last plan: nothing."
    if comparison is None:
        return "There was no plan before."
    if comparison.empty:
        return f"Changed since last plan: {', '.join(comparison.inputs) or 'plan.json'} only."
    tally = Counter((c.kind, c.state) for c in comparison.devices)
    words = [
        f"{count:,} {kind}{'s' if count > 1 else ''} {state}"
        for (kind, state), count in sorted(tally.items())
    ]
    words += [file.name for file in comparison.other_files]
    return f"Changed since last plan: {', '.join(words)}."


def moved_line(comparison: Comparison) -> str:
    """How many cables that exist already would have to be moved by hand."""
    count = len(comparison.moved)
    one = count == 1
    return (
        f"{count:,} cable{'' if one else 's'} that exist{'s' if one else ''} already would sit in "
        "other ports: move them by hand, or keep the lock and the old parameters"
    )


def comparison_lines(comparison: Comparison, style: Style) -> list[str]:
    """The comparison device by device; devices with the same change on one line."""
    lines: list[str] = []
    for kind in ("device", "host"):
        changes = [c for c in comparison.devices if c.kind == kind]
        rows = [_row(group, style) for group in _alike(changes)]
        if rows:
            lines += [f"  {kind}s", *columns(rows, indent=4)]
    if comparison.other_files:
        rows = [
            (f.name, style.paint(f"+{f.added}", "green"), style.paint(f"−{f.removed}", "red"))
            for f in comparison.other_files
        ]
        lines += ["  other files", *columns(rows, indent=4)]
    if comparison.moved:
        lines.append("  " + moved_line(comparison))
        lines += columns([(c.link, c.before, f"→ {c.after}") for c in comparison.moved], indent=4)
    lines.append(
        f"  {comparison.unchanged_devices:,} devices and {comparison.unchanged_hosts:,} hosts "
        "would not change."
    )
    return lines


def _alike(changes: list[DeviceChange]) -> list[list[DeviceChange]]:
    """Devices whose files changed by as many lines stand together."""
    groups: dict[object, list[DeviceChange]] = {}
    for change in changes:
        files = tuple((f.name.rpartition("/")[2], f.added, f.removed) for f in change.files)
        groups.setdefault((change.state, files), []).append(change)
    return list(groups.values())


def _row(group: list[DeviceChange], style: Style) -> tuple[str, ...]:
    first = group[0]
    name = first.name if len(group) == 1 else f"{first.name} and {len(group) - 1:,} more"
    files = "  ".join(
        f"{f.name.rpartition('/')[2]} {style.paint(f'+{f.added}', 'green')} "
        f"{style.paint(f'−{f.removed}', 'red')}"
        for f in first.files
    )
    return (name, first.state, files)
