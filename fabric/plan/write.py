"""A design becomes ``build/<fabric>/``: staged beside the old plan, then swapped in."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.files.locate import is_packaged
from fabric.model.plan import Plan
from fabric.plan.store import PLAN_FILE, SCHEMA, plan_text, sha256
from fabric.report import tables
from fabric.report.qos import qos_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabric.files.tree import Staged
    from fabric.model.design import Design
    from fabric.model.finding import Finding
    from fabric.model.plan import DevicePlan, Rendered, Summary
    from fabric.model.qos import QosChain


@dataclass(frozen=True, slots=True)
class PlanHead:
    """Who made a plan, from what: ``inventory`` is a name among ``inputs`` (name, sha256)."""

    program: str
    inventory: str
    inputs: tuple[tuple[str, str], ...]


@dataclass
class Writing:
    """A plan being written: files go to ``stage``, digests stay here."""

    stage: Staged
    files: dict[str, str]
    devices: list[DevicePlan]
    hosts: list[tuple[str, str]]
    findings: list[Finding]
    chains: list[QosChain] = field(default_factory=list)  # of ports whose text differs

    def put(self, name: str, text: str | bytes, *, mode: int = 0o644) -> None:
        """One file of the plan."""
        data = text.encode() if isinstance(text, str) else text
        self.stage.write(name, data, mode=mode)
        self.files[name] = sha256(data)

    def put_files(self, folder: str, rendered: Rendered) -> None:
        """All files of one device or host."""
        for file in rendered.files:
            executable = file.mode.endswith("55")
            self.put(
                f"{folder}/{rendered.device}/{file.name}",
                file.text,
                mode=0o755 if executable else 0o644,
            )


def put_tables(design: Design, writing: Writing) -> None:
    """Cables, ports, addresses, materials and the QoS page."""
    writing.put("cables.csv", tables.cables_csv(design))
    writing.put("ports.csv", tables.ports_csv(design))
    writing.put("addresses.csv", tables.addresses_csv(design))
    writing.put("bom.csv", tables.bom_csv(design))
    writing.put("qos.md", qos_page(design))


def put_inputs(
    inputs: Iterable[tuple[str, bytes]], writing: Writing
) -> tuple[tuple[str, str], ...]:
    """Everything the plan was made from; returns name → digest."""
    digests = []
    for name, data in inputs:
        writing.put(f"inputs/{name}", data)
        digests.append((name, sha256(data)))
    return tuple(sorted(digests))


def put_plan(
    summary: Summary,
    writing: Writing,
    head: PlanHead,
    findings: tuple[Finding, ...],
    *,
    pushable: bool,
) -> Plan:
    """Write plan.json last: it holds the digest of every other file."""
    plan = Plan(
        schema=SCHEMA,
        program=head.program,
        fabric=summary.fabric,
        pushable=pushable,
        inputs=head.inputs,
        devices=tuple(writing.devices),
        hosts=tuple(writing.hosts),
        files=tuple(sorted(writing.files.items())),
        findings=findings,
        summary=summary,
        inventory=head.inventory,
    )
    writing.stage.write(PLAN_FILE, plan_text(plan).encode())
    return plan


def lock_is_writable(path: Path) -> bool:
    """Whether the lock can lie beside the inventory."""
    if is_packaged(path):
        return False
    target = path if path.exists() else path.parent
    return os.access(path.parent, os.W_OK) and os.access(target, os.W_OK)


def write_lock(path: Path, text: str) -> bool:
    """Write the lock whole or not at all; returns whether it changed."""
    data = text.encode()
    if path.is_file() and path.read_bytes() == data:
        return False
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return True
