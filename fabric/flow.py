"""The story: inventory → Design → devices → text → findings → plan. Read this first."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from fabric.checks import run as run_checks
from fabric.checks import unknown_rules
from fabric.checks.facts import Facts
from fabric.design import lossless, stages, underlay
from fabric.design.lock import lock_text as text_of_lock
from fabric.design.lock import read_lock
from fabric.files.locate import templates_root
from fabric.files.tree import Staged, file_names, previous_of
from fabric.files.version import program_version
from fabric.inventory import Doubt, check_selectors, read_draft, refusal
from fabric.model.design import Design
from fabric.model.finding import (
    Finding,
    InputError,
    Problem,
    Severity,
)
from fabric.plan import rendering, write
from fabric.plan.compare import compare
from fabric.plan.own_templates import own_templates, template_faults
from fabric.plan.store import PLAN_FILE, PlanError, read_plan
from fabric.report.findings import worst
from fabric.report.summary import summarise

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date
    from os import PathLike

    from fabric.checks import CheckResult
    from fabric.inventory import Reading
    from fabric.model.addressing import Lock
    from fabric.model.change import Comparison
    from fabric.model.plan import Plan


@dataclass(frozen=True)
class Derived:
    """A design with what it was read from."""

    design: Design
    reading: Reading
    roots: tuple[Path, ...]


def template_roots(inventory: Path) -> tuple[Path, ...]:
    """The user's ``templates/`` beside the inventory, if there is one, before the shipped ones."""
    shipped = templates_root()
    beside = inventory.resolve().parent / "templates"
    return (beside, shipped) if beside.is_dir() and beside != shipped.resolve() else (shipped,)


def derive(path: str | PathLike[str], *, plans: Path | None = None) -> Derived:
    """Read an inventory and derive its design.

    ``plans``: where plans lie; the lock of this fabric's plan is used when none lies beside the
    inventory (its folder may not be writable).

    Raises:
        InputError: the inventory cannot be honoured; all problems of the stage that failed.
    """
    inventory = Path(path)
    roots = template_roots(inventory)
    reading = read_draft(inventory, templates_roots=roots)
    problems: list[Problem] = []
    lock = stages.collected(problems, lambda: _lock(reading, plans))
    design = _design(reading, lock, problems)
    if design is None:
        raise InputError(refusal(reading, problems))
    return Derived(design, reading, roots)


def _lock(reading: Reading, plans: Path | None) -> Lock | None:
    text, name = reading.lock_text, reading.lock_path.name
    if text is None and plans is not None:
        planned = plans / reading.intent.name / "inputs" / name
        text = planned.read_bytes() if planned.is_file() else None
    return None if text is None else read_lock(text, name)


def _design(reading: Reading, lock: Lock | None, problems: list[Problem]) -> Design | None:
    """The design; ``None`` when there is a problem, and then all of them are in ``problems``."""
    intent = reading.intent
    skip = stages.Skip(Doubt.SPEEDS in reading.doubts, Doubt.POOLS in reading.doubts)
    problems.extend(unknown_rules(intent.suppressions))
    blueprint = stages.blueprint(intent, problems)
    if blueprint is None:
        return None
    problems.extend(lossless.rise_problems(blueprint, intent))
    switches = [(s.name, s.role) for s in blueprint.switches]
    hosts = {name for group in intent.host_groups for name in group.names}
    unused = stages.collected(problems, lambda: check_selectors(reading, switches, hosts))
    wired = stages.wired(blueprint, intent, lock, problems, skip)
    addresses = wired and stages.addressed(wired[0], intent, lock, problems, skip)
    if problems or reading.is_draft or wired is None or addresses is None:
        return None
    topology, port_rows = wired
    # The lock of the plan holds what both stages handed out.
    kept = tuple(row for row in addresses.lock.rows if row.pool != "port")
    full = replace(addresses.lock, rows=(*kept, *port_rows))
    addresses = replace(addresses, lock=full)
    return Design(
        intent=intent,
        topology=topology,
        addressing=addresses,
        underlay=underlay.derive(topology, addresses, intent),
        lossless=lossless.derive(topology, intent),
        findings=(*reading.findings, *(unused or ())),
    )


def load(path: str | PathLike[str]) -> Design:
    """The design of an inventory; nothing is written.

    Raises:
        InputError: the inventory cannot be honoured.
    """
    return derive(path).design


@dataclass(frozen=True)
class Checked:
    """What every design-stage rule said."""

    fabric: str
    findings: tuple[Finding, ...]
    rules_ok: int


