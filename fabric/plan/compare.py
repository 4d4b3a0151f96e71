"""Two plans compared: what changed, device by device."""

from __future__ import annotations

import csv
import difflib
from typing import TYPE_CHECKING

from fabric.model.change import Comparison, DeviceChange, FileChange, MovedCable
from fabric.model.names import natural_sorted

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from fabric.model.plan import Plan


def _changed_lines(old: bytes, new: bytes) -> tuple[int, int]:
    before, after = old.decode("utf-8", "replace"), new.decode("utf-8", "replace")
    added = removed = 0
    for line in difflib.unified_diff(before.splitlines(), after.splitlines(), n=0, lineterm=""):
        added += line.startswith("+") and not line.startswith("+++")
        removed += line.startswith("-") and not line.startswith("---")
    return added, removed


def _owner(name: str) -> tuple[str, str] | None:
    """(kind, name) of the device or host that a file belongs to."""
    folder, _, rest = name.partition("/")
    owner = rest.partition("/")[0]
    kinds = {"configs": "device", "hosts": "host"}
    return (kinds[folder], owner) if folder in kinds and "/" in rest else None


def _cables(folder: Path, hosts: set[str]) -> dict[str, tuple[str, str]]:
    """Link id and ends of every cable, from the plan's own cable list.

    By link id; the cable of a NIC by the NIC: its host may have been dealt to another leaf.
    """
    path = folder / "cables.csv"
    if not path.is_file():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return {
        f"{row[0]} {row[3]}" if row[0] in hosts else row[-1]: (
            row[-1],
            f"{row[0]} {row[3]} – {row[4]} {row[7]}",
        )
        for row in rows
    }


def _moved(
    old_folder: Path, new_folder: Path, hosts: Iterable[tuple[str, str]]
) -> tuple[MovedCable, ...]:
    """Cables of both plans that somebody would have to pull and plug in elsewhere."""
    names = {name for name, _ in hosts}
    before, after = _cables(old_folder, names), _cables(new_folder, names)
    return tuple(
        MovedCable(link, before[cable][1], ends)
        for cable, (link, ends) in after.items()
        if cable in before and before[cable][1] != ends
    )


def compare(old_folder: Path, old: Plan, new_folder: Path, new: Plan) -> Comparison:
    """Compare two plans by the digests of their files."""
    before, after = dict(old.files), dict(new.files)
    by_owner: dict[tuple[str, str], list[FileChange]] = {}
    other: list[FileChange] = []
    for name in natural_sorted(set(before) | set(after)):
        if before.get(name) == after.get(name) or name.startswith("inputs/"):
            continue
        change = FileChange(
            name,
            *_changed_lines(
                (old_folder / name).read_bytes() if name in before else b"",
                (new_folder / name).read_bytes() if name in after else b"",
            ),
        )
        owner = _owner(name)
        if owner is None:
            other.append(change)
        else:
            by_owner.setdefault(owner, []).append(change)
    names = {
        "device": ({d.name for d in old.devices}, {d.name for d in new.devices}),
        "host": ({h for h, _ in old.hosts}, {h for h, _ in new.hosts}),
    }
    changes = [
        DeviceChange(name, kind, _state(name, *names[kind]), tuple(files))
        for (kind, name), files in by_owner.items()
    ]
    inputs = [
        name
        for name in natural_sorted({*dict(old.inputs), *dict(new.inputs)})
        if dict(old.inputs).get(name) != dict(new.inputs).get(name)
    ]
    touched = {(c.kind, c.name) for c in changes}
    return Comparison(
        devices=tuple(changes),
        inputs=tuple(inputs),
        other_files=tuple(other),
        unchanged_devices=sum(("device", d.name) not in touched for d in new.devices),
        unchanged_hosts=sum(("host", h) not in touched for h, _ in new.hosts),
        moved=_moved(old_folder, new_folder, new.hosts),
    )


def _state(name: str, before: set[str], after: set[str]) -> str:
    if name not in before:
        return "new"
    return "changed" if name in after else "gone"


def unified(old_folder: Path, new_folder: Path, name: str) -> list[str]:
    """Unified diff of one file of two plans."""

    def lines(folder: Path) -> list[str]:
        path = folder / name
        return path.read_text(encoding="utf-8").splitlines() if path.is_file() else []

    return list(
        difflib.unified_diff(
            lines(old_folder), lines(new_folder), f"previous/{name}", f"current/{name}", lineterm=""
        )
    )
