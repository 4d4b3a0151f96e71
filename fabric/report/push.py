"""What a push would do and why it would not: the Change on the screen and in JSON."""

from __future__ import annotations

from collections import Counter
from itertools import groupby
from typing import TYPE_CHECKING

from fabric.model.finding import Finding, Severity
from fabric.report.findings import alike, findings_text
from fabric.report.text import columns, wrapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabric.model.push_change import Change, DeviceTarget, Refused, Wave
    from fabric.report.text import Style

SCHEMA = 1
OFFLINE = "offline: nothing was read from devices"
SHORT = 12  # characters of a digest on the screen
_COLOURS = {"safe": "green", "traffic": "yellow", "needs window": "red", "unclassified": "red"}


def change_json(change: Change) -> dict[str, object]:
    """The Change as ``fabric push --dry-run --json`` prints it."""
    by_name = {device.device: device for device in change.devices}
    return {
        "schema": SCHEMA,
        "change": change.sha256,
        "offline": change.offline,
        "waves": [[_device_json(by_name[name]) for name in wave.devices] for wave in change.waves],
        "refused": [refused_json(refused) for refused in change.refused],
    }


def nothing_json(refused: Iterable[Refused]) -> dict[str, object]:
    """The same where no Change came about."""
    told = [refused_json(one) for one in refused]
    return {"schema": SCHEMA, "change": "", "offline": False, "waves": [], "refused": told}


def _device_json(device: DeviceTarget) -> dict[str, object]:
    return {
        "device": device.device,
        "class": device.risk.value,
        "diff": list(device.diff),
        "commands": [command for step in device.steps for command in step.commands],
    }


def refused_json(refused: Refused) -> dict[str, object]:
    """One refusal; ``device`` null: it is about all of them."""
    return {
        "device": refused.device,
        "rule": refused.rule,
        "message": refused.message,
        "fix": refused.fix,
    }


def change_lines(change: Change, style: Style, *, dry_run: bool) -> list[str]:
    """The whole Change: order, waves, classes, ways back; what is refused comes last."""
    shown = sum(len(wave.devices) for wave in change.waves)
    told = _counted(change)
    head = [change.fabric, told, f"plan {change.plan_sha256[:6]}", f"change {change.sha256[:6]}"]
    if dry_run:
        head.append("dry run: nothing will be changed")
    lines = wrapped(style.paint(" · ".join(head), "bold"), style)
    if change.offline:
        lines += [style.paint(OFFLINE, "yellow"), *_basis_lines(change, style)]
    if change.waves:
        lines += ["", *columns(_rows(change, style))]
        lines += ["", *wrapped(f"Canary: {change.waves[0].why}.", style, indent=2, first="  ")]
    rest = len(change.devices) - shown
    if rest:
        lines += ["", f"  {rest:,} device{' would' if rest == 1 else 's would'} not change."]
    lines += _ways_back(change, style)
    if change.refused:
        lines += ["", *refused_lines(change.refused, style)]
    return lines


def _counted(change: Change) -> str:
    """Devices that can be pushed to, of how many."""
    known = {device.device for device in change.devices}
    all_of_them = known | {one.device for one in change.refused if one.device is not None}
    many = f"{len(all_of_them):,} device{'' if len(all_of_them) == 1 else 's'}"
    return many if known == all_of_them else f"{len(known):,} of {many}"


def _basis_lines(change: Change, style: Style) -> list[str]:
    """What the differences are to, as nothing was read now."""
    groups: dict[str, list[str]] = {}
    for device in change.devices:
        groups.setdefault(device.basis, []).append(device.device)
    return [
        line
        for basis, names in groups.items()
        for line in wrapped(f"{_some(names)}: compared with {basis}", style, indent=2, first="  ")
    ]


Look = tuple[object, ...]  # devices with an equal one stand on one row


def _rows(change: Change, style: Style) -> list[tuple[str, ...]]:
    """A row for each wave and kind of change; waves of a role with one kind share a row."""
    by_name = {device.device: device for device in change.devices}
    looks = _looks(change)
    first: dict[Look, str] = {}  # who looked so first
    rows = []
    for (role, _), group in groupby(change.waves, key=lambda wave: _alike(wave, looks)):
        waves = list(group)
        for look, names in _by_look([n for w in waves for n in w.devices], looks).items():
            what = _what(by_name[names[0]])
            if look[0] == "same":
                what = f"same change as {first[look]}" if look in first else what
            elif len(names) > 1:
                what += " (each its own lines)"
            first.setdefault(look, names[0])
            cells = _what_cells(by_name[names[0]], style)
            rows.append((*_who_cells(waves, role, names), *cells, what))
    return rows