def check(
    design: Design,
    *,
    today: date,
    extra: tuple[Finding, ...] = (),
    facts: Facts,
) -> CheckResult:
    """Run every design-stage rule; ``extra`` are findings of rendering."""
    return run_checks(design, today=today, extra=(*design.findings, *extra), facts=facts)


def check_all(derived: Derived, *, today: date) -> Checked:
    """Every rule, and what rendering finds; nothing is written.

    Raises:
        InputError: a template cannot be rendered.
    """
    design = derived.design
    with template_faults(derived.roots):
        said = rendering.rendering_findings(design, derived.roots)
    extra = (*own_templates(derived.roots), *said.findings)
    facts = Facts(design, written=said.chains)
    found = check(design, today=today, extra=extra, facts=facts)
    return Checked(design.intent.name, found.findings, len(found.rules_ok))


@dataclass(frozen=True)
class Planned:
    """A plan that was written. ``comparison`` None: there was no plan before.

    ``findings``: those of the plan, with files named as the user did.
    """

    derived: Derived
    plan: Plan
    findings: tuple[Finding, ...]
    folder: Path
    changed: bool
    comparison: Comparison | None
    lock_path: Path | None  # None: the lock lies only in the plan's inputs


def plan(
    path: str | PathLike[str],
    *,
    out: Path,
    today: date,
    progress: Callable[[str, int, int], None] = lambda _what, _done, _of: None,
    keep_lock: bool = True,
) -> Planned:
    """Write ``out/<fabric>/``; the old plan stays whole until the new one is.

    ``keep_lock``: also beside the inventory; without it nothing there is written.

    Raises:
        InputError: the inventory cannot be honoured; nothing was written.
        fabric.files.tree.NotOursError: the folder holds something else.
    """
    derived = derive(path, plans=out)
    design = derived.design
    folder = out / design.intent.name
    stage = Staged(folder, PLAN_FILE)
    try:
        writing = write.Writing(stage, {}, [], [], [])
        with template_faults(derived.roots):
            rendering.render_all(design, derived.roots, writing, progress)
        write.put_tables(design, writing)
        lock = text_of_lock(design.addressing.lock)
        reading = derived.reading
        inputs = [*_inputs(derived), (reading.lock_path.name, lock.encode())]
        digests = write.put_inputs(inputs, writing)
        extra = (*own_templates(derived.roots), *writing.findings)
        facts = Facts(design, written=writing.chains)
        found = check(design, today=today, extra=extra, facts=facts).findings
        level = worst(found)
        saved = write.put_plan(
            summarise(design, facts.deadlock, facts.targeted_rate),
            writing,
            write.PlanHead(f"roce-fabric {program_version()}", reading.inputs[0][0], digests),
            tuple(_without_folder(finding, reading) for finding in found),
            pushable=level is None or level < Severity.ERROR,
        )
        before = _existing(folder)
        beside = keep_lock and write.lock_is_writable(reading.lock_path)
        if beside:  # a lock without its plan does no harm; the reverse would renumber
            write.write_lock(reading.lock_path, lock)
        changed = stage.commit()
    except BaseException:
        stage.discard()
        raise
    comparison = None
    if before is not None and changed:
        comparison = compare(previous_of(folder), before, folder, saved)
    lock_path = reading.lock_path if beside else None
    return Planned(derived, saved, found, folder, changed, comparison, lock_path)


def _without_folder(finding: Finding, reading: Reading) -> Finding:
    """The finding with its file named from the inventory's folder: a plan holds no machine."""
    where = finding.location
    if where is None:
        return finding
    name = os.path.relpath(where.file, reading.lock_path.parent)
    return replace(finding, location=replace(where, file=Path(name).as_posix()))


def _existing(folder: Path) -> Plan | None:
    try:
        return read_plan(folder)
    except PlanError:
        return None


def _inputs(derived: Derived) -> list[tuple[str, bytes]]:
    """The files that were read, and the templates that shadow ours."""
    shadows = [
        (f"templates/{name}", (root / name).read_bytes())
        for root in derived.roots[:-1]
        for name in file_names(root)
    ]
    # A folder of facts may serve several fabrics; the others' must not change this plan.
    own = {f"facts/{switch.name}.json" for switch in derived.design.topology.switches}
    read_files = [
        (name, data)
        for name, data in derived.reading.inputs
        if not name.startswith("facts/") or name in own
    ]
    return [*read_files, *shadows]