def _looks(change: Change) -> dict[str, Look]:
    """Devices with the same difference look the same; others by class and number of lines."""
    shared = Counter(device.diff for device in change.devices)
    return {
        d.device: ("same", d.diff)
        if shared[d.diff] > 1
        else ("own", d.risk, added(d), removed(d), _what(d))
        for d in change.devices
    }


def _alike(wave: Wave, looks: dict[str, Look]) -> tuple[str, object]:
    """Waves with an equal key stand on one row: the same role, one kind in all of them."""
    kinds = {looks[name] for name in wave.devices}
    role = wave.name.partition(",")[0]
    return role, kinds.pop() if len(kinds) == 1 else wave.number


def _by_look(names: Iterable[str], looks: dict[str, Look]) -> dict[Look, list[str]]:
    groups: dict[Look, list[str]] = {}
    for name in names:
        groups.setdefault(looks[name], []).append(name)
    return groups


def _who_cells(waves: Sequence[Wave], role: str, names: Sequence[str]) -> tuple[str, ...]:
    numbers = f"wave {waves[0].number}"
    who = names[0] if len(names) == 1 else f"{len(names):,} devices"
    if len(waves) > 1:
        numbers = f"waves {waves[0].number}–{waves[-1].number}"
        who += f", {max(len(wave.devices) for wave in waves)} at a time"
    return numbers, role, who


def _what_cells(device: DeviceTarget, style: Style) -> tuple[str, ...]:
    """Class, and lines that come and go."""
    risk = device.risk.value
    comes = style.paint(f"+{added(device)}", "green")
    goes = style.paint(f"−{removed(device)}", "red")
    return style.paint(risk, _COLOURS[risk]), f"{comes} {goes}"


def added(device: DeviceTarget) -> int:
    """Lines that come."""
    return sum(line.startswith("+") for line in device.diff)


def removed(device: DeviceTarget) -> int:
    """Lines that go."""
    return sum(line.startswith("-") for line in device.diff)


def _what(device: DeviceTarget) -> str:
    """Why the class is what it is, without the example."""
    return device.risks[0].partition(": ")[2].partition(" (")[0] if device.risks else ""


def _ways_back(change: Change, style: Style) -> list[str]:
    groups: dict[str, list[str]] = {}
    for device in change.devices:
        if device.way_back:
            groups.setdefault(device.way_back, []).append(device.device)
    lines = []
    for text, names in groups.items():
        who = "" if len(groups) == 1 else f"{_some(names)}: "
        lines += wrapped(f"Way back: {who}{text}.", style, indent=4, first="  ")
    return ["", *lines] if lines else []


def _some(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more"


def refused_lines(refused: Sequence[Refused], style: Style) -> list[str]:
    """Refusals as findings, those that differ in nothing but the device once."""
    findings = [
        Finding(r.rule, Severity.ERROR, r.device or "", r.message, fix=r.fix, device=r.device)
        for r in refused
    ]
    count = len(alike(findings))
    lines = findings_text(findings, style)
    return [f"  refused: {count:,} reason{'' if count == 1 else 's'}", *lines[1:]]


def device_lines(device: DeviceTarget, style: Style) -> list[str]:
    """One device in full: what would change, what it does to traffic, what would be typed."""
    head = (device.device, device.address, f"{device.platform} {device.os_version}", device.model)
    lines = [style.paint(" · ".join(part for part in head if part), "bold")]
    if device.basis:
        lines += wrapped(f"compared with {device.basis}", style, indent=2, first="  ")
    if not device.diff:
        return [*lines, "  nothing would change"]
    for risk in device.risks:
        lines += wrapped(risk, style, indent=4, first="  ")
    lines += ["", *(f"  {_painted(line, style)}" for line in device.diff)]
    for step in device.steps:
        lines += ["", f"  {step.name}", *(f"    {command}" for command in step.commands)]
    return lines


def _painted(line: str, style: Style) -> str:
    return style.paint(line, {"+": "green", "-": "red"}.get(line[:1], "dim"))
